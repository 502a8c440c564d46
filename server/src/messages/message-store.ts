import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageState } from '@zhiber/contract/api/events.ts';
import type { Sql } from '../db/sql.ts';
import type { StoredMessage } from '../delivery/message-store.ts';
import type { AttemptState } from '../delivery/settle-store.ts';
import type { CompanyId, KeyId, MessageId } from '../ids.ts';

export type StoredAttempt = {
  number: number;
  channel: Channel;
  state: AttemptState | 'sending';
  price: number;
  reason: string | null;
  receipt: StoredMessage['receipt'];
  started_at: Date;
  settled_at: Date | null;
  receipt_at: Date | null;
  delivered_at: Date | null;
  provider_id: string | null;
};

export async function findAttempts(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<StoredAttempt[]> {
  return await sql.query<StoredAttempt>(
    `select number, channel, state, price, reason, receipt, started_at, settled_at, receipt_at, delivered_at,
       provider_id
     from attempt where company_id = $1 and message_id = $2 order by number`,
    [companyId, id],
    'find-attempts',
  );
}

/** When the code of a message was verified; undefined if it was not. */
export async function findVerifiedAt(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<Date | undefined> {
  const rows = await sql.query<{ verified_at: Date }>(
    `select c.verified_at from message m
     join code c on c.key_id = m.key_id and c.phone = m.recipient and c.purpose = m.purpose
     where m.company_id = $1 and m.id = $2 and c.message_id = m.id and c.verified_at is not null`,
    [companyId, id],
    'find-verified-at',
  );
  return rows[0]?.verified_at;
}

export async function findBroadcastName(
  sql: Sql,
  companyId: CompanyId,
  id: string,
): Promise<string | undefined> {
  const rows = await sql.query<{ name: string }>(
    'select name from broadcast where id = $1 and company_id = $2',
    [id, companyId],
    'find-broadcast-name',
  );
  return rows[0]?.name;
}

export type Clicks = { count: number; first_at: Date | null };

/** More clicks than the link of a message ever has. Past it, the page of the link has the count. */
const CLICKS_READ_MAX = 100_000;

/** Clicks by people on the link of a message: the hourly sums, plus the clicks since then. */
export async function countClicks(sql: Sql, companyId: CompanyId, slug: string): Promise<Clicks> {
  const rows = await sql.query<Clicks>(
    `select (coalesce(sum(people), 0))::integer as count, min(first_at) as first_at from (
       select h.people, h.first_at from click_hour h where h.company_id = $1 and h.slug_key = lower($2)
       union all
       select (not c.is_robot)::integer, case when not c.is_robot then c.at end
       from (select c.at, c.is_robot from link l join click c on c.company_id = l.company_id
           and c.slug_key = l.slug_key and c.at >= coalesce(l.clicks_until, '-infinity')
         where l.company_id = $1 and l.slug_key = lower($2) limit ${CLICKS_READ_MAX}) as c) as clicked`,
    [companyId, slug],
    'count-clicks',
  );
  return rows[0] as Clicks;
}

/** What the detail page shows beside the message itself. */
export type SendFacts = {
  key_id: KeyId;
  fallback_seconds: number;
  /** Of its key; none when the company cannot send with it any more. */
  channels: Channel[];
  is_with_link: boolean;
  /** Seconds since the last code to this phone; null when there is no recent one. */
  last_code_seconds: number | null;
};

export async function readSendFacts(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<SendFacts> {
  const rows = await sql.query<SendFacts>(
    `select m.key_id, k.fallback_seconds, m.slug is not null as is_with_link,
       case when k.revoked_at is null and not k.is_for_broadcasts then k.channels::text[] else '{}' end as channels, (
       select extract(epoch from clock_timestamp() - max(t))::double precision
       from recent_sends g, unnest(g.recent) as t
       where g.company_id = m.company_id and g.recipient = m.recipient and g.kind = 'otp' and m.kind = 'otp'
         and g.is_test = m.is_test and t <= clock_timestamp()) as last_code_seconds
     from message m join api_key k on k.company_id = m.company_id and k.id = m.key_id
     where m.company_id = $1 and m.id = $2`,
    [companyId, id],
    'read-send-facts',
  );
  return rows[0] as SendFacts;
}

export type SentLink = {
  key_id: KeyId;
  recipient: string;
  body: string;
  slug: string;
  /** The long one. */
  url: string;
};

/** What a link message was made of; undefined for any other message. */
export async function findSentLink(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<SentLink | undefined> {
  const rows = await sql.query<SentLink>(
    `select m.key_id, m.recipient::text as recipient, m.body, l.slug, l.url from message m
     join link l on l.slug_key = lower(m.slug) and l.company_id = m.company_id
     where m.company_id = $1 and m.id = $2 and m.kind = 'link' and m.body is not null`,
    [companyId, id],
  );
  return rows[0];
}

/**
 * The state of a message as its company sees it; `SHOWN_STATE` is the same in SQL. An SMS is never
 * read: what says so is the receipt of a channel before it, or of a provider that guesses.
 */
export function shownState(
  message: Pick<StoredMessage, 'state' | 'receipt' | 'channel'>,
): MessageState {
  if (message.state === 'sending' || message.state === 'failed') return message.state;
  if (message.receipt === 'read' && message.channel === 'sms') return 'delivered';
  if (message.receipt === 'delivered' || message.receipt === 'read') return message.receipt;
  if (message.state === 'unknown') return 'unknown';
  return message.receipt ?? 'sent';
}

export const SHOWN_STATE = `case when m.state in ('sending', 'failed') then m.state::text
  when m.receipt = 'read' and m.channel = 'sms' then 'delivered'
  when m.receipt in ('delivered', 'read') then m.receipt::text
  when m.state = 'unknown' then 'unknown'
  else coalesce(m.receipt::text, 'sent') end`;
