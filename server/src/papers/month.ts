import { almatyDay, almatyTime } from '../almaty.ts';

/** A month of Almaty time: `2026-11`. */
export type Month = string & { readonly brand: 'Month' };

export function monthOf(at: Date): Month {
  return almatyTime(at).slice(0, 7) as Month;
}

/** From its first instant to the first of the next month. */
export function rangeOf(month: Month): { from: Date; to: Date } {
  return { from: firstInstant(month), to: firstInstant(nextMonth(month)) };
}

export function nextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const next = number === 12 ? [year + 1, 1] : [year, number + 1];
  return `${next[0]}-${String(next[1]).padStart(2, '0')}` as Month;
}

/** The months from one instant to another, the newest first. */
export function monthsBetween(from: Date, to: Date): Month[] {
  const months: Month[] = [];
  for (let month = monthOf(from); month <= monthOf(to); month = nextMonth(month)) {
    months.unshift(month);
  }
  return months;
}

function firstInstant(month: Month): Date {
  return almatyDay(new Date(`${month}-01T12:00:00Z`));
}
