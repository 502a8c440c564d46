import type { Context } from '../context.ts';
import type { Maintenance } from '../db/database.ts';
import { openArchive } from '../installation/archive/open-archive.ts';
import {
  type ByAge,
  type ByPage,
  outdatedRows,
  ROWS_PER_STATEMENT,
  readPosition,
  removeOldest,
  removeOnPages,
  savePosition,
} from '../installation/upkeep-store.ts';
import { type MonthlyTable, removeMonths } from './remove-months.ts';

const MONTHLY_TABLES: readonly MonthlyTable[] = ['message', 'click', 'request_log'];

/** About as many rows as one statement removes by age. */
const PAGES_PER_STATEMENT = 64;
/** Half a gigabyte, about five million recipients. */
const PAGES_PER_RUN = 65_536;

type Part = { table: string; remove(db: Maintenance): Promise<number> };

/**
 * Removes outdated rows and months in small steps until the signal. A table that fails is logged
 * and the others go on; then the job as a whole fails, so that it is retried. Returns the number of
 * rows, or months, removed per table.
 */
export async function removeOutdated(
  ctx: Pick<Context, 'db' | 'config' | 'log'>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const { keepDays } = ctx.config;
  const archive = ctx.config.archive && openArchive(ctx.config.archive);
  const parts: Part[] = [
    ...outdatedRows(keepDays).map((rule) => ({
      table: rule.table,
      remove: (db: Maintenance) =>
        'column' in rule ? removeByAge(db, rule, signal) : removeByPage(db, rule, signal),
    })),
    ...MONTHLY_TABLES.map((table) => ({
      table,
      remove: (db: Maintenance) => removeMonths(db, table, { keepDays, archive }, signal),
    })),
  ];
  const removed: Record<string, number> = {};
  const failed: string[] = [];
  await ctx.db.maintain(async (db) => {
    for (const { table, remove } of parts) {
      if (signal.aborted) break;
      try {
        removed[table] = await remove(db);
      } catch (error) {
        ctx.log.warn({ err: error, table }, 'outdated rows were not removed');
        failed.push(table);
      }
    }
  });
  if (failed.length > 0) throw new Error(`outdated rows were left in ${failed.join(', ')}`);
  return removed;
}

async function removeByAge(db: Maintenance, rule: ByAge, signal: AbortSignal): Promise<number> {
  let total = 0;
  let from: Date | '-infinity' = '-infinity';
  while (!signal.aborted) {
    const { removed, reached } = await removeOldest(db, rule, from);
    total += removed;
    if (removed < ROWS_PER_STATEMENT) break;
    from = reached ?? from;
  }
  return total;
}

/** Continues where the last run ended, and wraps round to the first page. */
async function removeByPage(db: Maintenance, rule: ByPage, signal: AbortSignal): Promise<number> {
  const { pages, next_page } = await readPosition(db, rule.table);
  let page = next_page < pages ? next_page : 0;
  let removed = 0;
  for (let left = Math.min(pages, PAGES_PER_RUN); left > 0 && !signal.aborted; ) {
    const to = Math.min(page + PAGES_PER_STATEMENT, page + left, pages);
    removed += await removeOnPages(db, rule, { from: page, to });
    left -= to - page;
    page = to === pages ? 0 : to;
  }
  await savePosition(db, rule.table, page);
  return removed;
}
