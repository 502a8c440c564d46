import { addDays, dayOf, startOfDay } from '../../design/format/almaty-day.ts';

/** The instant at which a key ends whose last whole day is this one; undefined for an invalid day. */
export function endOfDay(day: string): string | undefined {
  return startOfDay(day) === undefined ? undefined : startOfDay(addDays(day, 1));
}

/** The end of the day this many days from now. */
export function endInDays(days: number, now: number): string {
  return endOfDay(addDays(dayOf(now), days)) as string;
}

/** The last day on which a key that ends at an instant still works. */
export function lastDayOf(end: string): string {
  return dayOf(Date.parse(end) - 1);
}
