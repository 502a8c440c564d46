/**
 * Durations are counted in classes, so that the figures of a day are sums of its hours. The last
 * class has no limit; a call is cut off after ten seconds.
 */
export const DURATION_LIMITS_MS = [
  10, 20, 35, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500,
] as const;
export const DURATION_CLASSES = DURATION_LIMITS_MS.length + 1;
const LONGEST_MS = 10_000;

/** The class of a duration, counted from 1 as the database does. */
export function classOfDuration(ms: number): number {
  const place = DURATION_LIMITS_MS.findIndex((limit) => ms <= limit);
  return place < 0 ? DURATION_CLASSES : place + 1;
}

/** The duration that 95 of 100 calls did not exceed, as exactly as the classes tell; null without calls. */
export function p95Of(counts: readonly number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = total * 0.95;
  let passed = 0;
  for (const [i, count] of counts.entries()) {
    if (count > 0 && passed + count >= wanted) {
      const from = DURATION_LIMITS_MS[i - 1] ?? 0;
      const to = DURATION_LIMITS_MS[i] ?? LONGEST_MS;
      return Math.round(from + ((to - from) * (wanted - passed)) / count);
    }
    passed += count;
  }
  return LONGEST_MS;
}

export function addUp(lists: readonly (readonly number[])[]): number[] {
  return Array.from({ length: DURATION_CLASSES }, (_, i) =>
    lists.reduce((sum, list) => sum + (list[i] ?? 0), 0),
  );
}
