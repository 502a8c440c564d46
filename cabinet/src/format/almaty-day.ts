import { type Instant, TIME_ZONE } from './format.ts';

const inAlmaty = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE });
const zoneName = new Intl.DateTimeFormat('en', { timeZone: TIME_ZONE, timeZoneName: 'longOffset' });
const DAY_MS = 86_400_000;

/** The day that it is in Almaty at an instant, as fields for dates write it: `2026-11-14`. */
export function dayOf(at: Instant): string {
  return inAlmaty.format(new Date(at));
}

/** The day so many days later, or earlier. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The instant at which a day begins in Almaty; undefined for what is no day. */
export function startOfDay(day: string): string | undefined {
  const midnightUtc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnightUtc)) return undefined;
  // The zone has moved once, so each day is asked for its own offset.
  const parts = zoneName.formatToParts(midnightUtc);
  const offset = /[+-]\d\d:\d\d/.exec(
    parts.find(({ type }) => type === 'timeZoneName')?.value ?? '',
  );
  return new Date(`${day}T00:00:00${offset?.[0] ?? 'Z'}`).toISOString();
}
