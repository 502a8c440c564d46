import type { Channel } from '@zhiber/contract/api/channel.ts';
import type {
  BroadcastState,
  PauseReason,
  SkipReason,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { ChosenTemplate } from '@zhiber/contract/cabinet/broadcasts.ts';
import { callFunction } from '../../db/call-function.ts';
import type { Transaction } from '../../db/database.ts';
import type { GroupStatement } from '../../db/group-commit.ts';
import type { Sql } from '../../db/sql.ts';
import type { BroadcastId, CompanyId, KeyId, MessageId, PersonId } from '../../ids.ts';
import type { Phone } from '../../phone.ts';

/** A broadcast as its sending needs it. */
export type StoredBroadcast = {
  id: BroadcastId;
  companyId: CompanyId;
  name: string;
  state: BroadcastState;
  version: number;
  createdBy: PersonId | null;
  rowsState: 'none' | 'reading' | 'read' | 'checking' | 'checked';
  columns: readonly string[];
  text: string;
  url: string | null;
  whatsappTemplate: ChosenTemplate | null;
  channels: readonly Channel[];
  startAt: Date | null;
  spreadMinutes: number | null;
  quietFrom: number;
  quietTo: number;
  skipsDaysOff: boolean;
  approvalAskedBy: PersonId | null;
  recipients: number | null;
  held: number;
  startedAt: Date | null;
  pauseReason: PauseReason | null;
  resumeAt: Date | null;
  resumedAt: Date | null;
  /** By the clock of the database. */
  now: Date;
};

const COLUMNS = `id, company_id as "companyId", name, state, version, created_by as "createdBy",
  rows_state as "rowsState", columns, text, url, whatsapp_template as "whatsappTemplate",
  channels::text[] as channels, start_at as "startAt", spread_minutes as "spreadMinutes", quiet_from as "quietFrom",
  quiet_to as "quietTo", skips_days_off as "skipsDaysOff", approval_asked_by as "approvalAskedBy", recipients, held,
  started_at as "startedAt", pause_reason as "pauseReason", resume_at as "resumeAt", resumed_at as "resumedAt",
  clock_timestamp() as now`;

/** How often a recipient may find every channel unavailable before it counts as failed. */
const TRIES_MAX = 10;

export async function readBroadcast(sql: Sql, id: BroadcastId): Promise<StoredBroadcast> {
  const rows = await sql.query<StoredBroadcast>(
    `select ${COLUMNS} from broadcast where id = $1`,
    [id],
    'read-broadcast',
  );
  return rows[0] as StoredBroadcast;
}

/** Locks it: a broadcast before its account, and before its rows. */
export async function lockBroadcast(
  tx: Transaction,
  id: BroadcastId,
): Promise<StoredBroadcast | undefined> {
  const rows = await tx.query<StoredBroadcast>(
    `select ${COLUMNS} from broadcast where id = $1 for update`,
    [id],
    'lock-broadcast',
  );
  return rows[0];
}

export async function listRunning(sql: Sql): Promise<StoredBroadcast[]> {
  return await sql.query<StoredBroadcast>(
    `select ${COLUMNS} from broadcast where state = 'running' and next_tick_at is not null order by id`,
    [],
    'list-running-broadcasts',
  );
}

/** Leases the broadcasts that are due for a tick, so that other nodes leave them alone meanwhile. */
export async function takeDueBroadcasts(
  sql: Sql,
  options: { limit: number; leaseSeconds: number },
): Promise<BroadcastId[]> {
  const rows = await sql.query<{ id: BroadcastId }>(
    `update broadcast b set next_tick_at = clock_timestamp() + make_interval(secs => $2)
     from (select id from broadcast where state in ('scheduled', 'running', 'paused')
         and next_tick_at <= clock_timestamp()
       order by next_tick_at limit $1 for update skip locked) due
     where b.id = due.id returning b.id`,
    [options.limit, options.leaseSeconds],
    'take-due-broadcasts',
  );
  return rows.map(({ id }) => id);
}

export async function tickAgain(sql: Sql, id: BroadcastId, seconds: number): Promise<void> {
  await sql.query(
    'update broadcast set next_tick_at = clock_timestamp() + make_interval(secs => $2) where id = $1',
    [id, seconds],
    'tick-broadcast-again',
  );
}

/**
 * Of a broadcast `b`: its recipients, or those whom a checked draft would be sent to. The index of
 * waiting rows counts a draft of 100,000 in milliseconds.
 */
export const RECIPIENT_COUNT = `coalesce(b.recipients, case when b.rows_state = 'checked' then
  (select count(*) from broadcast_row w where w.waits_for = b.id) end, 0)::integer as recipients`;

const WAITING = 'from broadcast_row where waits_for = $1';

export async function countWaiting(sql: Sql, id: BroadcastId): Promise<number> {
  const rows = await sql.query<{ waiting: number }>(
    `select count(*) as waiting ${WAITING}`,
    [id],
    'count-waiting-recipients',
  );
  return rows[0]?.waiting ?? 0;
}

export async function hasWaiting(sql: Sql, id: BroadcastId): Promise<boolean> {
  const rows = await sql.query(`select ${WAITING} limit 1`, [id], 'has-waiting-recipients');
  return rows.length > 0;
}

export async function countToSend(sql: Sql, id: BroadcastId): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*) as count from broadcast_row where broadcast_id = $1 and verdict = 'send'`,
    [id],
  );
  return rows[0]?.count ?? 0;
}

/** More than all nodes together have in flight. */
const NEWEST = 2_000;

/**
 * Messages that a channel is being asked about, among the newest or among all. `offset 0` makes it
 * look up each message by itself, whatever the statistics say.
 */
export async function countWithChannels(
  sql: Sql,
  { id, companyId }: StoredBroadcast,
  among: 'newest' | 'all',
): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*) as count
     from (select message_id from broadcast_row where broadcast_id = $1 and message_id is not null
       order by message_id desc limit $3) w
     join lateral (
       select state from message where company_id = $2 and id = w.message_id offset 0) as m on m.state = 'sending'`,
    [id, companyId, among === 'newest' ? NEWEST : null],
    'count-with-channels',
  );
  return rows[0]?.count ?? 0;
}

