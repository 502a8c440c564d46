import type { BroadcastState } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Sql } from '../../db/sql.ts';
import { type CompanyId, lowestIdAt, type MessageId } from '../../ids.ts';

/** A broadcast that was started. `recipients` and `started_at` never change after that. */
export type Run = {
  id: string;
  company_id: CompanyId;
  name: string;
  state: BroadcastState;
  recipients: number;
  columns: string[];
  /** Where the links lead; null when it has none. */
  url: string | null;
  quiet_from: number;
  quiet_to: number;
  skips_days_off: boolean;
  started_at: Date;
  resumed_at: Date | null;
  ended_at: Date | null;
  counts: Progress | null;
  counted_at: Date | null;
  count_ms: number | null;
  /** By the clock of the database, which also dates the messages. */
  now: Date;
};

/** A started broadcast, of one company when it is given. Drafts are not found. */
export async function findRun(
  sql: Sql,
  id: string,
  companyId: CompanyId | null = null,
): Promise<Run | undefined> {
  const rows = await sql.query<Run>(
    `select id, company_id, name, state, recipients, columns, url, quiet_from, quiet_to, skips_days_off, started_at,
       resumed_at, ended_at, counts, counted_at, count_ms, clock_timestamp() as now
     from broadcast where id = $1 and ($2::bigint is null or company_id = $2) and started_at is not null`,
    [id, companyId],
    'find-broadcast-run',
  );
  return rows[0];
}

/** Nodes make the ids of messages by clocks that may differ from that of the database. */
const CLOCKS_APART_MS = 3_600_000;

/** No message of this broadcast has a lower id. Months before it are not read. */
const lowestMessageId = ({ started_at }: Run): MessageId =>
  lowestIdAt(started_at.getTime() - CLOCKS_APART_MS);

/**
 * The message of a recipient. `offset 0` keeps the planner from any other way than one look-up for
 * each recipient: the statistics of a table that grows this fast are always behind, and by them it
 * would compare every recipient with every message.
 */
export const MESSAGE = `lateral (
    select * from message m where m.company_id = $2 and m.id = r.message_id and m.id >= $3 offset 0) as m on true`;

/**
 * The recipients of a broadcast, each with its message. After a failed receipt the last of several
 * attempts is looked up as well. $1: the broadcast, $2: the company, $3: the lowest message.
 */
export const withMessages = (rows: string) => `${rows} r
  left join ${MESSAGE}
  left join lateral (
    select * from attempt a where a.company_id = $2 and a.number = m.attempt and a.message_id >= $3
      and a.message_id = case when m.attempt > 1 and m.receipt = 'failed' then m.id end offset 0) as a on true`;
export const RECIPIENTS = `${withMessages('broadcast_row')} where r.broadcast_id = $1 and r.verdict = 'send'`;

/** The values of a run. Its statements have no names: a plan for any broadcast is slow for a large one. */
export const ofRun = (run: Run) => [run.id, run.company_id, lowestMessageId(run)];

/** What the outcome of a recipient follows from. */
export const FACTS = `r.message_id is not null as has_message, r.skipped is not null as is_skipped, m.state,
  case when m.receipt = 'read' and m.channel = 'sms' then 'delivered' else m.receipt end as receipt,
  m.route <> '' as has_channels_left, a.state as last_attempt`;
/**
 * After a failed receipt the next channel decides: while one is left or under way the recipient is
 * being sent to, and when the last one may have it, that is unknown. A recipient whose message was
 * removed with its month counts as unknown.
 */
export const OUTCOME = `case
  when not has_message then case when is_skipped then 'skipped' else 'waiting' end
  when state in ('sending', 'failed') then state::text
  when receipt in ('delivered', 'read') then receipt::text
  when state is null or state = 'unknown' or last_attempt = 'unknown' then 'unknown'
  when receipt is distinct from 'failed' then 'sent'
  when last_attempt = 'sending' or has_channels_left then 'sending'
  else 'failed' end`;

/** A channel has taken it, and nothing bad is known. */
export const CARRIED = `outcome in ('sent', 'delivered', 'read')`;

/** Clicks of people on the link of a message. Robots of messengers and mail filters are no people. */
export const CLICKS = `click c where c.company_id = $2 and c.slug_key = lower(m.slug) and not c.is_robot and c.at >= $4`;
