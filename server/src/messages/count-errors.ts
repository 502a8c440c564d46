import { type Outcome, outcomeOf } from '@zhiber/contract/cabinet/request-words.ts';
import type { CallSum } from './usage-store.ts';

type ErrorCount = { error_code: string; count: number };

/** Refusals by their code, the most frequent first. Codes that people typed wrong are none. */
export function countErrors(calls: readonly CallSum[]): ErrorCount[] {
  return countCodes(calls.filter((call) => outcomeOf(call) !== 'wrong_code'));
}

export function countWrongCodes(calls: readonly CallSum[]): ErrorCount[] {
  return countCodes(calls.filter((call) => outcomeOf(call) === 'wrong_code'));
}

function countCodes(calls: readonly CallSum[]): ErrorCount[] {
  const counts = new Map<string, number>();
  for (const { error_code, calls: count } of calls) {
    if (error_code !== null) counts.set(error_code, (counts.get(error_code) ?? 0) + count);
  }
  return [...counts]
    .map(([error_code, count]) => ({ error_code, count }))
    .sort((a, b) => b.count - a.count || a.error_code.localeCompare(b.error_code));
}

/** Counts the calls that ended in one of the ways, for each bucket. */
export function countByBucket(
  calls: readonly CallSum[],
  buckets: number,
  outcomes: readonly Outcome[],
): number[] {
  const counts = new Array<number>(buckets).fill(0);
  for (const call of calls) {
    if (!outcomes.includes(outcomeOf(call))) continue;
    counts[call.bucket] = (counts[call.bucket] ?? 0) + call.calls;
  }
  return counts;
}
