import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import type { SheetRow } from './sheet-row.ts';
import type { XlsxAnswer, XlsxRequest } from './xlsx-thread.ts';

/** A workbook is held whole while it comes, and a client may take minutes to send it. */
export const UPLOADS_AT_ONCE = { all: 10, each: 3 };
/** Each may take half a gigabyte of memory for some seconds. */
export const WORKBOOKS_AT_ONCE = 2;
const WAIT_MS_MAX = 20_000;
/** Ten times what the largest workbook takes. */
const READ_MS_MAX = 60_000;
const THREAD_MEMORY_MB = 768;

const PROBLEMS_OF = {
  broken: 'file_unreadable',
  large: 'file_too_large',
  wide: 'too_many_columns',
} as const;

/** The rows of the first sheet of a workbook, read in a thread of its own. */
export async function* readXlsx(
  { workbooks }: Pick<Context, 'workbooks'>,
  bytes: Buffer,
): AsyncGenerator<SheetRow> {
  const release = await workbooks.acquire({ waitMsMax: WAIT_MS_MAX });
  if (release === undefined) throw new Problem('service_unavailable', { retry_after: 5 });
  // The thread gets the memory itself, not a copy.
  const own = Uint8Array.from(bytes);
  const worker = new Worker(new URL('./xlsx-thread.ts', import.meta.url), {
    workerData: { bytes: own } satisfies XlsxRequest,
    transferList: [own.buffer],
    resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
  });
  try {
    let number = 0;
    for (let isLast = false; !isLast; ) {
      const answer = await ask(worker);
      if ('fault' in answer) {
        throw new Problem(PROBLEMS_OF[answer.fault]);
      }
      for (const cells of answer.rows) yield { number: ++number, cells };
      isLast = answer.isLast;
    }
  } finally {
    await worker.terminate();
    release();
  }
}

/** The next part. A thread that dies of its memory limit or hangs has met a file that is too large. */
async function ask(worker: Worker): Promise<XlsxAnswer> {
  const end = new AbortController();
  const deadline = setTimeout(() => end.abort(), READ_MS_MAX);
  const options = { signal: end.signal };
  try {
    worker.postMessage('next');
    const [answer] = await Promise.race([
      once(worker, 'message', options),
      once(worker, 'exit', options).then(() => [{ fault: 'large' }]),
    ]);
    return answer as XlsxAnswer;
  } catch (error) {
    const isKnown = end.signal.aborted || isOutOfMemory(error);
    if (isKnown) return { fault: 'large' };
    throw error;
  } finally {
    clearTimeout(deadline);
    end.abort();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
