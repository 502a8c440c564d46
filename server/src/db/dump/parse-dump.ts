import { createHash } from 'node:crypto';
import {
  COPY_END,
  COPY_LINE,
  cutOff,
  damaged,
  ENDING_PREFIX,
  type Ending,
  type Manifest,
  NEXT,
  parseEnding,
  parseManifest,
  SECRET_PREFIX,
} from './format.ts';

/** A part of a dump, in the order of the file. */
export type DumpPart =
  | { kind: 'statements'; text: string }
  | { kind: 'copy'; table: string; statement: string; rows: AsyncIterable<Buffer> }
  | { kind: 'end'; ending: Ending };

export type ParsedDump = {
  manifest: Manifest;
  secret: string | undefined;
  parts: AsyncGenerator<DumpPart>;
};

const LINE_BYTES_MAX = 16 * 1024 * 1024;
const ROWS_END = Buffer.from(`\n${COPY_END}\n`);

/** Reads the head of a dump; its parts are read when they are asked for, and cannot be skipped. */
export async function parseDump(chunks: AsyncIterable<Buffer>): Promise<ParsedDump> {
  const reader = createReader(chunks);
  const manifest = parseManifest(await reader.readLine());
  let secret: string | undefined;
  for (;;) {
    const line = await reader.readLine();
    if (line === undefined) throw cutOff();
    if (line === NEXT) break;
    if (line.startsWith(SECRET_PREFIX)) secret = line.slice(SECRET_PREFIX.length);
  }
  return { manifest, secret, parts: readParts(reader) };
}

async function* readParts(reader: Reader): AsyncGenerator<DumpPart> {
  let lines: string[] = [];
  for (;;) {
    const line = await reader.readLine();
    if (line === undefined) throw cutOff();
    const table = COPY_LINE.exec(line)?.[1];
    if (table !== undefined && lines.length === 0) {
      yield { kind: 'copy', table, statement: line, rows: reader.readRows() };
    } else if (line === NEXT) {
      yield { kind: 'statements', text: lines.join('\n') };
      lines = [];
    } else if (line.startsWith(ENDING_PREFIX) && lines.length === 0) {
      const ending = parseEnding(line);
      if (ending.sha256 !== reader.digest()) throw damaged();
      yield { kind: 'end', ending };
      return;
    } else {
      lines.push(line);
    }
  }
}

type Reader = {
  /** The next line without its end; undefined at the end of the file. */
  readLine(): Promise<string | undefined>;
  /** The rows up to the line that ends them, which is read too. */
  readRows(): AsyncGenerator<Buffer>;
  /** The checksum of everything that was read, except the ending. */
  digest(): string;
};

function createReader(chunks: AsyncIterable<Buffer>): Reader {
  const iterator = chunks[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let buffer: Buffer = Buffer.alloc(0);

  const fill = async (): Promise<boolean> => {
    const { value, done } = await iterator.next();
    if (done) return false;
    buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value]);
    return true;
  };
  const take = (length: number): Buffer => {
    const taken = buffer.subarray(0, length);
    buffer = buffer.subarray(length);
    return taken;
  };

  return {
    async readLine() {
      let at = buffer.indexOf('\n');
      while (at < 0) {
        if (buffer.length > LINE_BYTES_MAX) throw damaged();
        const from = buffer.length;
        if (!(await fill())) return undefined;
        at = buffer.indexOf('\n', from);
      }
      const bytes = take(at + 1);
      const line = bytes.toString('utf8', 0, at);
      if (!line.startsWith(ENDING_PREFIX)) hash.update(bytes);
      return line;
    },
    async *readRows() {
      // The line before the first row ends with a line feed as well: empty rows look like the others.
      let isFirst = true;
      for (;;) {
        if (isFirst && buffer.length >= ROWS_END.length - 1) {
          isFirst = false;
          if (buffer.indexOf(ROWS_END.subarray(1)) === 0) {
            hash.update(take(ROWS_END.length - 1));
            return;
          }
        }
        const end = isFirst ? -1 : buffer.indexOf(ROWS_END);
        const length = end >= 0 ? end + 1 : Math.max(0, buffer.length - ROWS_END.length + 1);
        if (!isFirst && length > 0) {
          const rows = take(length);
          hash.update(rows);
          yield rows;
        }
        if (end >= 0) {
          hash.update(take(ROWS_END.length - 1));
          return;
        }
        if (!(await fill())) throw cutOff();
      }
    },
    digest: () => hash.digest('hex'),
  };
}
