/**
 * Days and hours of Almaty. Zones come from the data of this Node by their name: the offset has
 * changed before, and the database may have other data.
 */
const ZONE = 'Asia/Almaty';
const DAY_MS = 24 * 3_600_000;
export const HOUR_MS = 3_600_000;

const parts = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** As a clock in Almaty shows it: `2026-11-15 20:01:48`. */
export function almatyTime(at: Date): string {
  const read = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${read.year}-${read.month}-${read.day} ${read.hour}:${read.minute}:${read.second}`;
}

/** Midnight in Almaty, so many days after the day of an instant, or before it. */
export function almatyDay(at: Date, days = 0): Date {
  const midnight = Date.parse(`${almatyTime(at).slice(0, 10)}T00:00:00Z`) + days * DAY_MS;
  // The offset is the one of that day; near a change of it the first guess is an hour off.
  const guess = midnight - offsetMs(new Date(midnight));
  return new Date(midnight - offsetMs(new Date(guess)));
}

/** How far the clocks of Almaty are ahead of UTC at an instant. */
function offsetMs(at: Date): number {
  const wholeSeconds = Math.floor(at.getTime() / 1000) * 1000;
  return Date.parse(`${almatyTime(at).replace(' ', 'T')}Z`) - wholeSeconds;
}

/** The midnights in Almaty from the day of one instant to the day of another. */
export function almatyDays(from: Date, to: Date): Date[] {
  const days = [almatyDay(from)];
  for (let day = almatyDay(from, 1); day <= to; day = almatyDay(from, days.length)) days.push(day);
  return days;
}

export type BucketRange = '24h' | '7d' | '30d';

/**
 * The edges of the columns of a chart, one more than there are columns: the last 24 hours, or the
 * last days, with the one that has begun.
 */
export function bucketEdges(range: BucketRange, now: Date): Date[] {
  if (range === '24h') {
    const end = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS;
    return Array.from({ length: 25 }, (_, i) => new Date(end - (24 - i) * HOUR_MS));
  }
  const days = range === '7d' ? 7 : 30;
  return Array.from({ length: days + 1 }, (_, i) => almatyDay(now, i + 1 - days));
}
