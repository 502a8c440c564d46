import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Sql } from '../../db/sql.ts';
import { readPosition } from '../upkeep-store.ts';
import type { ArchivePlace } from './archive-place.ts';
import {
  type ArchivedFile,
  type ArchivedPart,
  countRows,
  forgetFiles,
  listFiles,
  readRows,
  saveFile,
} from './archive-store.ts';

/** 16 MB of a table: some tens of thousands of messages, and twice as much of JSON in memory. */
const PAGES_PER_FILE = 2_048;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/**
 * Writes a month that no longer changes to the archive, in files of lines of JSON, and reads each back.
 * True when the files have all of its rows; false when the signal came first: what was written by then
 * is kept, and the next run continues.
 */
export async function archiveMonth(
  sql: Sql,
  place: ArchivePlace,
  part: ArchivedPart,
  signal: AbortSignal,
): Promise<boolean> {
  const { pages } = await readPosition(sql, part.name);
  const files = await listFiles(sql, part);
  for (let from = files.at(-1)?.to_page ?? 0; from < pages; from += PAGES_PER_FILE) {
    if (signal.aborted) return false;
    const file = await writeFile(sql, place, part, from);
    await saveFile(sql, part, file);
    files.push(file);
  }
  const archived = files.reduce((sum, file) => sum + file.row_count, 0);
  const rows = await countRows(sql, part);
  if (archived !== rows) {
    await forgetFiles(sql, part);
    throw new Error(`${part.name}: ${archived} rows in the archive, ${rows} in the table`);
  }
  const manifest = Buffer.from(`${JSON.stringify({ ...part, rows, files }, null, 2)}\n`);
  await place.write(`${part.name}.json`, manifest);
  if (!(await place.read(`${part.name}.json`)).equals(manifest)) {
    throw new Error(`${part.name}.json differs in the archive`);
  }
  return true;
}

async function writeFile(
  sql: Sql,
  place: ArchivePlace,
  part: ArchivedPart,
  from: number,
): Promise<ArchivedFile> {
  const to = from + PAGES_PER_FILE;
  const lines = await readRows(sql, part, { from, to });
  const content = await pack(lines.map((line) => `${line}\n`).join(''));
  const file = `${part.name}-${String(from).padStart(9, '0')}.jsonl.gz`;
  await place.write(file, content);
  const stored = await place.read(file);
  const found = countLines(await unpack(stored));
  if (!stored.equals(content) || found !== lines.length) {
    throw new Error(`${file}: ${found} of ${lines.length} rows were read back from the archive`);
  }
  const sha256 = createHash('sha256').update(content).digest('hex');
  return {
    file,
    from_page: from,
    to_page: to,
    row_count: lines.length,
    bytes: content.length,
    sha256,
  };
}

/** JSON has no line break inside of a row. */
function countLines(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) count += 1;
  return count;
}
