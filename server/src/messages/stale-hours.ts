import { HOUR_MS } from '../almaty.ts';

/** Consecutive hours that are counted together, given by their edges. */
export type HourSpan = readonly Date[];

/**
 * Receipts arrive for up to two days; after that the counts of an hour are final. Until then an
 * hour is counted again when its age has grown by a quarter, so its figures lag by that much at
 * most, and no hour is counted more than some twenty times.
 */
const FINAL_MS = 48 * HOUR_MS;
const LAG_SHARE = 0.25;

/** The first hour that is not stored. It and the hour after it are counted on every read. */
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

/** The last of some hours, with the consecutive ones before it that begin after an instant. */
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
