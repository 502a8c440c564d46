import { fromAlmatyInput, toAlmatyInput } from './almaty-input.ts';

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const DAY_MS = 86_400_000;

/** The day in Almaty at an instant, in the format of date inputs: `2026-11-14`. */
export function dayOf(at: string | number): string {
  return toAlmatyInput(at).slice(0, DAY_LENGTH);
}

/** The day this many days later, or earlier when negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, DAY_LENGTH);
}

/** The instant at which a day begins in Almaty; undefined for an invalid day. */
export function startOfDay(day: string): string | undefined {
  return fromAlmatyInput(`${day}T00:00`);
}
