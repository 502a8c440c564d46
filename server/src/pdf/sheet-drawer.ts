import { Worker } from 'node:worker_threads';
import { Problem } from '../problem.ts';
import { createSemaphore } from '../runtime/semaphore.ts';
import type { Sheet } from './sheet.ts';

export type SheetDrawer = {
  /** The PDF of a sheet. When too many wait, throws `service_unavailable`. */
  draw(sheet: Sheet): Promise<Buffer>;
};

type Answer = { id: number; bytes?: Uint8Array; error?: string };

/** The thread has one processor; more at once would only wait inside it. */
const AT_ONCE = 2;
const WAIT_MS_MAX = 10_000;
/** A hundred times what a sheet takes. */
const DRAW_MS_MAX = 20_000;
/** The fonts and the library stay in memory for this long after the last sheet. */
const IDLE_MS = 60_000;

/**
 * Draws sheets in a thread of its own, which starts with the first sheet and ends when it is idle. If
 * it dies or hangs, its sheets fail, and the next one starts another.
 */
export function createSheetDrawer(): SheetDrawer {
  const semaphore = createSemaphore(AT_ONCE);
  const waiting = new Map<number, PromiseWithResolvers<Buffer>>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = () => {
    const started = new Worker(new URL('./draw-thread.ts', import.meta.url));
    // An idle thread must not keep the server from exiting.
    started.unref();
    started.on('message', ({ id, bytes, error }: Answer) => {
      if (bytes !== undefined) waiting.get(id)?.resolve(Buffer.from(bytes.buffer));
      else waiting.get(id)?.reject(new Error(`a sheet was not drawn: ${error}`));
    });
    const fail = (error: Error) => {
      if (worker === started) end(error);
    };
    started.on('error', fail);
    started.on('exit', () => fail(new Error('the thread that draws sheets has ended')));
    return started;
  };
  const end = (reason: Error) => {
    const ended = worker;
    worker = undefined;
    ended?.terminate().catch(() => undefined);
    for (const pending of waiting.values()) pending.reject(reason);
  };

  return {
    async draw(sheet) {
      const release = await semaphore.acquire({ waitMsMax: WAIT_MS_MAX });
      if (release === undefined) throw new Problem('service_unavailable', { retry_after: 5 });
      clearTimeout(idle);
      const id = ++lastId;
      const pending = Promise.withResolvers<Buffer>();
      waiting.set(id, pending);
      worker ??= start();
      worker.ref();
      const deadline = setTimeout(
        () => end(new Problem('service_unavailable', { retry_after: 5 })),
        DRAW_MS_MAX,
      );
      try {
        worker.postMessage({ id, sheet });
        return await pending.promise;
      } finally {
        clearTimeout(deadline);
        waiting.delete(id);
        release();
        if (waiting.size === 0) {
          worker?.unref();
          idle = setTimeout(() => end(new Error('idle')), IDLE_MS).unref();
        }
      }
    },
  };
}
