import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { RecipientOutcome } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Sql } from '../../db/sql.ts';
import { lowestIdAt } from '../../ids.ts';
import { CLICKS, FACTS, MESSAGE, OUTCOME, ofRun, type Run, withMessages } from './run-store.ts';

export type OutcomeCount = {
  outcome: RecipientOutcome;
  channel: Channel | null;
  recipients: number;
  charged: number;
};

/** Recipients by number: those after one, so many of them. */
export type Slice = { after: number; rowsMax: number };

/**
 * Counts the recipients of a slice by outcome and channel; `reached` is where the next one begins,
 * when there may be more. They are grouped by plain columns first, and the few groups then have
 * their outcome: working it out for each recipient takes twice as long.
 */
export async function countByOutcome(
  sql: Sql,
  run: Run,
  { after, rowsMax }: Slice,
): Promise<{ counts: OutcomeCount[]; reached: number | undefined }> {
  const rows = await sql.query<OutcomeCount & { last: number }>(
    `with slice as materialized (
       select number, message_id, skipped from broadcast_row
       where broadcast_id = $1 and verdict = 'send' and number > $4 order by number limit $5)
     select ${OUTCOME} as outcome, channel, sum(recipients)::integer as recipients, sum(charged)::bigint as charged,
       max(last) as last
     from (select ${FACTS}, m.channel, count(*) as recipients, coalesce(sum(m.charged), 0) as charged,
         max(r.number) as last
       from ${withMessages('slice')} group by 1, 2, 3, 4, 5, 6, 7) as groups
     group by 1, 2`,
    [...ofRun(run), after, rowsMax],
    'count-by-outcome',
  );
  const size = rows.reduce((sum, { recipients }) => sum + recipients, 0);
  return {
    counts: rows.map(({ last: _, ...count }) => count),
    reached: size < rowsMax ? undefined : Math.max(...rows.map(({ last }) => last)),
  };
}

/** How many recipients got their message from an instant until the run was read. Reads an index alone. */
export async function countSince(sql: Sql, { id, now }: Run, since: Date): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from broadcast_row
     where broadcast_id = $1 and message_id is not null and message_id >= $2 and message_id < $3`,
    [id, lowestIdAt(since.getTime()), lowestIdAt(now.getTime())],
    'count-recipients-since',
  );
  return rows[0]?.count ?? 0;
}

/** How many recipients of a slice opened their link. */
export async function countClickedPeople(
  sql: Sql,
  run: Run,
  { after, rowsMax }: Slice,
): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `with slice as materialized (
       select message_id from broadcast_row
       where broadcast_id = $1 and verdict = 'send' and number > $5 order by number limit $6)
     select count(*)::integer as count from slice r join ${MESSAGE}
     where r.message_id is not null and exists (select from ${CLICKS})`,
    [...ofRun(run), run.started_at, after, rowsMax],
    'count-clicked-people',
  );
  return rows[0]?.count ?? 0;
}

/** People: one may unsubscribe from the company first, and from everybody after that. */
export async function countUnsubscribed(sql: Sql, { id }: Run): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    'select count(distinct phone)::integer as count from unsubscribed where broadcast_id = $1',
    [id],
    'count-unsubscribed',
  );
  return rows[0]?.count ?? 0;
}

/**
 * Leases started broadcasts whose counts are due, so that one node counts each, the longest due
 * first. A node that dies leaves its lease to expire.
 */
export async function takeDueCounts(
  sql: Sql,
  options: { limit: number; leaseSeconds: number },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update broadcast b set next_count_at = clock_timestamp() + make_interval(secs => $2)
     from (select id from broadcast where state in ('running', 'paused') and started_at is not null
         and next_count_at <= clock_timestamp()
       order by next_count_at limit $1 for update skip locked) due
     where b.id = due.id returning b.id`,
    [options.limit, options.leaseSeconds],
    'take-due-counts',
  );
  return rows.map(({ id }) => id);
}

/** When the next count is due, by the state it has now. */
export async function countAgain(
  sql: Sql,
  id: string,
  seconds: { running: number; paused: number },
): Promise<void> {
  await sql.query(
    `update broadcast set next_count_at = clock_timestamp()
       + make_interval(secs => case when state = 'paused' then $3 else $2::double precision end)
     where id = $1`,
    [id, seconds.running, seconds.paused],
    'count-broadcast-again',
  );
}

/** Stores the counts, unless newer ones are there: two nodes may have counted at once. */
export async function updateCounts(
  sql: Sql,
  id: string,
  counted: { counts: Progress; at: Date; ms: number },
): Promise<void> {
  await sql.query(
    `update broadcast set counts = $2, counted_at = $3, count_ms = $4
     where id = $1 and (counted_at is null or counted_at <= $3)`,
    [id, JSON.stringify(counted.counts), counted.at, counted.ms],
    'update-broadcast-counts',
  );
}

export type FailureShare = {
  messages: number;
  failed: number;
  /** The most frequent one of the failed; null when none has a reason. */
  reason: string | null;
};

/** The newest settled messages with ids in a span, and how many of them failed. */
export async function findNewestFailures(
  sql: Sql,
  run: Run,
  span: { from: Date; to: Date; messagesMax: number },
): Promise<FailureShare> {
  const rows = await sql.query<FailureShare>(
    `with newest as materialized (
       select ${OUTCOME} as outcome, reason
       from (select ${FACTS}, coalesce(a.reason, m.reason) as reason
         from ${withMessages('broadcast_row')}
         where r.broadcast_id = $1 and r.message_id >= $4 and r.message_id < $5 and m.state <> 'sending'
         order by r.message_id desc limit $6) as recipients)
     select count(*)::integer as messages, count(*) filter (where outcome = 'failed')::integer as failed,
       mode() within group (order by reason) filter (where outcome = 'failed' and reason is not null) as reason
     from newest`,
    [
      ...ofRun(run),
      lowestIdAt(span.from.getTime()),
      lowestIdAt(span.to.getTime()),
      span.messagesMax,
    ],
    'find-newest-failures',
  );
  return rows[0] as FailureShare;
}
