import type { CallSum } from './usage-store.ts';

/** Refusals by their code, the most frequent first. */
export function countErrors(calls: readonly CallSum[]): { error_code: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { error_code, calls: count } of calls) {
    if (error_code !== null) counts.set(error_code, (counts.get(error_code) ?? 0) + count);
  }
  return [...counts]
    .map(([error_code, count]) => ({ error_code, count }))
    .sort((a, b) => b.count - a.count || a.error_code.localeCompare(b.error_code));
}

/** Counts the calls with a status in a range, for each bucket. */
export function countByBucket(
  calls: readonly CallSum[],
  buckets: number,
  statuses: { from: number; below: number },
): number[] {
  const counts = new Array<number>(buckets).fill(0);
  for (const { bucket, status, calls: count } of calls) {
    if (status >= statuses.from && status < statuses.below) {
      counts[bucket] = (counts[bucket] ?? 0) + count;
    }
  }
  return counts;
}
