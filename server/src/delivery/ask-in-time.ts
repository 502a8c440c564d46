import { ATTEMPT_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import type { Context } from '../context.ts';

/** A provider that hangs or fails when asked knows nothing; it must not hold up the watch. */
export async function askInTime<T>(
  ctx: Pick<Context, 'log'>,
  ask: (signal: AbortSignal) => Promise<T | undefined> | undefined,
): Promise<T | undefined> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      late.abort();
      resolve(undefined);
    }, ATTEMPT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([ask(late.signal), tooLate]);
  } catch (error) {
    ctx.log.warn({ err: error }, 'a channel could not be asked for a status');
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
