import type { Sql } from '../db/sql.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Phone } from '../phone.ts';

/** Whether a messenger has already carried a code to this phone for this purpose. */
export async function wasSentByMessenger(
  sql: Sql,
  { key, phone, purpose }: { key: Pick<ApiKey, 'companyId'>; phone: Phone; purpose: string },
): Promise<boolean> {
  const rows = await sql.query(
    `select from message m
     where m.company_id = $1 and m.recipient = $2 and m.purpose = $3 and m.state = 'sent'
       and m.channel <> 'sms' and m.created_at > clock_timestamp() - interval '15 minutes'
     limit 1`,
    [key.companyId, phone, purpose],
  );
  return rows.length > 0;
}

/** The messages with codes to this phone for this purpose that can still be entered. */
export async function listCodeMessages(
  sql: Sql,
  { key, phone, purpose }: { key: Pick<ApiKey, 'companyId'>; phone: Phone; purpose: string },
): Promise<MessageId[]> {
  const rows = await sql.query<{ id: MessageId }>(
    `select m.id from message m
     where m.company_id = $1 and m.recipient = $2 and m.purpose = $3
       and m.created_at > clock_timestamp() - interval '15 minutes'`,
    [key.companyId, phone, purpose],
  );
  return rows.map(({ id }) => id);
}
