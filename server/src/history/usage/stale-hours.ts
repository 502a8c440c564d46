import { HOUR_MS } from '../../almaty.ts';

/** Consecutive hours that are counted together, as the edges between them. */
export type HourSpan = readonly Date[];

/**
 * Receipts go on coming in for two days; after that the counts of an hour are final. Before, an hour
 * is counted again when it has grown older by a quarter, so what is shown of it lags by that much at
 * most, and no hour is counted more than some twenty times.
 */
const FINAL_MS = 48 * HOUR_MS;
const LAG_SHARE = 0.25;

/** Since this hour nothing is stored: it, and the one after it, are counted whenever they are read. */
export function liveSince(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - HOUR_MS);
}

/** The hours before the live ones whose stored counts are missing or too old, oldest first. */
export function staleHours(
  countedAt: ReadonlyMap<number, Date>,
  span: { from: Date; now: Date },
): Date[] {
  const hours: Date[] = [];
  const firstMs = Math.floor(span.from.getTime() / HOUR_MS) * HOUR_MS;
  for (let ms = firstMs; ms < liveSince(span.now).getTime(); ms += HOUR_MS) {
    if (!isFresh(ms + HOUR_MS, countedAt.get(ms), span.now)) hours.push(new Date(ms));
  }
  return hours;
}

/** The last of some hours, with those right before it that begin after an instant. */
export function newestSpan(hours: readonly Date[], after?: Date | undefined): HourSpan {
  const end = hours.at(-1) as Date;
  const span = [end, new Date(end.getTime() + HOUR_MS)];
  for (const hour of hours.slice(0, -1).reverse()) {
    const isNext = (span[0] as Date).getTime() - hour.getTime() === HOUR_MS;
    if (!isNext || (after !== undefined && hour <= after)) break;
    span.unshift(hour);
  }
  return span;
}

function isFresh(endMs: number, countedAt: Date | undefined, now: Date): boolean {
  if (countedAt === undefined) return false;
  const ageThen = countedAt.getTime() - endMs;
  return ageThen >= FINAL_MS || now.getTime() - endMs <= ageThen * (1 + LAG_SHARE);
}
