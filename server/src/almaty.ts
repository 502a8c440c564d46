/**
 * Days and hours in Almaty time. The zone is looked up by name in the data of this Node: the offset
 * has changed before, and the database may have other data.
 */
const ZONE = 'Asia/Almaty';
const DAY_MS = 24 * 3_600_000;
export const HOUR_MS = 3_600_000;

/** Sweden writes times as ISO does. Putting them together from their parts takes three times as long. */
const iso = new Intl.DateTimeFormat('sv-SE', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The local time in Almaty: `2026-11-15 20:01:48`. */
export function almatyTime(at: Date): string {
  return iso.format(at);
}

/** Midnight in Almaty, so many days after the day of an instant, or before it when negative. */
export function almatyDay(at: Date, days = 0): Date {
  const midnight = Date.parse(`${almatyTime(at).slice(0, 10)}T00:00:00Z`) + days * DAY_MS;
  // The offset of that day applies; near a change of it the first guess is an hour off.
  const guess = midnight - offsetMs(new Date(midnight));
  return new Date(midnight - offsetMs(new Date(guess)));
}

/** The instant of a local time in Almaty, `2026-11-15 20:01:48`; undefined when there is no such time. */
export function fromAlmatyTime(local: string): Date | undefined {
  const asUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  // The offset of that time applies; near a change of it the first guess is an hour off.
  const guess = asUtc - offsetMs(new Date(asUtc));
  const instant = new Date(asUtc - offsetMs(new Date(guess)));
  return almatyTime(instant) === local ? instant : undefined;
}

/** The first midnight of a month in Almaty, so many months after that of an instant. */
export function almatyMonth(at: Date, months = 0): Date {
  const [year, month] = almatyTime(at).split('-').map(Number) as [number, number];
  // 06:00 UTC is the same day in Almaty, whatever its offset was.
  return almatyDay(new Date(Date.UTC(year, month - 1 + months, 1, 6)));
}

/** The offset of Almaty from UTC at an instant. */
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
 * The edges of the buckets of a chart, one more than there are buckets: the last 24 hours, or the
 * last days, including the current one.
 */
export function bucketEdges(range: BucketRange, now: Date): Date[] {
  if (range === '24h') {
    const end = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS + HOUR_MS;
    return Array.from({ length: 25 }, (_, i) => new Date(end - (24 - i) * HOUR_MS));
  }
  return dayEdges(range === '7d' ? 7 : 30, now);
}

/** The edges of the last days in Almaty, including the current one. */
export function dayEdges(days: number, now: Date): Date[] {
  return Array.from({ length: days + 1 }, (_, i) => almatyDay(now, i + 1 - days));
}
