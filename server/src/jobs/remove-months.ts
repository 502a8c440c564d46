import type { KeepDays } from '../config/config.ts';
import type { Maintenance } from '../db/database.ts';
import { archiveMonth } from '../installation/archive/archive-month.ts';
import type { ArchivePlace } from '../installation/archive/archive-place.ts';
import { listParts } from '../installation/archive/archive-store.ts';
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

/**
 * Drops the monthly partitions of a table that are old enough, each when it is in the archive, if there
 * is one. Returns how many.
 */
export async function removeMonths(
  db: Maintenance,
  table: MonthlyTable,
  { keepDays, archive }: { keepDays: KeepDays; archive: ArchivePlace | undefined },
  signal: AbortSignal,
): Promise<number> {
  const { days, tables = [table], prepare, drop } = MONTHLY[table];
  let removed = 0;
  for (const month of await listOldMonths(db, table, days(keepDays))) {
    if (signal.aborted) break;
    const prepared = await prepare(db, month, signal);
    if (prepared === undefined) break;
    if (archive !== undefined) {
      for (const part of await listParts(db, tables, month.month)) {
        // No row may come after it was written.
        await retryLocks(() => closeMonth(db, { ...month, name: part.name }));
        if (!(await archiveMonth(db, archive, part, signal))) return removed;
      }
    }
    await retryLocks(() => drop(db, month, prepared));
    removed += 1;
  }
  return removed;
}

type Monthly = {
  days(keepDays: KeepDays): number;
  /** Those whose months go together; the table alone when not given. */
  tables?: readonly string[];
  /** What is kept of the month for ever. Undefined when the signal came first. */
  prepare(db: Maintenance, month: Month, signal: AbortSignal): Promise<MonthSum[] | undefined>;
  drop(db: Maintenance, month: Month, sums: readonly MonthSum[]): Promise<void>;
};

const MONTHLY: Readonly<Record<MonthlyTable, Monthly>> = {
  message: {
    days: (keepDays) => keepDays.messages,
    tables: ['message', 'attempt', 'sms_attempt'],
    prepare: sumClosedMonth,
    // The ledger must go on matching the messages, so the cost of the month is recorded in the
    // transaction that removes it.
    drop: (db, month, sums) => db.transaction((tx) => dropMessages(tx, month, sums)),
  },
  click: {
    days: (keepDays) => keepDays.clicks,
    prepare: async (db, month, signal) => ((await addUpMonth(db, month, signal)) ? [] : undefined),
    drop: dropMonth,
  },
  request_log: {
    days: (keepDays) => keepDays.requestLog,
    prepare: async () => [],
    drop: dropMonth,
  },
};

/** Closes the month to changes, and adds up what it cost. */
async function sumClosedMonth(db: Maintenance, month: Month): Promise<MonthSum[]> {
  await retryLocks(() => closeMonth(db, month));
  const sums = await sumMonth(db, month);
  const open = sums.reduce((total, sum) => total + sum.open, 0);
  if (open > 0) {
    await retryLocks(() => reopenMonth(db, month));
    throw new Error(`${month.name}: ${open} messages are not settled`);
  }
  return sums;
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