/** Whether a channel is being asked about any message. Usually the newest show it at once. */
export async function isWithChannels(sql: Sql, broadcast: StoredBroadcast): Promise<boolean> {
  return (
    (await countWithChannels(sql, broadcast, 'newest')) > 0 ||
    (await countWithChannels(sql, broadcast, 'all')) > 0
  );
}

/** What a person confirmed: it begins at its time, or with the next tick. */
export async function scheduleBroadcast(
  tx: Transaction,
  id: BroadcastId,
  recipients: number,
): Promise<void> {
  await tx.query(
    `update broadcast set state = 'scheduled', recipients = $2, version = version + 1,
       next_tick_at = coalesce(start_at, clock_timestamp()), updated_at = clock_timestamp()
     where id = $1`,
    [id, recipients],
  );
}

/** Broadcasts to more recipients are approved by a second person. */
export async function findApprovalLimit(tx: Transaction, companyId: CompanyId): Promise<number> {
  const rows = await tx.query<{ approval_above: number | null }>(
    'select approval_above from company where id = $1',
    [companyId],
  );
  return rows[0]?.approval_above ?? Number.POSITIVE_INFINITY;
}

export async function askApproval(tx: Transaction, id: BroadcastId, by: PersonId): Promise<void> {
  await tx.query(
    `update broadcast set approval_asked_by = $2, approval_asked_at = clock_timestamp(), version = version + 1
     where id = $1`,
    [id, by],
  );
}

export async function storeApproval(tx: Transaction, id: BroadcastId, by: PersonId): Promise<void> {
  await tx.query(
    'update broadcast set approved_by = $2, approved_at = clock_timestamp() where id = $1',
    [id, by],
  );
}

/** A draft again, as if it had never been confirmed. */
export async function withdraw(tx: Transaction, id: BroadcastId): Promise<void> {
  await tx.query(
    `update broadcast set state = 'draft', recipients = null, next_tick_at = null, approval_asked_by = null,
       approval_asked_at = null, approved_by = null, approved_at = null, version = version + 1
     where id = $1`,
    [id],
  );
}

/** One that was held before it began waits for its time again. */
export async function setScheduled(tx: Transaction, id: BroadcastId): Promise<void> {
  await tx.query(
    `update broadcast set state = 'scheduled', pause_reason = null, pause_detail = null, paused_at = null,
       resume_at = null, next_tick_at = coalesce(start_at, clock_timestamp())
     where id = $1`,
    [id],
  );
}

/** Failures before a resumption do not count again. */
export async function setRunning(tx: Transaction, id: BroadcastId): Promise<void> {
  await tx.query(
    `update broadcast set state = 'running', started_at = coalesce(started_at, clock_timestamp()),
       resumed_at = clock_timestamp(), pause_reason = null, pause_detail = null, paused_at = null, resume_at = null,
       pace_at = greatest(pace_at, clock_timestamp()), next_tick_at = clock_timestamp()
     where id = $1`,
    [id],
  );
}

export async function setPaused(
  tx: Transaction,
  id: BroadcastId,
  pause: { reason: PauseReason; detail?: string | undefined; resumeAt?: Date | undefined },
): Promise<void> {
  await tx.query(
    `update broadcast set state = 'paused', pause_reason = $2, pause_detail = $3, resume_at = $4,
       paused_at = case when state = 'paused' then paused_at else clock_timestamp() end,
       next_tick_at = clock_timestamp()
     where id = $1`,
    [id, pause.reason, pause.detail ?? null, pause.resumeAt ?? null],
  );
}

/** No recipient is waiting and no message is with a channel: it can end, and its tokens are free. */
export async function setEnded(
  tx: Transaction,
  id: BroadcastId,
  state: 'done' | 'cancelled',
): Promise<void> {
  await callFunction(
    tx,
    { name: 'release_broadcast', columns: 'release_broadcast as released' },
    { p_id: id },
  );
  await tx.query(
    `with ended as (
       update broadcast set state = $2, ended_at = clock_timestamp(), pause_reason = null, pause_detail = null,
         paused_at = null, resume_at = null, next_tick_at = null
       where id = $1 returning company_id, id, name, state, recipients)
     select add_company_event(company_id, 'broadcast.finished', jsonb_build_object('broadcast_id', id,
       'name', name, 'state', state, 'recipients', coalesce(recipients, 0))) from ended`,
    [id, state],
  );
}

