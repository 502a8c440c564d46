import { setTimeout as pause } from 'node:timers/promises';

/**
 * The one clock of the process. What decides about money and codes is the clock of the database,
 * not this one.
 */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** What is promised, or undefined when it does not come within the limit. */
export async function within<Value>(
  limitMs: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  const limit = new AbortController();
  const tooLate = pause(limitMs, undefined, { signal: limit.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    limit.abort();
  }
}
