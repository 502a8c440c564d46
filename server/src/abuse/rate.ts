/**
 * Requests per minute of one caller: a token bucket, kept in this process. It refills evenly, so a
 * caller at its limit is slowed down, not refused until the next minute.
 */
export type RateLimiter = {
  take(caller: string | number, perMinute: number): RateVerdict;
};
/** The wait is until the next request would be allowed: 0 while one is left. */
export type RateVerdict = { isAllowed: boolean; remaining: number; waitSeconds: number };

const CALLERS_MAX = 100_000;

export function createRateLimiter(nowMs: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string | number, { tokens: number; atMs: number }>();

  return {
    take(caller, perMinute) {
      const now = nowMs();
      const known = buckets.get(caller) ?? { tokens: perMinute, atMs: now };
      const refilled = known.tokens + ((now - known.atMs) * perMinute) / 60_000;
      const tokens = Math.min(refilled, perMinute);
      const isAllowed = tokens >= 1;
      if (buckets.size >= CALLERS_MAX) buckets.clear();
      const left = isAllowed ? tokens - 1 : tokens;
      buckets.set(caller, { tokens: left, atMs: now });
      return {
        isAllowed,
        remaining: Math.floor(left),
        waitSeconds: left >= 1 ? 0 : Math.ceil(((1 - left) * 60) / perMinute),
      };
    },
  };
}
