import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { Progress } from '../db/dump/dump-database.ts';
import { cutOff, DumpRefused, damaged } from '../db/dump/format.ts';
import { parseDump } from '../db/dump/parse-dump.ts';
import { refusedFile } from './backup-refused.ts';

/** Throws when the file is not what was written. */
export async function verifyBackup(file: string): Promise<void> {
  for await (const part of (await parseDump(readBackup(file))).parts) {
    if (part.kind === 'copy') for await (const _ of part.rows);
  }
}

/** The text of a backup. The progress counts the bytes of the file. */
export async function* readBackup(
  file: string,
  onProgress?: (progress: Progress) => void,
): AsyncGenerator<Buffer> {
  const { size: total } = await stat(file).catch((error: unknown) => {
    throw refusedFile(file, error);
  });
  const input = createReadStream(file);
  const output = createGunzip();
  input.on('error', (error) => output.destroy(refusedFile(file, error)));
  let isBegun = false;
  try {
    for await (const chunk of input.pipe(output) as AsyncIterable<Buffer>) {
      isBegun = true;
      onProgress?.({ done: input.bytesRead, total });
      yield chunk;
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw cutOff();
    if (!code.startsWith('Z_')) throw error;
    throw isBegun ? damaged() : new DumpRefused(`${file} is not a backup of Zhiber.`);
  } finally {
    input.destroy();
  }
}
