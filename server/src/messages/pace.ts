import { HOUR_MS } from '../almaty.ts';
import type { Usage } from './open-usage.ts';
import type { UsageSum } from './usage-store.ts';

export const PACE_DAYS = 7;

/** The usage of the last seven times 24 hours, in a bucket for each. */
export async function readPace(usage: Usage, now: Date): Promise<UsageSum[]> {
  const edges = Array.from({ length: PACE_DAYS + 1 }, (_, i) =>
    hoursAgo(now, (PACE_DAYS - i) * 24),
  );
  return await usage.sends({ edges });
}

/** How many days an amount lasts at that pace; null when nothing was spent. */
export function daysLeft(available: number, pace: readonly UsageSum[]): number | null {
  const spent = total(pace, 'charged');
  return spent === 0 ? null : Math.round((available * PACE_DAYS * 10) / spent) / 10;
}

/** The end of the current hour, minus the given hours. */
export function hoursAgo(now: Date, hours: number): Date {
  return new Date((Math.floor(now.getTime() / HOUR_MS) + 1 - hours) * HOUR_MS);
}

export function total(
  sums: readonly UsageSum[],
  field: 'sends' | 'confirmed' | 'failed' | 'charged',
): number {
  return sums.reduce((sum, row) => sum + row[field], 0);
}
