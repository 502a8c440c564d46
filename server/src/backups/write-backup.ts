import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Connection } from '../db/connection.ts';
import { type DumpOptions, startDump } from '../db/dump/dump-database.ts';
import type { Manifest } from '../db/dump/format.ts';
import { withSession } from '../db/session.ts';
import { unfinishedName } from './backup-file.ts';
import { BackupRefused, refusedFile } from './backup-refused.ts';

export type WrittenBackup = { manifest: Manifest; bytes: number; rows: number };

/** The snapshot of the database is held for as long as this takes, and a better level takes longer. */
const GZIP_LEVEL = 1;

/**
 * Writes a backup while the service runs. The file gets its name when it is whole, on the disk and
 * has passed `check`; until then, and after a failure, there is no such file.
 */
export async function writeBackup(
  connection: Connection,
  options: Pick<DumpOptions, 'secret' | 'onProgress'> & {
    file: string;
    check?: (unfinished: string) => Promise<unknown>;
  },
): Promise<WrittenBackup> {
  const { file, check } = options;
  if (existsSync(file)) throw new BackupRefused(`${file} exists already.`);
  const folder = path.dirname(file);
  const unfinished = unfinishedName(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { manifest, rows } = await withSession(connection, 'zhiber backup', async (client) => {
      const dump = await startDump(client, { ...options, endsWhenRead: true });
      const output = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(dump.chunks, createGzip({ level: GZIP_LEVEL }), output);
      return dump;
    });
    await check?.(unfinished);
    await rename(unfinished, file);
    await syncFolder(folder);
    const { size } = await stat(file);
    return { manifest, bytes: size, rows: sum(rows) };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : refusedFile(file, error);
  }
}

export function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}

/** Without it a power cut could undo the renaming. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
