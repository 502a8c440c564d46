import type { KeepDays } from '../config/config.ts';
import type { Maintenance } from '../db/database.ts';
import { addUpClicks } from '../links/clicks/click-store.ts';
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
} from './month-store.ts';
import { retryLocks } from './retry-locks.ts';
import { readPosition } from './upkeep-store.ts';

export type MonthlyTable = 'message' | 'click' | 'request_log';

/** 256 MB: a few seconds from a slow disk. */
const PAGES_PER_STATEMENT = 32_768;
const LINKS_PER_STATEMENT = 500;
const CLICKS_PER_STATEMENT = 50_000;

/** Removes the months of a table that are old enough, whole. Returns how many. */
export async function removeMonths(
  own: Maintenance,
  table: MonthlyTable,
  keepDays: KeepDays,
  signal: AbortSignal,
): Promise<number> {
  const { days, remove } = MONTHLY[table];
  let removed = 0;
  for (const month of await listOldMonths(own, table, days(keepDays))) {
    if (signal.aborted || !(await remove(own, month, signal))) break;
    removed += 1;
  }
  return removed;
}

type Monthly = {
  days(keepDays: KeepDays): number;
  /** False when the signal came first; what was done by then need not be done again. */
  remove(own: Maintenance, month: Month, signal: AbortSignal): Promise<boolean>;
};

const MONTHLY: Readonly<Record<MonthlyTable, Monthly>> = {
  message: { days: (keepDays) => keepDays.messages, remove: removeMessages },
  click: {
    days: (keepDays) => keepDays.clicks,
    async remove(own, month, signal) {
      return (await addUpMonth(own, month, signal)) && (await removeWhole(own, month));
    },
  },
  request_log: {
    days: (keepDays) => keepDays.requestLog,
    remove: removeWhole,
  },
};

async function removeWhole(own: Maintenance, month: Month): Promise<boolean> {
  await retryLocks(() => dropMonth(own, month));
  return true;
}

/** The ledger goes on matching the messages: what those of the month have cost is recorded with their removal. */
async function removeMessages(own: Maintenance, month: Month): Promise<boolean> {
  await retryLocks(() => closeMonth(own, month));
  const sums = await sumMonth(own, month);
  const open = sums.reduce((total, sum) => total + sum.open, 0);
  if (open > 0) {
    await retryLocks(() => reopenMonth(own, month));
    throw new Error(`${month.name}: ${open} messages are not settled`);
  }
  await retryLocks(() => own.transaction((tx) => dropMessages(tx, month, sums)));
  return true;
}

async function sumMonth(own: Maintenance, month: Month): Promise<MonthSum[]> {
  const { pages } = await readPosition(own, month.name);
  const parts: MonthSum[] = [];
  for (let from = 0; from < pages; from += PAGES_PER_STATEMENT) {
    parts.push(...(await sumMessages(own, month, { from, to: from + PAGES_PER_STATEMENT })));
  }
  return [...Map.groupBy(parts, ({ company_id }) => company_id)].map(([company_id, sums]) => {
    const total = (read: (sum: MonthSum) => number) => sums.reduce((so, sum) => so + read(sum), 0);
    return {
      company_id,
      messages: total((sum) => sum.messages),
      charged: total((sum) => sum.charged),
      open: total((sum) => sum.open),
    };
  });
}

/** The clicks of links are counted for ever; before single ones go, they are in the sums of their hours. */
async function addUpMonth(own: Maintenance, month: Month, signal: AbortSignal): Promise<boolean> {
  let after: ClickedLink | undefined;
  do {
    const links = await listClickedLinks(own, month, { after, rowsMax: LINKS_PER_STATEMENT });
    for (const { company_id, folded } of links.filter((link) => !link.is_added_up)) {
      const options = { folded, clicksMax: CLICKS_PER_STATEMENT };
      while (await addUpClicks(own, company_id, options));
      if (signal.aborted) return false;
    }
    after = links.at(-1);
  } while (after !== undefined);
  return true;
}
