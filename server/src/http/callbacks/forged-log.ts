import type { Context } from '../../context.ts';
import { atMostEachMinute } from '../../runtime/each-minute.ts';

/** Logs one line per minute, with the number of forged calls since the last. */
export function createForgedLog({ log }: Pick<Context, 'log'>, provider: string): () => void {
  return atMostEachMinute<void>((_, count) => {
    log.warn({ provider, count }, 'callbacks with an invalid signature');
  });
}
