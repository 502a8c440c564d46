import { addDays, startOfDay } from '../format/almaty-day.ts';

export const PERIODS = ['today', '7d', '30d', 'dates'] as const;
export type Period = (typeof PERIODS)[number];

const DAYS_BACK = { today: 0, '7d': 6, '30d': 29 } as const;

export type PeriodFilter = {
  period: Period | undefined;
  /** Days of Almaty, both of them within the period. */
  from: string | undefined;
  to: string | undefined;
};

/** The instants between which the records lie. Whole days, so that the question stays the same. */
export function instantsOf(
  { period, from, to }: PeriodFilter,
  today: string,
): { from: string | undefined; to: string | undefined } {
  if (period === undefined) return { from: undefined, to: undefined };
  if (period !== 'dates') {
    return { from: startOfDay(addDays(today, -DAYS_BACK[period])), to: undefined };
  }
  const begin = from === undefined ? undefined : startOfDay(from);
  const lastDay = to === undefined ? undefined : startOfDay(to);
  return {
    from: begin,
    to: lastDay === undefined || to === undefined ? undefined : startOfDay(addDays(to, 1)),
  };
}
