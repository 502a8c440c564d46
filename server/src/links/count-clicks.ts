import { almatyDays, type BucketRange, bucketEdges } from '../almaty.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import { addUpClicks, type ClickCount, readClickCounts } from './click-store.ts';

/** Clicks summed in one statement: far below the statement timeout, even on a busy machine. */
const STEP_CLICKS_MAX = 50_000;
/** A request sums old clicks for at most this long; the next request continues from there. */
const ADDING_UP_MS = 1_000;

/**
 * Counts the clicks of links. Few links have too many clicks to count one by one: these are summed
 * by the hour on the first read, and later reads sum only the new ones.
 */
export async function countClicks(
  sql: Sql,
  companyId: CompanyId,
  query: { names: readonly string[]; from: Date | undefined },
): Promise<Map<string, ClickCount>> {
  let counts = await readClickCounts(sql, companyId, query);
  const popular = counts.filter((count) => !count.is_whole);
  if (popular.length > 0) {
    const endMs = performance.now() + ADDING_UP_MS;
    for (const { slug_key } of popular) await addUp(sql, companyId, { slugKey: slug_key, endMs });
    counts = await readClickCounts(sql, companyId, query);
  }
  return new Map(counts.map((count) => [count.slug_key, count]));
}

async function addUp(
  sql: Sql,
  companyId: CompanyId,
  { slugKey, endMs }: { slugKey: string; endMs: number },
): Promise<void> {
  let hasMore = true;
  while (hasMore && performance.now() < endMs) {
    hasMore = await addUpClicks(sql, companyId, { slugKey, clicksMax: STEP_CLICKS_MAX });
  }
}

export type ClickRange = BucketRange | 'all';

/** The start of a range, on the hour or at midnight in Almaty; undefined for `all`. */
export function startOf(range: ClickRange, now: Date): Date | undefined {
  return range === 'all' ? undefined : bucketEdges(range, now)[0];
}

/** The starts of the columns of its chart. For `all` these are the days since the given instant. */
export function columnStarts(
  range: ClickRange,
  { since, now }: { since: Date; now: Date },
): Date[] {
  return range === 'all' ? almatyDays(since, now) : bucketEdges(range, now).slice(0, -1);
}
