import { addDays, dayOf, startOfDay } from '../../design/format/almaty-day.ts';
import type { Range } from '../filters/range-filter.tsx';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

type Instants = { from: string | undefined; to: string | undefined };
type RangeName = NonNullable<Range['range']>;

/** Rounded to whole minutes or days, so that the query key stays the same and is cached. */
const PERIODS: Record<RangeName, (now: number, today: string) => Instants> = {
  hour: (now) => ({
    from: new Date(Math.floor(now / MINUTE_MS) * MINUTE_MS - HOUR_MS).toISOString(),
    to: undefined,
  }),
  today: (_now, today) => ({ from: startOfDay(today), to: undefined }),
  yesterday: (_now, today) => ({
    from: startOfDay(addDays(today, -1)),
    to: startOfDay(today),
  }),
  '7d': (_now, today) => ({ from: startOfDay(addDays(today, -6)), to: undefined }),
  '30d': (_now, today) => ({ from: startOfDay(addDays(today, -29)), to: undefined }),
  month: (_now, today) => ({ from: startOfDay(firstOfMonth(today)), to: undefined }),
  last_month: (_now, today) => ({
    from: startOfDay(firstOfMonth(addDays(firstOfMonth(today), -1))),
    to: startOfDay(firstOfMonth(today)),
  }),
};

function firstOfMonth(day: string): string {
  return `${day.slice(0, 'YYYY-MM'.length)}-01`;
}

/** The start and end of a range filter. */
export function instantsOf({ range, from, to }: Range, now: number): Instants {
  return range === undefined ? { from, to } : PERIODS[range](now, dayOf(now));
}
