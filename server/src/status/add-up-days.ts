import { COMPONENTS } from '@zhiber/contract/admin/incidents.ts';
import { almatyDay, almatyTime } from '../almaty.ts';
import type { Context } from '../context.ts';
import { addUpMinutes, type Span } from './component-state.ts';
import { readMinutes } from './read-minutes.ts';
import { findMaintenance, type StoredDay, saveDays } from './status-store.ts';

/** Before a day, so that its first minutes have those that they are judged with. */
const BEFORE_MS = 15 * 60_000;

/**
 * Adds up the minutes of today and of yesterday: an outage of the database is written down after it
 * has ended. Returns the number of days and components written.
 */
export async function addUpDays({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> {
  const now = clock.now();
  const days: StoredDay[] = [];
  for (const from of [almatyDay(now, -1), almatyDay(now)]) {
    const until = new Date(Math.min(almatyDay(from, 1).getTime(), floorMinute(now)));
    const minutes = await readMinutes(db, { from: new Date(from.getTime() - BEFORE_MS), until });
    const planned = await findMaintenance(db, { from, until });
    const span = toSpan({ from, until });
    for (const component of COMPONENTS) {
      const maintenance = planned
        .filter(({ components }) => components.includes(component))
        .map(toSpan);
      const sum = addUpMinutes(component, minutes.get(component) ?? new Map(), {
        span,
        maintenance,
      });
      if (sum.measured + sum.maintenance === 0) continue;
      days.push({ day: almatyTime(from).slice(0, 10), component, ...sum });
    }
  }
  if (days.length > 0) await saveDays(db, days);
  return days.length;
}

function toSpan({ from, until }: { from: Date; until: Date }): Span {
  return { fromMs: from.getTime(), untilMs: until.getTime() };
}

/** The minute under way is not over. */
function floorMinute(at: Date): number {
  return Math.floor(at.getTime() / 60_000) * 60_000;
}
