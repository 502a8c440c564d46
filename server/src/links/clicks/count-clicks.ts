import type { Sql } from '../../db/group-commit.ts';
import type { CompanyId } from '../../ids.ts';
import { addUpClicks, type ClickCount, readClickCounts } from './click-store.ts';

/** Clicks added up in one statement: far from its time limit, also on a busy machine. */
const STEP_CLICKS_MAX = 50_000;
/** A reader waits this long for old clicks to be added up; the next one goes on from there. */
const ADDING_UP_MS = 1_000;

/**
 * Counts the clicks of links. Few have so many that they cannot be counted one by one: theirs are
 * added up by the hour when somebody first asks, and from then on only the new ones.
 */
export async function countClicks(
  sql: Sql,
  companyId: CompanyId,
  asked: { names: readonly string[]; from: Date | undefined },
): Promise<Map<string, ClickCount>> {
  let counts = await readClickCounts(sql, companyId, asked);
  const popular = counts.filter((count) => !count.is_whole);
  if (popular.length > 0) {
    const endMs = performance.now() + ADDING_UP_MS;
    for (const { folded } of popular) await addUp(sql, companyId, { folded, endMs });
    counts = await readClickCounts(sql, companyId, asked);
  }
  return new Map(counts.map((count) => [count.folded, count]));
}

async function addUp(
  sql: Sql,
  companyId: CompanyId,
  { folded, endMs }: { folded: string; endMs: number },
): Promise<void> {
  let hasMore = true;
  while (hasMore && performance.now() < endMs) {
    hasMore = await addUpClicks(sql, companyId, { folded, clicksMax: STEP_CLICKS_MAX });
  }
}
