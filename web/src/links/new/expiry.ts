import { addDays, startOfDay } from '../../design/format/almaty-day.ts';

export const EXPIRIES = ['never', '7d', '30d', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_SECONDS = 86_400;
const SPANS = { '7d': 7 * DAY_SECONDS, '30d': 30 * DAY_SECONDS } as const;

/** The lifetime of a new link in seconds; undefined for no expiry. A day counts to its end. */
export function expirySeconds(
  { expiry, day }: { expiry: Expiry; day: string | undefined },
  now: number,
): number | undefined {
  if (expiry === 'never') return undefined;
  if (expiry !== 'date') return SPANS[expiry];
  const end = day === undefined ? undefined : startOfDay(day) && startOfDay(addDays(day, 1));
  return end === undefined ? undefined : Math.floor((Date.parse(end) - now) / 1_000);
}
