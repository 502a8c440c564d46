import type { Context } from '../context.ts';
import type { Maintenance } from '../db/database.ts';
import { type MonthlyTable, removeMonths } from './remove-months.ts';
import {
  type ByAge,
  type ByPage,
  outdatedRows,
  ROWS_PER_STATEMENT,
  readPosition,
  removeOldest,
  removeOnPages,
  savePosition,
} from './upkeep-store.ts';

const MONTHLY_TABLES: readonly MonthlyTable[] = ['message', 'click', 'request_log'];

/** About as many rows as one statement removes by age. */
const PAGES_PER_STATEMENT = 64;
/** Half a gigabyte, some five million recipients, in each run. */
const PAGES_PER_RUN = 65_536;

type Part = { table: string; remove(own: Maintenance): Promise<number> };

/**
 * Removes what has no use any more, in small steps until the signal. A table that fails is logged and
 * the others go on; then the whole fails, so that it is tried again. Returns how many rows of each
 * table, or months, are gone.
 */
export async function removeOutdated(
  ctx: Pick<Context, 'db' | 'config' | 'log'>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const { keepDays } = ctx.config;
  const parts: Part[] = [
    ...outdatedRows(keepDays).map((rule) => ({
      table: rule.table,
      remove: (own: Maintenance) =>
        'column' in rule ? removeByAge(own, rule, signal) : removeByPage(own, rule, signal),
    })),
    ...MONTHLY_TABLES.map((table) => ({
      table,
      remove: (own: Maintenance) => removeMonths(own, table, keepDays, signal),
    })),
  ];
  const removed: Record<string, number> = {};
  const failed: string[] = [];
  await ctx.db.maintain(async (own) => {
    for (const { table, remove } of parts) {
      if (signal.aborted) break;
      try {
        removed[table] = await remove(own);
      } catch (error) {
        ctx.log.warn({ err: error, table }, 'what is outdated was not removed');
        failed.push(table);
      }
    }
  });
  if (failed.length > 0) throw new Error(`outdated rows were left in ${failed.join(', ')}`);
  return removed;
}

async function removeByAge(own: Maintenance, rule: ByAge, signal: AbortSignal): Promise<number> {
  let total = 0;
  let from: Date | '-infinity' = '-infinity';
  while (!signal.aborted) {
    const { removed, reached } = await removeOldest(own, rule, from);
    total += removed;
    if (removed < ROWS_PER_STATEMENT) break;
    from = reached ?? from;
  }
  return total;
}

/** Goes on where the last run has ended, and round to the first page. */
async function removeByPage(own: Maintenance, rule: ByPage, signal: AbortSignal): Promise<number> {
  const { pages, next_page } = await readPosition(own, rule.table);
  let page = next_page < pages ? next_page : 0;
  let removed = 0;
  for (let left = Math.min(pages, PAGES_PER_RUN); left > 0 && !signal.aborted; ) {
    const to = Math.min(page + PAGES_PER_STATEMENT, page + left, pages);
    removed += await removeOnPages(own, rule, { from: page, to });
    left -= to - page;
    page = to === pages ? 0 : to;
  }
  await savePosition(own, rule.table, page);
  return removed;
}
