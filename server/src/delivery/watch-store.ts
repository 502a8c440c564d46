import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Receipt } from '../channels/channel.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, KeyId, MessageId, MessageKind } from '../ids.ts';
import type { AttemptState } from './settle-store.ts';

/** A message as the watch and the fallback see it. */
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
  /** How long ago a fallback was claimed that nobody has settled. */
  open_attempt_seconds: number | null;
  /** The newest attempt that was accepted. */
  standing_attempt: number;
};

const WATCHED_COLUMNS = `company_id, id, key_id, kind, is_test, recipient::text as recipient, state, receipt,
  channel, route, attempt, hold, charged, slug, body`;

/**
 * Takes what is due, for this node alone: each is due again after the lease, in case this node
 * dies.
 */
export async function takeDue(
  sql: Sql,
  options: { limit: number; leaseSeconds: number },
): Promise<DueMessage[]> {
  return await sql.query<DueMessage>(
    `select ${WATCHED_COLUMNS}, age_seconds, settled_seconds, open_attempt_seconds,
       standing_attempt
     from take_due($1, $2)`,
    [options.limit, options.leaseSeconds],
    'take-due',
  );
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

/** A fallback whose process died while it was being sent, and what it takes to go on with it. */
export type AbandonedFallback = {
  channel: Channel;
  price: number;
  sealed: Buffer | null;
  code_seconds: number | null;
};

/** Nobody wants a link after this, and no provider need remember what it has sent for longer. */
const LINK_MINUTES_MAX = 15;

/** Undefined when it is of no use any more: settled by now, or its code or link is used, old or replaced. */
export async function findAbandonedFallback(
  sql: Sql,
  message: WatchedMessage,
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
       and (c.sealed is not null or m.kind = 'link'
         and a.started_at > clock_timestamp() - make_interval(mins => $3))`,
    [message.company_id, message.id, LINK_MINUTES_MAX],
    'find-abandoned-fallback',
  );
  return rows[0];
}

/** The provider's own id of the attempt that stands. */
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

/** Makes messages due again that the cursor has passed without seeing them, of the next so many. */
export async function sweepMissed(
  sql: Sql,
  limit: number,
): Promise<{ missed: number; has_more: boolean }> {
  const rows = await sql.query<{ missed: number; has_more: boolean }>(
    'select missed, has_more from sweep_missed($1)',
    [limit],
    'sweep-missed',
  );
  return rows[0] as { missed: number; has_more: boolean };
}

/** Looks at a message again then; never sooner than the cursor can be sure to see it. */
export async function lookAgain(sql: Sql, message: WatchedMessage, seconds: number): Promise<void> {
  await sql.query(
    `update message set look_at = clock_timestamp() + make_interval(secs => greatest($3::float8, 5))
     where company_id = $1 and id = $2`,
    [message.company_id, message.id, seconds],
    'look-again',
  );
}

/**
 * Nothing more will be tried: what has not been confirmed by now is shown as unconfirmed. A code that
 * was verified has arrived, whatever the channel says.
 */
export async function endWatch(sql: Sql, message: WatchedMessage): Promise<void> {
  await sql.query(
    `update message m set route = '', receipt_at = coalesce(m.receipt_at, clock_timestamp()),
       receipt = coalesce(m.receipt, case when exists (
         select 1 from code c where c.key_id = m.key_id and c.phone = m.recipient
           and c.purpose = m.purpose and c.message_id = m.id and c.verified_at is not null)
         then 'delivered' else 'unconfirmed' end::receipt)
     where m.company_id = $1 and m.id = $2 and m.state = 'sent'`,
    [message.company_id, message.id],
    'end-watch',
  );
  if (message.kind !== 'otp') return;
  await sql.query(
    `update code c set sealed = null from message m
     where m.company_id = $1 and m.id = $2 and c.key_id = m.key_id and c.phone = m.recipient
       and c.purpose = m.purpose and c.message_id = m.id`,
    [message.company_id, message.id],
    'wipe-sealed',
  );
}

export type Claim =
  | { verdict: 'claimed'; sealed: Buffer | null; code_seconds: number | null }
  | { verdict: 'gone' }
  | { verdict: 'over' }
  | { verdict: 'short' };

export async function claimFallback(
  sql: Sql,
  message: WatchedMessage,
  next: { attempt: number; channel: Channel; route: string; price: number; leaseSeconds: number },
): Promise<Claim> {
  const rows = await sql.query<Claim>(
    'select verdict, sealed, code_seconds from claim_fallback($1, $2, $3, $4, $5, $6, $7)',
    [
      message.company_id,
      message.id,
      next.attempt,
      next.channel,
      next.route,
      next.price,
      next.leaseSeconds,
    ],
    'claim-fallback',
  );
  return rows[0] as Claim;
}

export async function settleFallback(
  sql: Sql,
  message: WatchedMessage,
  result: {
    attempt: number;
    state: AttemptState;
    price: number;
    providerId: string | null;
    reason: string | null;
    lookSeconds: number;
    cause: string;
  },
): Promise<boolean> {
  const rows = await sql.query<{ is_settled: boolean }>(
    'select settle_fallback($1, $2, $3, $4, $5, $6, $7, $8, $9) as is_settled',
    [
      message.company_id,
      message.id,
      result.attempt,
      result.state,
      result.price,
      result.providerId,
      result.reason,
      result.lookSeconds,
      result.cause,
    ],
    'settle-fallback',
  );
  return rows[0]?.is_settled ?? false;
}
