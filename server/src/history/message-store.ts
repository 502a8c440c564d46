import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageState } from '@zhiber/contract/api/events.ts';
import type { Sql } from '../db/group-commit.ts';
import type { MessageKind } from '../delivery/reserve-store.ts';
import type { AttemptState } from '../delivery/settle-store.ts';
import type { CompanyId, MessageId } from '../ids.ts';

export type StoredMessage = {
  id: MessageId;
  kind: MessageKind;
  is_test: boolean;
  recipient: string;
  state: 'sending' | 'sent' | 'failed' | 'unknown';
  receipt: 'unconfirmed' | 'failed' | 'delivered' | 'read' | null;
  channel: Channel | null;
  charged: number;
  reason: string | null;
  slug: string | null;
  request_id: string;
  created_at: Date;
  settled_at: Date | null;
  receipt_at: Date | null;
  delivered_at: Date | null;
  age_seconds: number;
  balance: number;
};

export async function findMessage(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<StoredMessage | undefined> {
  const rows = await sql.query<StoredMessage>(
    `select m.id, m.kind, m.is_test, m.recipient::text as recipient, m.state, m.receipt, m.channel, m.charged,
       m.reason, m.slug, m.request_id, m.created_at, m.settled_at, m.receipt_at, m.delivered_at, a.balance,
       extract(epoch from clock_timestamp() - m.created_at)::double precision as age_seconds
     from message m join account a using (company_id)
     where m.company_id = $1 and m.id = $2`,
    [companyId, id],
    'find-message',
  );
  return rows[0];
}

export type StoredAttempt = {
  number: number;
  channel: Channel;
  state: AttemptState | 'sending';
  reason: string | null;
  receipt: StoredMessage['receipt'];
  started_at: Date;
  settled_at: Date | null;
  receipt_at: Date | null;
  delivered_at: Date | null;
};

export async function findAttempts(
  sql: Sql,
  companyId: CompanyId,
  id: MessageId,
): Promise<StoredAttempt[]> {
  return await sql.query<StoredAttempt>(
    `select number, channel, state, reason, receipt, started_at, settled_at, receipt_at, delivered_at
     from attempt where company_id = $1 and message_id = $2 order by number`,
    [companyId, id],
    'find-attempts',
  );
}

/** When the code of a message was verified, if it was. */
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

/** The state of a message as its company sees it. */
export function shownState(message: Pick<StoredMessage, 'state' | 'receipt'>): MessageState {
  if (message.state === 'sending' || message.state === 'failed') return message.state;
  if (message.receipt === 'delivered' || message.receipt === 'read') return message.receipt;
  if (message.state === 'unknown') return 'unknown';
  return message.receipt ?? 'sent';
}
