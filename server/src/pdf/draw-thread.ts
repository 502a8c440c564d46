/** The thread that draws: a sheet takes a tenth of a second of computing, and sends would wait. */
import { parentPort } from 'node:worker_threads';
import { drawSheet } from './draw-sheet.ts';
import type { Sheet } from './sheet.ts';

parentPort?.on('message', async ({ id, sheet }: { id: number; sheet: Sheet }) => {
  try {
    const bytes = Uint8Array.from(await drawSheet(sheet));
    parentPort?.postMessage({ id, bytes }, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ id, error: String((error as Error).stack) });
  }
});
