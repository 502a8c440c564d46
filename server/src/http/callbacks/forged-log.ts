import type { Context } from '../../context.ts';

/** So that forged calls cannot fill the log. */
const PAUSE_MS = 60_000;

/** Logs one line per minute, with the number of forged calls since the last. */
export function createForgedLog({ log }: Pick<Context, 'log'>, provider: string): () => void {
  let count = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return () => {
    count += 1;
    if (performance.now() - loggedAt < PAUSE_MS) return;
    log.warn({ provider, count }, 'callbacks with an invalid signature');
    loggedAt = performance.now();
    count = 0;
  };
}
