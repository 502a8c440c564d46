import { IDEMPOTENCY_HOURS, PUMPING_WINDOW_MINUTES } from '@zhiber/contract/api/limits.ts';
import type { KeepDays } from '../config/config.ts';
import { callFunction } from '../db/call-function.ts';
import type { Sql } from '../db/sql.ts';

/** Makes the partitions of so many months ahead. Returns how many were new. */
export async function makePartitions(sql: Sql, monthsAhead: number): Promise<number> {
  const make = { name: 'make_partitions', columns: 'make_partitions as made' };
  const rows = await callFunction<{ made: number }>(sql, make, { p_ahead: monthsAhead });
  return rows[0]?.made ?? 0;
}

/** Rows that are removed oldest first, by an index on this column. */
export type ByAge = { table: string; column: string; before: string };
/** Rows without such an index, which are found page by page. */
export type ByPage = { table: string; isOutdated: string };

/**
 * Wrong guesses in a row count until a right one. Past a hundred, one guess an hour is allowed,
 * which makes 168 a week. So forgetting the count after a week without a guess gains nothing: a new
 * hundred a week is fewer.
 */
const FAILURES_DAYS = 7;

/** The desk shows the answers of the last day. */
const PROVIDER_ANSWER_DAYS = 2;

/** Today and yesterday are added up; a day more for a service that stood still. */
const STATUS_MINUTE_DAYS = 3;

/**
 * Everything that becomes outdated, except what is removed by whole months. Compared with now(),
 * for which an index can be used; clock_timestamp() is volatile, so it would read every row.
 */
export function outdatedRows(keepDays: KeepDays): readonly (ByAge | ByPage)[] {
  const ago = (time: string) => `now() - interval '${time}'`;
  const daysAgo = (days: number) => ago(`${days} days`);
  const lastBefore = (times: string, moment: string) =>
    `${times}[cardinality(${times})] < ${moment}`;
  const hours = ['usage_hour', 'call_hour', 'counted_hour', 'spend_hour'];
  return [
    { table: 'idempotency', column: 'created_at', before: ago(`${IDEMPOTENCY_HOURS} hours`) },
    { table: 'provider_ref', column: 'created_at', before: daysAgo(keepDays.providerIds) },
    { table: 'guard_count', column: 'minute', before: ago(`${PUMPING_WINDOW_MINUTES} minutes`) },
    { table: 'guard_decision', column: 'minute', before: daysAgo(keepDays.guardDecisions) },
    { table: 'provider_minute', column: 'minute', before: daysAgo(PROVIDER_ANSWER_DAYS) },
    { table: 'status_minute', column: 'minute', before: daysAgo(STATUS_MINUTE_DAYS) },
    { table: 'letter_link', column: 'ends_at', before: 'now()' },
    { table: 'passkey_challenge', column: 'ends_at', before: 'now()' },
    { table: 'security_event', column: 'at', before: daysAgo(keepDays.securityEvents) },
    { table: 'webhook_hour', column: 'hour', before: daysAgo(keepDays.webhookLog) },
    // Sends count for a day at most.
    {
      table: 'recent_sends',
      isOutdated: `cardinality(recent) = 0 or ${lastBefore('recent', ago('1 day'))}`,
    },
    {
      table: 'code',
      isOutdated: `expires_at < ${ago('1 day')}
        and (failed_in_row = 0 or ${lastBefore('failed_at', daysAgo(FAILURES_DAYS))})`,
    },
    { table: 'whatsapp_window', isOutdated: 'open_until < now()' },
    // No session lasts longer than half a day, even when it is used.
    { table: 'session', isOutdated: 'expires_at < now()' },
    { table: 'operator_session', isOutdated: 'ends_at < now()' },
    { table: 'status_day', isOutdated: `day < ${daysAgo(keepDays.statusDays)}` },
    { table: 'guard_pardon', isOutdated: `until < ${daysAgo(30)}` },
    { table: 'operator_welcome', isOutdated: 'ends_at < now()' },
    { table: 'payment_notice', isOutdated: `handled_at < ${daysAgo(keepDays.messages)}` },
    // The broadcast itself stays, with its counts.
    {
      table: 'broadcast_row',
      isOutdated: `exists (select from broadcast b where b.id = broadcast_id
        and b.ended_at < ${daysAgo(keepDays.broadcastRecipients)})`,
    },
    // Ids of events begin with their time.
    { table: 'webhook_event', isOutdated: `id < uuid_at(${daysAgo(keepDays.webhookLog)})` },
    {
      table: 'webhook_delivery',
      isOutdated: `event_id < uuid_at(${daysAgo(keepDays.webhookLog)})`,
    },
    { table: 'webhook_try', isOutdated: `event_id < uuid_at(${daysAgo(keepDays.webhookLog)})` },
    // By then its deliveries are gone.
    {
      table: 'webhook_endpoint',
      isOutdated: `deleted_at < ${daysAgo(keepDays.webhookLog + 1)} or listener_until < ${ago('1 hour')}`,
    },
    { table: 'sign_in_limit', isOutdated: lastBefore('recent', ago('1 day')) },
    ...hours.map((table) => ({ table, isOutdated: `hour < ${daysAgo(keepDays.pageCounts)}` })),
  ];
}

