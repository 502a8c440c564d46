import { HOUR_MS } from '../../almaty.ts';

/** Consecutive hours that are counted in one statement, as the edges between them. */
export type HourSpan = readonly Date[];

/**
 * Receipts go on coming in for two days; after that the counts of an hour are final. Before, an hour
 * is counted again when it has grown older by a quarter, so what is shown of it lags by that much at
 * most, and no hour is counted more than some twenty times.
 */
const FINAL_MS = 48 * HOUR_MS;
const LAG_SHARE = 0.25;
/** A day of a busy company is read in some 60 ms. */
const HOURS_PER_STATEMENT = 24;

/** Since this hour nothing is stored: it, and the one after it, are counted whenever they are read. */
export function liveSince(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - HOUR_MS);
}

/** The hours before the live ones whose stored counts are missing or too old. */
export function staleHours(
  countedAt: ReadonlyMap<number, Date>,
  span: { from: Date; now: Date },
): HourSpan[] {
  const spans: Date[][] = [];
  const firstMs = Math.floor(span.from.getTime() / HOUR_MS) * HOUR_MS;
  for (let ms = firstMs; ms < liveSince(span.now).getTime(); ms += HOUR_MS) {
    if (isFresh(ms + HOUR_MS, countedAt.get(ms), span.now)) continue;
    const last = spans.at(-1);
    const isNext = last?.at(-1)?.getTime() === ms && last.length <= HOURS_PER_STATEMENT;
    if (isNext) last.push(new Date(ms + HOUR_MS));
    else spans.push([new Date(ms), new Date(ms + HOUR_MS)]);
  }
  return spans;
}

function isFresh(endMs: number, countedAt: Date | undefined, now: Date): boolean {
  if (countedAt === undefined) return false;
  const ageThen = countedAt.getTime() - endMs;
  return ageThen >= FINAL_MS || now.getTime() - endMs <= ageThen * (1 + LAG_SHARE);
}
