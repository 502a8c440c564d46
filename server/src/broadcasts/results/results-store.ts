import type { Channel } from '@zhiber/contract/api/channel.ts';
import type {
  BroadcastState,
  RecipientOutcome,
  SkipReason,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import { type CompanyId, lowestIdAt, type MessageId, type PersonId } from '../../ids.ts';
import type { Phone } from '../../phone.ts';

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
const MESSAGE = `lateral (
    select * from message m where m.company_id = $2 and m.id = r.message_id and m.id >= $3 offset 0) as m on true`;

/**
 * The recipients of a broadcast, each with its message. After a failed receipt the last of several
 * attempts is looked up as well. $1: the broadcast, $2: the company, $3: the lowest message.
 */
const withMessages = (rows: string) => `${rows} r
  left join ${MESSAGE}
  left join lateral (
    select * from attempt a where a.company_id = $2 and a.number = m.attempt and a.message_id >= $3
      and a.message_id = case when m.attempt > 1 and m.receipt = 'failed' then m.id end offset 0) as a on true`;
const RECIPIENTS = `${withMessages('broadcast_row')} where r.broadcast_id = $1 and r.verdict = 'send'`;

/** The values of a run. Its statements have no names: a plan for any broadcast is slow for a large one. */
const ofRun = (run: Run) => [run.id, run.company_id, lowestMessageId(run)];

/** What the outcome of a recipient follows from. */
const FACTS = `r.message_id is not null as has_message, r.skipped is not null as is_skipped, m.state, m.receipt,
  m.route <> '' as has_channels_left, a.state as last_attempt`;
/**
 * After a failed receipt the next channel decides: while one is left or under way the recipient is
 * being sent to, and when the last one may have it, that is unknown. A recipient whose message was
 * removed with its month counts as unknown.
 */
const OUTCOME = `case
  when not has_message then case when is_skipped then 'skipped' else 'waiting' end
  when state in ('sending', 'failed') then state::text
  when receipt in ('delivered', 'read') then receipt::text
  when state is null or state = 'unknown' or last_attempt = 'unknown' then 'unknown'
  when receipt is distinct from 'failed' then 'sent'
  when last_attempt = 'sending' or has_channels_left then 'sending'
  else 'failed' end`;

/** A channel has taken it, and nothing bad is known. */
const CARRIED = `outcome in ('sent', 'delivered', 'read')`;

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

/** Clicks of people on the link of a message. Robots of messengers and mail filters are no people. */
const CLICKS = `click c where c.company_id = $2 and c.slug_key = lower(m.slug) and not c.is_robot and c.at >= $4`;

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

export type TimeBucket = { at: Date; sent: number; delivered: number; failed: number };

/** What happened when: accepted, delivered and failed messages, by buckets that are not empty. */
export async function countByTime(
  sql: Sql,
  run: Run,
  step: 'minute' | 'hour',
): Promise<TimeBucket[]> {
  return await sql.query<TimeBucket>(
    `with groups as materialized (
       select sent_at, delivered_at, case when ${OUTCOME} = 'failed' then coalesce(receipt_at, settled_at) end as failed_at,
         sum(messages) as messages
       from (select ${FACTS}, count(*) as messages, date_bin($4, m.receipt_at, 'epoch') as receipt_at,
           date_bin($4, m.settled_at, 'epoch') as settled_at, date_bin($4, m.delivered_at, 'epoch') as delivered_at,
           case when m.state = 'sent' then date_bin($4, m.settled_at, 'epoch') end as sent_at
         from ${RECIPIENTS} and m.state is not null group by 1, 2, 3, 4, 5, 6, 8, 9, 10, 11) as facts
       group by 1, 2, 3)
     select at, sum(sent)::integer as sent, sum(delivered)::integer as delivered, sum(failed)::integer as failed
     from (select sent_at as at, messages as sent, 0 as delivered, 0 as failed from groups
       union all select delivered_at, 0, messages, 0 from groups
       union all select failed_at, 0, 0, messages from groups) as events
     where at is not null group by 1 order by 1`,
    [...ofRun(run), `1 ${step}`],
  );
}

export type ClickBucket = { at: Date; clicked: number };

/** When people opened their link for the first time, by buckets that are not empty. */
export async function countClicksByTime(
  sql: Sql,
  run: Run,
  step: 'minute' | 'hour',
): Promise<ClickBucket[]> {
  return await sql.query<ClickBucket>(
    `select date_bin($5::interval, first_at, 'epoch') as at, count(*)::integer as clicked
     from (select min(c.at) as first_at
       from broadcast_row r join ${MESSAGE}
       join lateral (select c.at from ${CLICKS}) as c on true
       where r.broadcast_id = $1 and r.message_id is not null group by m.id) as people
     group by 1 order by 1`,
    [...ofRun(run), run.started_at, `1 ${step}`],
  );
}

export type ReasonCount = { reason: string; channel: Channel | null; count: number };

/** Why recipients were not reached, the most frequent first. A skipped one has a word as its reason. */
export async function countReasons(sql: Sql, run: Run, rowsMax: number): Promise<ReasonCount[]> {
  return await sql.query<ReasonCount>(
    `select coalesce(reason, '') as reason, channel, sum(recipients)::integer as count
     from (select ${OUTCOME} as outcome, reason, channel, recipients
       from (select ${FACTS}, coalesce(r.skipped, a.reason, m.reason) as reason,
           coalesce(a.channel, m.channel) as channel, count(*) as recipients
         from ${RECIPIENTS} and (r.skipped is not null or m.state in ('failed', 'unknown') or m.receipt = 'failed')
         group by 1, 2, 3, 4, 5, 6, 7, 8) as groups) as reasons
     where outcome in ('failed', 'unknown', 'skipped')
     group by 1, 2 order by 3 desc, 1, 2 limit $4`,
    [...ofRun(run), rowsMax],
  );
}

export type Recipient = {
  number: number;
  phone: Phone;
  cells: string[];
  outcome: RecipientOutcome;
  channel: Channel | null;
  reason: string | SkipReason | null;
  charged: number;
  sent_at: Date | null;
  clicked_at: Date | null;
  message_id: MessageId | null;
};

export type RecipientFilter = {
  outcome?: RecipientOutcome | undefined;
  /** False: those who have a message and have not opened its link. */
  clicked?: boolean | undefined;
};

/**
 * Matching recipients in the order of their numbers. Of those after `after` at most `windowRows` are
 * looked at, however rare the matches; `reached` is where to go on, when there may be more.
 */
export async function scanRecipients(
  sql: Sql,
  run: Run,
  filter: RecipientFilter,
  page: { after: number; rowsMax: number; windowRows: number },
): Promise<{ rows: Recipient[]; reached: number | undefined }> {
  const { outcome, clicked } = filter;
  const hasClicked = `exists (select from ${CLICKS})`;
  const clickCondition =
    clicked === undefined ? 'true' : clicked ? hasClicked : `${CARRIED} and not ${hasClicked}`;
  const rows = await sql.query<Recipient & { last: number | null; size: number }>(
    `with page as materialized (
       select * from broadcast_row where broadcast_id = $1 and verdict = 'send' and number > $5
       order by number limit $6)
     select w.last, w.size, f.*
     from (select max(number) as last, count(*)::integer as size from page) as w
     left join lateral (
       select number, phone, cells, outcome, channel, reason, charged, sent_at, message_id,
         (select min(c.at) from ${CLICKS}) as clicked_at
       from (select *, ${OUTCOME} as outcome
         from (select ${FACTS}, r.number, r.phone::text as phone, r.cells, coalesce(a.channel, m.channel) as channel,
             coalesce(r.skipped, a.reason, m.reason) as reason, coalesce(m.charged, 0) as charged,
             m.created_at as sent_at, r.message_id, m.slug
           from ${withMessages('page')}) as facts) as m
       where ($8::text is null or outcome = $8) and ${clickCondition}
       order by number limit $7) as f on true
     order by f.number`,
    [...ofRun(run), run.started_at, page.after, page.windowRows, page.rowsMax, outcome ?? null],
  );
  const { last, size } = rows[0] as { last: number | null; size: number };
  const found = rows.filter(({ number }) => number !== null);
  const isFull = found.length === page.rowsMax;
  const windowEnd = size === page.windowRows ? (last ?? undefined) : undefined;
  return {
    rows: found.map(({ last: _, size: __, ...recipient }) => recipient),
    reached: isFull ? found.at(-1)?.number : windowEnd,
  };
}

export type LastFailure = Pick<Recipient, 'number' | 'phone' | 'channel' | 'reason'> & {
  message_id: MessageId;
  at: Date;
};

/** The newest failures among the last messages, as far as they are looked at. */
export async function findLastFailures(
  sql: Sql,
  run: Run,
  { rowsMax, windowRows }: { rowsMax: number; windowRows: number },
): Promise<LastFailure[]> {
  return await sql.query<LastFailure>(
    `with newest as materialized (
       select * from broadcast_row where broadcast_id = $1 and message_id is not null
       order by message_id desc limit $4)
     select number, phone, channel, reason, message_id, at
     from (select ${FACTS}, r.number, r.phone::text as phone, coalesce(a.channel, m.channel) as channel,
         coalesce(a.reason, m.reason) as reason, r.message_id, coalesce(m.receipt_at, m.settled_at) as at
       from ${withMessages('newest')} where m.state = 'failed' or m.receipt = 'failed') as facts
     where ${OUTCOME} = 'failed' order by message_id desc limit $5`,
    [...ofRun(run), windowRows, rowsMax],
  );
}

/** Adds a draft with the columns, the text and the settings of a broadcast, and no rows yet. */
export async function insertCopy(
  tx: Transaction,
  run: Run,
  copy: { id: string; name: string; personId: PersonId },
): Promise<void> {
  await tx.query(
    `insert into broadcast (id, company_id, name, created_by, source, source_name, columns, phone_column,
       consent_column, includes_other_countries, text, url, whatsapp_template, channels, quiet_from, quiet_to,
       skips_days_off, consent_basis, consent_note)
     select $3, company_id, $4, $5, 'failed', name, columns, phone_column, consent_column, includes_other_countries,
       text, url, whatsapp_template, channels, quiet_from, quiet_to, skips_days_off, consent_basis, consent_note
     from broadcast where id = $1 and company_id = $2`,
    [run.id, run.company_id, copy.id, copy.name, copy.personId],
  );
}

/**
 * Copies the recipients that failed into a draft, and returns how many of them can be sent to. Those
 * who have unsubscribed since are kept out of it by their verdict. An unknown outcome is no failure:
 * the person may have got the message.
 */
export async function copyFailed(tx: Transaction, run: Run, copyId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `with copied as (
       insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
       select $4, row_number() over (order by number), $2, cells, phone,
         case when exists (select from unsubscribed u where u.phone = f.phone
           and (u.company_id = $2 or u.company_id is null)) then 'unsubscribed' else 'send' end::row_verdict
       from (select ${FACTS}, r.number, r.cells, r.phone from ${RECIPIENTS}) as f
       where ${OUTCOME} = 'failed'
       returning verdict),
     checked as (
       update broadcast set rows_state = 'checked', rows_count = (select count(*) from copied) where id = $4)
     select count(*) filter (where verdict = 'send')::integer as count from copied`,
    [...ofRun(run), copyId],
  );
  return rows[0]?.count ?? 0;
}
