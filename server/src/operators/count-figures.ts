import { prefixOf } from '../abuse/number-prefix.ts';
import { almatyDay, almatyTime, HOUR_MS } from '../almaty.ts';
import type { Context } from '../context.ts';
import type { Maintenance } from '../db/database.ts';
import { lowestIdAt } from '../ids.ts';
import type { Phone } from '../phone.ts';
import {
  type CountedFigure,
  countCarried,
  countMessages,
  type Figure,
  listCountedDays,
  listCustomers,
  replaceFigures,
} from './figure-store.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

export const FIGURE_DAYS = 90;
/** Receipts and fallbacks change a day for so long after its end. */
const FINAL_AFTER_MS = 72 * HOUR_MS;

/**
 * Counts the days of the figures that are new or may have changed, the newest first, until the
 * signal; the next run goes on. It reads messages along the primary key of each company and locks
 * none of them. Returns the number of days.
 */
export async function countFigures({ db, clock }: Ctx, signal: AbortSignal): Promise<number> {
  const now = clock.now();
  const days = Array.from({ length: FIGURE_DAYS }, (_, back) => almatyDay(now, -back));
  const counted = await listCountedDays(db, dayText(days.at(-1) as Date));
  const countedAt = new Map(counted.map((one) => [one.day, one.countedAt]));
  let count = 0;
  await db.maintain(async (maintenance) => {
    for (const day of days) {
      if (isFinal(day, countedAt.get(dayText(day)))) continue;
      if (signal.aborted || !(await countDay(maintenance, { day, now: clock.now(), signal })))
        break;
      count += 1;
    }
  });
  return count;
}

/** `2026-11-15` of its midnight in Almaty. */
export function dayText(midnight: Date): string {
  return almatyTime(midnight).slice(0, 10);
}

function isFinal(day: Date, countedAt: Date | undefined): boolean {
  return (
    countedAt !== undefined && countedAt.getTime() >= almatyDay(day, 1).getTime() + FINAL_AFTER_MS
  );
}

/** False when the signal came first: a day is stored as a whole. */
async function countDay(
  db: Maintenance,
  { day, now, signal }: { day: Date; now: Date; signal: AbortSignal },
): Promise<boolean> {
  const from = lowestIdAt(day.getTime());
  const to = lowestIdAt(almatyDay(day, 1).getTime());
  const sums = new Map<string, Figure>();
  for (const { id: companyId } of await listCustomers(db)) {
    if (signal.aborted) return false;
    const range = { companyId, from, to };
    for (const row of await countMessages(db, range)) addTo(sums, row);
    for (const row of await countCarried(db, range)) addTo(sums, { ...NOTHING, ...row });
  }
  const figures = [...sums.values()];
  await db.transaction((tx) => replaceFigures(tx, { day: dayText(day), countedAt: now, figures }));
  return true;
}

const NOTHING = { sends: 0, delivered: 0, failed: 0, charged: 0 };

function addTo(sums: Map<string, Figure>, { start, ...row }: CountedFigure): void {
  const prefix = start === '' ? '' : prefixOf(start as Phone);
  const name = [row.item, row.provider, prefix].join(' ');
  const before = sums.get(name);
  sums.set(name, {
    ...row,
    prefix,
    sends: row.sends + (before?.sends ?? 0),
    delivered: row.delivered + (before?.delivered ?? 0),
    failed: row.failed + (before?.failed ?? 0),
    charged: row.charged + (before?.charged ?? 0),
    carried: row.carried + (before?.carried ?? 0),
  });
}
