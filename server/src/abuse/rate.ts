/**
 * Requests per minute of one caller: a token bucket, kept in this process. It refills evenly, so a
 * caller at its limit is slowed down, not refused until the next minute. Each of several nodes
 * grants its part of the limit.
 */
export type RateLimiter = {
  take(caller: string | number, perMinute: number): RateVerdict;
};
/** The wait is until the next request would be allowed: 0 while one is left. */
export type RateVerdict = { isAllowed: boolean; remaining: number; waitSeconds: number };

const CALLERS_MAX = 100_000;

export function createRateLimiter({
  nowMs = () => performance.now(),
  nodes = () => 1,
}: {
  nowMs?: () => number;
  /** How many nodes count together. */
  nodes?: () => number;
} = {}): RateLimiter {
  const buckets = new Map<string | number, { tokens: number; atMs: number }>();

  return {
    take(caller, perMinute) {
      const now = nowMs();
      const share = perMinute / nodes();
      // A bucket that holds no whole request would never grant one.
      const room = Math.max(1, share);
      const known = buckets.get(caller) ?? { tokens: room, atMs: now };
      const refilled = known.tokens + ((now - known.atMs) * share) / 60_000;
      const tokens = Math.min(refilled, room);
      const isAllowed = tokens >= 1;
      if (buckets.size >= CALLERS_MAX) buckets.clear();
      const left = isAllowed ? tokens - 1 : tokens;
      buckets.set(caller, { tokens: left, atMs: now });
      return {
        isAllowed,
        remaining: Math.floor(left),
        waitSeconds: left >= 1 ? 0 : Math.ceil(((1 - left) * 60) / share),
      };
    },
  };
}
