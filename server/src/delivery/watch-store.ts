import type { Channel } from '@zhiber/contract/api/channel.ts';
import { isQuiet, type QuietRules } from '@zhiber/contract/quiet-hours.ts';
import { accountLocks } from '../billing/ledger-store.ts';
import type { Receipt } from '../channels/channel.ts';
import { callFunction } from '../db/call-function.ts';
import type { Database } from '../db/database.ts';
import type { GroupStatement } from '../db/group-commit.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, KeyId, MessageId, MessageKind } from '../ids.ts';
import type { AttemptState } from './settle-store.ts';

/** The columns of a message that the watch and the fallback need. */
export type WatchedMessage = {
  company_id: CompanyId;
  id: MessageId;
  key_id: KeyId;
  kind: MessageKind;
  is_test: boolean;
  recipient: string;
  state: 'sending' | 'sent' | 'failed' | 'unknown';
  receipt: Receipt | 'unconfirmed' | null;
  channel: Channel | null;
  route: string;
  attempt: number;
  hold: number;
  charged: number;
  slug: string | null;
  body: string | null;
};

export type DueMessage = WatchedMessage & {
  age_seconds: number;
  settled_seconds: number | null;
  /** The age of a fallback that is claimed and not settled. */
  open_attempt_seconds: number | null;
  /** The newest attempt that was accepted. */
  standing_attempt: number;
};

const WATCHED_COLUMNS = `company_id, id, key_id, kind, is_test, recipient::text as recipient, state, receipt,
  channel, route, attempt, hold, charged, slug, body`;

const TAKE_DUE = {
  name: 'take_due',
  columns: `${WATCHED_COLUMNS}, age_seconds, settled_seconds, open_attempt_seconds,
    standing_attempt`,
};

/**
 * Leases the due messages to this node. Each is due again after the lease, in case the node dies.
 */
export async function takeDue(
  sql: Sql,
  options: { limit: number; leaseSeconds: number },
): Promise<DueMessage[]> {
  return await callFunction<DueMessage>(sql, TAKE_DUE, {
    p_limit: options.limit,
    p_lease_seconds: options.leaseSeconds,
  });
}

