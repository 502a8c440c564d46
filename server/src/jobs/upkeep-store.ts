import {
  GUARD_DECISION_DAYS,
  IDEMPOTENCY_HOURS,
  PUMPING_WINDOW_MINUTES,
  REQUEST_LOG_DAYS,
} from '@zhiber/contract/api/limits.ts';
import type { Sql } from '../db/group-commit.ts';

/** Makes the months of the tables that grow, so far ahead. Returns how many partitions were new. */
export async function makePartitions(sql: Sql, monthsAhead: number): Promise<number> {
  const rows = await sql.query<{ made: number }>('select make_partitions($1) as made', [
    monthsAhead,
  ]);
  return rows[0]?.made ?? 0;
}

// Small enough that a delete never holds locks for long.
const DELETED_MAX = 5_000;

const OUTDATED: Readonly<Record<string, string>> = {
  'idempotency answers': `delete from idempotency where ctid in (
    select ctid from idempotency where created_at < clock_timestamp() - interval '${IDEMPOTENCY_HOURS} hours'
    limit ${DELETED_MAX}) returning 1`,
  'request log': `delete from request_log where (tableoid, ctid) in (
    select tableoid, ctid from request_log where at < clock_timestamp() - interval '${REQUEST_LOG_DAYS} days'
    limit ${DELETED_MAX}) returning 1`,
  // The counts of a day are over after a day; so are the failures of an hour.
  gates: `delete from gate where ctid in (
    select ctid from gate where recent[cardinality(recent)] < clock_timestamp() - interval '1 day'
      or cardinality(recent) = 0 limit ${DELETED_MAX}) returning 1`,
  // Receipts come within days, or not at all.
  'provider ids': `delete from provider_ref where ctid in (
    select ctid from provider_ref where created_at < clock_timestamp() - interval '7 days'
    limit ${DELETED_MAX}) returning 1`,
  'WhatsApp windows': `delete from whatsapp_window where ctid in (
    select ctid from whatsapp_window where open_until < clock_timestamp()
    limit ${DELETED_MAX}) returning 1`,
  codes: `delete from code where ctid in (
    select ctid from code where expires_at < clock_timestamp() - interval '1 day' and failed_in_row = 0
    limit ${DELETED_MAX}) returning 1`,
  'guard counts': `delete from guard_count where ctid in (
    select ctid from guard_count where minute < clock_timestamp() - interval '${PUMPING_WINDOW_MINUTES} minutes'
    limit ${DELETED_MAX}) returning 1`,
  // No session lasts longer than half a day, whatever its use.
  sessions: `delete from session where ctid in (
    select ctid from session where expires_at < clock_timestamp() limit ${DELETED_MAX}) returning 1`,
  'links of letters': `delete from letter_link where ctid in (
    select ctid from letter_link where ends_at < clock_timestamp() limit ${DELETED_MAX}) returning 1`,
  'attempts to sign in': `delete from sign_in_limit where ctid in (
    select ctid from sign_in_limit where recent[cardinality(recent)] < clock_timestamp() - interval '1 day'
    limit ${DELETED_MAX}) returning 1`,
  'guard decisions': `delete from guard_decision where ctid in (
    select ctid from guard_decision where minute < clock_timestamp() - interval '${GUARD_DECISION_DAYS} days'
    limit ${DELETED_MAX}) returning 1`,
};

/** Removes what has no use any more, in small steps. Returns how much of each. */
export async function removeOutdated(sql: Sql): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const [what, statement] of Object.entries(OUTDATED)) {
    removed[what] = 0;
    for (let count = DELETED_MAX; count === DELETED_MAX; ) {
      count = (await sql.query(statement)).length;
      removed[what] += count;
    }
  }
  return removed;
}