/** Leaves out a part of those that wait. True when there may be more. */
export async function skipWaiting(
  tx: Transaction,
  id: BroadcastId,
  options: { reason: SkipReason; limit: number },
): Promise<boolean> {
  const rows = await tx.query(
    `update broadcast_row set skipped = $2 where broadcast_id = $1 and number in (
       select number ${WAITING} order by number limit $3)
     returning number`,
    [id, options.reason, options.limit],
  );
  return rows.length === options.limit;
}

/** Adds tokens to those of the broadcast, as far as the balance has them. */
export async function holdTokens(
  tx: Transaction,
  id: BroadcastId,
  wanted: number,
): Promise<number> {
  const rows = await callFunction<{ held: number }>(
    tx,
    { name: 'hold_for_broadcast', columns: 'hold_for_broadcast as held' },
    { p_id: id, p_wanted: wanted },
  );
  return rows[0]?.held ?? 0;
}

/** A row that was fit to be sent to, not yet claimed. */
export type WaitingRow = {
  number: number;
  rowId: number;
  phone: Phone;
  cells: readonly string[];
};

/** Locked until the end of the transaction, so that no other node takes them. */
export async function lockWaiting(
  tx: Transaction,
  id: BroadcastId,
  limit: number,
): Promise<WaitingRow[]> {
  return await tx.query<WaitingRow>(
    `select number, id as "rowId", phone::text as phone, cells ${WAITING}
     order by number limit $2 for update skip locked`,
    [id, limit],
    'lock-waiting-recipients',
  );
}

export type RecipientClaim = {
  number: number;
  messageId: MessageId;
  body: string;
  skip: SkipReason | null;
  slug: string | null;
  route: readonly Channel[];
  prices: readonly number[];
};

export type ClaimVerdict = { verdict: 'claimed' | 'skipped' | 'later' | 'short'; held: number };

const CLAIM = {
  name: 'claim_recipients',
  columns: 'verdict, held',
  casts: { p_channel: '::text::channel' },
};

/** One verdict per recipient, in their order. */
export async function claimRecipients(
  tx: Transaction,
  broadcast: Pick<StoredBroadcast, 'id' | 'url'>,
  claims: readonly RecipientClaim[],
  options: {
    keyId: KeyId;
    linkSeconds: number;
    checkSeconds: number;
    channel: Channel;
    ratePerSecond: number | undefined;
    stepSeconds: number | undefined;
  },
): Promise<ClaimVerdict[]> {
  const column = <T>(read: (claim: RecipientClaim) => T) => claims.map(read);
  return await callFunction<ClaimVerdict>(tx, CLAIM, {
    p_broadcast: broadcast.id,
    p_key: options.keyId,
    p_number: column(({ number }) => number),
    p_id: column(({ messageId }) => messageId),
    p_body: column(({ body }) => body),
    p_skip: column(({ skip }) => skip),
    p_slug: column(({ slug }) => slug),
    p_route: column(({ route }) => route.join(',')),
    p_prices: column(({ prices }) => prices.join(',')),
    p_dearest: column(({ prices }) => Math.max(0, ...prices)),
    p_url: broadcast.url,
    p_link_seconds: options.linkSeconds,
    p_check_seconds: options.checkSeconds,
    p_channel: options.channel,
    p_rate: options.ratePerSecond ?? null,
    p_step_seconds: options.stepSeconds ?? null,
  });
}

export type ReturnedRecipient = { broadcastId: BroadcastId; number: number; messageId: MessageId };

/** A recipient whose message never left waits again; after too many tries it stays failed. */
export const returnRecipient: GroupStatement<ReturnedRecipient, boolean> = {
  name: 'return-recipients',
  itemsMax: 256,
  waitingMax: 4_096,
  async run(sql, items) {
    const rows = await callFunction<{ is_returned: boolean }>(
      sql,
      { name: 'return_recipients', columns: 'is_returned' },
      {
        p_broadcast: items.map(({ broadcastId }) => broadcastId),
        p_number: items.map(({ number }) => number),
        p_id: items.map(({ messageId }) => messageId),
        p_tries_max: TRIES_MAX,
      },
    );
    return rows.map(({ is_returned }) => is_returned);
  },
};

/** Codes take their part of a channel's rate: bulk messages wait for so many more turns. */
export async function takeTurns(
  sql: Sql,
  channel: Channel,
  turns: { count: number; ratePerSecond: number },
): Promise<void> {
  await sql.query(
    `update channel_pace set next_at = greatest(next_at, clock_timestamp()) + make_interval(secs => $2)
     where channel = $1`,
    [channel, turns.count / turns.ratePerSecond],
    'take-channel-turns',
  );
}
