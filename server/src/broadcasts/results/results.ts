import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Context } from '../../context.ts';
import type { Sql } from '../../db/sql.ts';
import { type CompanyId, isId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { storeCounts } from './count-progress.ts';
import {
  type ClickBucket,
  countByTime,
  countClicksByTime,
  countReasons,
  findLastFailures,
  type LastFailure,
  type ReasonCount,
  type Recipient,
  type RecipientFilter,
  scanRecipients,
  type TimeBucket,
} from './results-store.ts';
import { findRun, type Run } from './run-store.ts';

/** A started broadcast of a company. A draft has no results, so it is not found either. */
export async function readRunOf(sql: Sql, companyId: CompanyId, id: string): Promise<Run> {
  const run = isId(id) ? await findRun(sql, id, companyId) : undefined;
  if (run === undefined) throw new Problem('not_found');
  return run;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Minutes of so many hours fit on a chart; later the hours are shown. */
const MINUTES_SHOWN_MS = 3 * HOUR_MS;
/** A chart ends after so many hours, whatever straggler comes later. */
const BUCKETS_MAX = 14 * 24;
const REASONS_MAX = 50;
const LAST_FAILURES = { rowsMax: 5, windowRows: 2_000 };
/**
 * By then nearly every receipt and click has come. Later the counts stay as they are, also when the
 * months with the messages have been removed.
 */
export const COUNTED_DAYS = 14;

export type Results = {
  progress: Progress;
  step: 'minute' | 'hour';
  times: (TimeBucket & ClickBucket)[];
  reasons: ReasonCount[];
  lastFailures: LastFailure[];
};

/** The figures of a started broadcast, whether it still runs or has ended. */
export async function readResults(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
  id: string,
): Promise<Results> {
  const run = await readRunOf(db, companyId, id);
  const step = run.now.getTime() - run.started_at.getTime() > MINUTES_SHOWN_MS ? 'hour' : 'minute';
  return {
    progress: await readProgress(db, run),
    step,
    times: mergeTimes(run, step, [
      ...(await countByTime(db, run, step)),
      ...(await countClicksByTime(db, run, step)),
    ]),
    reasons: await countReasons(db, run, REASONS_MAX),
    lastFailures: await findLastFailures(db, run, LAST_FAILURES),
  };
}

/** A count on demand is repeated only after so many times its duration. */
const COUNT_PAUSE_FACTOR = 20;
/** Counts of a broadcast under way that are older: no worker is there to renew them. */
const RENEWED_MS = 60_000;

/** Counts again when that pays: seldom for a large broadcast, and not long after its end. */
async function readProgress(sql: Sql, run: Run): Promise<Progress> {
  const { counts, counted_at, count_ms, ended_at, now } = run;
  if (counts === null || counted_at === null) return await storeCounts(sql, run.id);
  const isOver = ended_at !== null && now.getTime() - ended_at.getTime() > COUNTED_DAYS * DAY_MS;
  const freshMs = ended_at === null ? RENEWED_MS : COUNT_PAUSE_FACTOR * (count_ms ?? 0);
  const isFresh = now.getTime() - counted_at.getTime() < freshMs;
  return isOver || isFresh ? counts : await storeCounts(sql, run.id);
}

/** One row per bucket from the start to the last event, the empty ones as well. */
function mergeTimes(
  { started_at }: Run,
  step: Results['step'],
  buckets: readonly ((TimeBucket | ClickBucket) & { at: Date })[],
): Results['times'] {
  const stepMs = step === 'minute' ? MINUTE_MS : HOUR_MS;
  const start = Math.floor(started_at.getTime() / stepMs);
  const last = Math.max(start, ...buckets.map(({ at }) => at.getTime() / stepMs));
  const times = Array.from({ length: Math.min(last - start + 1, BUCKETS_MAX) }, (_, place) => ({
    at: new Date((start + place) * stepMs),
    sent: 0,
    delivered: 0,
    failed: 0,
    clicked: 0,
  }));
  for (const { at, ...counts } of buckets) {
    const bucket = times[at.getTime() / stepMs - start];
    if (bucket !== undefined) Object.assign(bucket, counts);
  }
  return times;
}

const PAGE_ROWS = 50;
/** Recipients looked at by one statement, so that each ends in time. */
const WINDOW_ROWS = 10_000;

/** A page of recipients by number. Goes on through the windows until it is full or all were looked at. */
export async function listRecipients(
  { db }: Pick<Context, 'db'>,
  { companyId, id }: { companyId: CompanyId; id: string },
  { cursor, ...filter }: RecipientFilter & { cursor?: string | undefined },
): Promise<{ rows: Recipient[]; next: string | null }> {
  const run = await readRunOf(db, companyId, id);
  const rows: Recipient[] = [];
  let after: number | undefined = readCursor(cursor);
  // One more than is shown tells whether there is a next page.
  while (after !== undefined && rows.length <= PAGE_ROWS) {
    const rowsMax = PAGE_ROWS + 1 - rows.length;
    const scan = await scanRecipients(db, run, filter, { after, rowsMax, windowRows: WINDOW_ROWS });
    rows.push(...scan.rows);
    after = scan.reached;
  }
  const shown = rows.slice(0, PAGE_ROWS);
  return { rows: shown, next: rows.length > PAGE_ROWS ? String(shown.at(-1)?.number) : null };
}

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,9}$/.test(cursor)) {
    throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
  }
  return Number(cursor);
}

/** All matching recipients, a window at a time. */
export async function* eachRecipient(
  sql: Sql,
  run: Run,
  filter: RecipientFilter,
  rowsMax = 1_000,
): AsyncGenerator<Recipient> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page = { after, rowsMax, windowRows: rowsMax };
    const scan = await scanRecipients(sql, run, filter, page);
    yield* scan.rows;
    after = scan.reached;
  }
}