export async function findFallbackMessage(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<WatchedMessage | undefined> {
  const rows = await sql.query<WatchedMessage>(
    `select ${WATCHED_COLUMNS} from message where company_id = $1 and id = $2`,
    [companyId, id],
    'find-fallback-message',
  );
  return rows[0];
}

/** A fallback whose process died during the send, with what is needed to finish it. */
export type AbandonedFallback = {
  channel: Channel;
  price: number;
  sealed: Buffer | null;
  code_seconds: number | null;
};

/** A link is useless after this time, and providers need not remember a message for longer. */
const LINK_MINUTES_MAX = 15;

/**
 * Undefined when there is nothing left to send: it is settled, or its code or link is used, expired
 * or replaced.
 */
export async function findAbandonedFallback(
  sql: Sql,
  message: WatchedMessage,
  now: Date,
): Promise<AbandonedFallback | undefined> {
  const rows = await sql.query<AbandonedFallback>(
    `select a.channel, a.price, c.sealed,
       floor(extract(epoch from c.expires_at - clock_timestamp()))::integer as code_seconds
     from message m
     join attempt a on a.company_id = m.company_id and a.message_id = m.id and a.number = m.attempt
       and a.state = 'sending'
     left join code c on c.key_id = m.key_id and c.phone = m.recipient and c.purpose = m.purpose
       and c.message_id = m.id and c.verified_at is null and c.expires_at > clock_timestamp()
     where m.company_id = $1 and m.id = $2 and m.state = 'sent'
       and (c.sealed is not null or (m.kind = 'link'
           or m.kind = 'broadcast' and may_send_broadcast(m.company_id, m.request_id, m.recipient, $4) = 'now')
         and a.started_at > clock_timestamp() - make_interval(mins => $3))`,
    [message.company_id, message.id, LINK_MINUTES_MAX, await isQuietFor(sql, message, now)],
    'find-abandoned-fallback',
  );
  return rows[0];
}

/**
 * Whether the message of a broadcast may still be sent: its recipient wants it, and providers still
 * remember a repeat. It was claimed before a pause, which takes nothing back.
 */
export async function isBroadcastSendable(sql: Sql, message: WatchedMessage): Promise<boolean> {
  const rows = await sql.query<{ is_sendable: boolean }>(
    `select may_send_broadcast(m.company_id, m.request_id, m.recipient, false) <> 'never'
       and m.created_at > clock_timestamp() - make_interval(mins => $3) as is_sendable
     from message m where m.company_id = $1 and m.id = $2 and m.state = 'sending'`,
    [message.company_id, message.id, LINK_MINUTES_MAX],
    'is-broadcast-sendable',
  );
  return rows[0]?.is_sendable ?? false;
}

/** Whether a message belongs to a broadcast that rests now, by its quiet hours or its days off. */
async function isQuietFor(
  sql: Sql,
  { kind, company_id, id }: WatchedMessage,
  now: Date,
): Promise<boolean> {
  if (kind !== 'broadcast') return false;
  const rows = await sql.query<QuietRules>(
    `select b.quiet_from as "quietFrom", b.quiet_to as "quietTo", b.skips_days_off as "skipsDaysOff"
     from message m join broadcast b on b.company_id = m.company_id and b.id::text = m.request_id
     where m.company_id = $1 and m.id = $2`,
    [company_id, id],
    'is-quiet-for-message',
  );
  return rows.some((rules) => isQuiet(now, rules));
}

/** The provider's id of the newest accepted attempt. */
export async function findProviderId(
  sql: Sql,
  message: WatchedMessage,
): Promise<string | undefined> {
  const rows = await sql.query<{ provider_id: string | null }>(
    'select provider_id from message where company_id = $1 and id = $2',
    [message.company_id, message.id],
    'find-provider-id',
  );
  return rows[0]?.provider_id ?? undefined;
}

/**
 * Makes messages due again that the cursor passed before their commit was visible. Scans at most
 * `limit` messages.
 */
export async function sweepMissed(
  sql: Sql,
  limit: number,
): Promise<{ missed: number; has_more: boolean }> {
  const sweep = { name: 'sweep_missed', columns: 'missed, has_more' };
  const rows = await callFunction<{ missed: number; has_more: boolean }>(sql, sweep, {
    p_limit: limit,
  });
  return rows[0] as { missed: number; has_more: boolean };
}

/** Sets the next check of a message, at least 5 s ahead so that the cursor sees the row in time. */
export async function checkLater(
  sql: Sql,
  message: WatchedMessage,
  seconds: number,
): Promise<void> {
  await sql.query(
    `update message set next_check_at = clock_timestamp() + make_interval(secs => greatest($3::float8, 5))
     where company_id = $1 and id = $2`,
    [message.company_id, message.id, seconds],
    'check-later',
  );
}

const END_WATCH = { name: 'end_watch', columns: 'end_watch' };

/** Ends the watch over messages: no further channel is tried, and their charges are final. */
const endWatches: GroupStatement<{ companyId: CompanyId; id: MessageId }, void> = {
  name: 'end watch',
  locks: accountLocks,
  itemsMax: 512,
  waitingMax: 8_192,
  // Nobody waits for it.
  gatherMs: 50,
  async run(sql, items) {
    await callFunction(sql, END_WATCH, {
      p_company: items.map((item) => item.companyId),
      p_id: items.map((item) => item.id),
    });
    return items.map(() => undefined);
  },
};

export async function endWatch(
  db: Pick<Database, 'inGroup'>,
  { company_id, id }: WatchedMessage,
): Promise<void> {
  await db.inGroup(endWatches, { companyId: company_id, id });
}

/**
 * `gone`: the message has moved on. `over`: its code is no longer valid, or its recipient wants no
 * broadcasts. `later`: its broadcast is paused, or in its quiet hours. `short`: the balance does not
 * cover the price.
 */
export type Claim =
  | { verdict: 'claimed'; sealed: Buffer | null; code_seconds: number | null }
  | { verdict: 'gone' }
  | { verdict: 'over' }
  | { verdict: 'later' }
  | { verdict: 'short' };

const CLAIM_FALLBACK = { name: 'claim_fallback', columns: 'verdict, sealed, code_seconds' };

export async function claimFallback(
  sql: Sql,
  message: WatchedMessage,
  next: {
    attempt: number;
    channel: Channel;
    route: string;
    price: number;
    leaseSeconds: number;
    now: Date;
  },
): Promise<Claim> {
  const rows = await callFunction<Claim>(sql, CLAIM_FALLBACK, {
    p_company: message.company_id,
    p_id: message.id,
    p_attempt: next.attempt,
    p_channel: next.channel,
    p_route: next.route,
    p_price: next.price,
    p_lease_seconds: next.leaseSeconds,
    p_is_quiet: await isQuietFor(sql, message, next.now),
  });
  return rows[0] as Claim;
}

const SETTLE_FALLBACK = { name: 'settle_fallback', columns: 'settle_fallback as is_settled' };

export async function settleFallback(
  sql: Sql,
  message: WatchedMessage,
  result: {
    attempt: number;
    state: AttemptState;
    price: number;
    hasReceipts: boolean;
    providerId: string | null;
    reason: string | null;
    checkSeconds: number;
    cause: string;
  },
): Promise<boolean> {
  const rows = await callFunction<{ is_settled: boolean }>(sql, SETTLE_FALLBACK, {
    p_company: message.company_id,
    p_id: message.id,
    p_attempt: result.attempt,
    p_state: result.state,
    p_price: result.price,
    p_has_receipts: result.hasReceipts,
    p_provider_id: result.providerId,
    p_reason: result.reason,
    p_check_seconds: result.checkSeconds,
    p_cause: result.cause,
  });
  return rows[0]?.is_settled ?? false;
}
