import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, MessageId, MessageKind } from '../ids.ts';

export type StoredMessage = {
  id: MessageId;
  kind: MessageKind;
  is_test: boolean;
  recipient: string;
  state: 'sending' | 'sent' | 'failed' | 'unknown';
  receipt: 'unconfirmed' | 'failed' | 'delivered' | 'read' | null;
  channel: Channel | null;
  /** Channels not tried yet, separated by commas. */
  route: string;
  charged: number;
  reason: string | null;
  slug: string | null;
  provider_id: string | null;
  /** The text of a link or group message; never a code. */
  body: string | null;
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
    `select m.id, m.kind, m.is_test, m.recipient::text as recipient, m.state, m.receipt, m.channel, m.route,
       m.charged, m.reason, m.slug, m.provider_id, m.body, m.request_id, m.created_at, m.settled_at, m.receipt_at, m.delivered_at, a.balance,
       extract(epoch from clock_timestamp() - m.created_at)::double precision as age_seconds
     from message m join account a using (company_id)
     where m.company_id = $1 and m.id = $2`,
    [companyId, id],
    'find-message',
  );
  return rows[0];
}