/** Small enough that a delete never holds locks for long. */
export const ROWS_PER_STATEMENT = 5_000;

/**
 * Removes the oldest rows, starting at a cursor: rows removed before are still in the index, and
 * would be scanned again and again. Locked rows are skipped until the next run.
 */
export async function removeOldest(
  sql: Sql,
  { table, column, before }: ByAge,
  from: Date | '-infinity',
): Promise<{ removed: number; reached: Date | null }> {
  const rows = await sql.query<{ removed: number; reached: Date | null }>(
    `with old as materialized (
       select ctid, ${column} as at from ${table} where ${column} >= $1 and ${column} < ${before}
       order by ${column} limit ${ROWS_PER_STATEMENT} for update skip locked
     ), gone as (delete from ${table} where ctid = any (array(select ctid from old)))
     select count(*)::integer as removed, max(at) as reached from old`,
    [from],
  );
  return rows[0] as { removed: number; reached: Date | null };
}

export type Pages = { from: number; to: number };

/** Removes outdated rows on some pages, except locked ones. Returns how many. */
export async function removeOnPages(
  sql: Sql,
  { table, isOutdated }: ByPage,
  pages: Pages,
): Promise<number> {
  const rows = await sql.query<{ removed: number }>(
    `with old as materialized (
       select ctid from ${table} where ctid >= $1::tid and ctid < $2::tid and (${isOutdated})
       for update skip locked
     ), gone as (delete from ${table} where ctid = any (array(select ctid from old)))
     select count(*)::integer as removed from old`,
    tidsOf(pages),
  );
  return rows[0]?.removed ?? 0;
}

/** The ctid of the first row of some pages, and of the first row past them. */
export function tidsOf({ from, to }: Pages): [string, string] {
  return [`(${from},0)`, `(${to},0)`];
}

/** How many pages a table has, and where the last scan of it ended. */
export async function readPosition(
  sql: Sql,
  table: string,
): Promise<{ pages: number; next_page: number }> {
  const rows = await sql.query<{ pages: number; next_page: number }>(
    `select pg_relation_size($1::text::regclass) / current_setting('block_size')::bigint as pages,
       coalesce((select next_page from upkeep_position where table_name = $1), 0) as next_page`,
    [table],
  );
  return rows[0] as { pages: number; next_page: number };
}

export async function savePosition(sql: Sql, table: string, nextPage: number): Promise<void> {
  await sql.query(
    `insert into upkeep_position (table_name, next_page) values ($1, $2)
     on conflict (table_name) do update set next_page = excluded.next_page`,
    [table, nextPage],
  );
}
