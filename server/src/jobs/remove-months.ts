import type { KeepDays } from '../config/config.ts';
import type { Maintenance } from '../db/database.ts';
import {
  type ClickedLink,
  closeMonth,
  dropMessages,
  dropMonth,
  listClickedLinks,
  listOldMonths,
  type Month,
  type MonthSum,
  reopenMonth,
  sumMessages,
} from '../installation/month-store.ts';
import { readPosition } from '../installation/upkeep-store.ts';
import { addUpClicks } from '../links/click-store.ts';
import { retryLocks } from './retry-locks.ts';

export type MonthlyTable = 'message' | 'click' | 'request_log';

/** 256 MB: a few seconds from a slow disk. */
const PAGES_PER_STATEMENT = 32_768;
const LINKS_PER_STATEMENT = 500;
const CLICKS_PER_STATEMENT = 50_000;

/** Drops the monthly partitions of a table that are old enough. Returns how many. */
export async function removeMonths(
  db: Maintenance,
  table: MonthlyTable,
  keepDays: KeepDays,
  signal: AbortSignal,
): Promise<number> {
  const { days, remove } = MONTHLY[table];
  let removed = 0;
  for (const month of await listOldMonths(db, table, days(keepDays))) {
    if (signal.aborted || !(await remove(db, month, signal))) break;
    removed += 1;
  }
  return removed;
}

type Monthly = {
  days(keepDays: KeepDays): number;
  /** False when the signal came first; what was done by then is kept. */
  remove(db: Maintenance, month: Month, signal: AbortSignal): Promise<boolean>;
};

const MONTHLY: Readonly<Record<MonthlyTable, Monthly>> = {
  message: { days: (keepDays) => keepDays.messages, remove: removeMessages },
  click: {
    days: (keepDays) => keepDays.clicks,
    async remove(db, month, signal) {
      return (await addUpMonth(db, month, signal)) && (await removeWhole(db, month));
    },
  },
  request_log: {
    days: (keepDays) => keepDays.requestLog,
    remove: removeWhole,
  },
};

async function removeWhole(db: Maintenance, month: Month): Promise<boolean> {
  await retryLocks(() => dropMonth(db, month));
  return true;
}

/**
 * The ledger must go on matching the messages, so the cost of the month is recorded in the
 * transaction that removes it.
 */
async function removeMessages(db: Maintenance, month: Month): Promise<boolean> {
  await retryLocks(() => closeMonth(db, month));
  const sums = await sumMonth(db, month);
  const open = sums.reduce((total, sum) => total + sum.open, 0);
  if (open > 0) {
    await retryLocks(() => reopenMonth(db, month));
    throw new Error(`${month.name}: ${open} messages are not settled`);
  }
  await retryLocks(() => db.transaction((tx) => dropMessages(tx, month, sums)));
  return true;
}

async function sumMonth(db: Maintenance, month: Month): Promise<MonthSum[]> {
  const { pages } = await readPosition(db, month.name);
  const parts: MonthSum[] = [];
  for (let from = 0; from < pages; from += PAGES_PER_STATEMENT) {
    parts.push(...(await sumMessages(db, month, { from, to: from + PAGES_PER_STATEMENT })));
  }
  return [...Map.groupBy(parts, ({ company_id }) => company_id)].map(([company_id, sums]) => {
    const total = (get: (sum: MonthSum) => number) => sums.reduce((all, sum) => all + get(sum), 0);
    return {
      company_id,
      messages: total((sum) => sum.messages),
      charged: total((sum) => sum.charged),
      open: total((sum) => sum.open),
    };
  });
}

/**
 * Clicks are counted for ever: before single ones are removed, they are added to the sums of their
 * hours.
 */
async function addUpMonth(db: Maintenance, month: Month, signal: AbortSignal): Promise<boolean> {
  let after: ClickedLink | undefined;
  do {
    const links = await listClickedLinks(db, month, { after, rowsMax: LINKS_PER_STATEMENT });
    for (const { company_id, slug_key } of links.filter((link) => !link.is_added_up)) {
      const options = { slugKey: slug_key, clicksMax: CLICKS_PER_STATEMENT };
      while (await addUpClicks(db, company_id, options));
      if (signal.aborted) return false;
    }
    after = links.at(-1);
  } while (after !== undefined);
  return true;
}
