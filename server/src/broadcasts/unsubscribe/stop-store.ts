import type { AttemptRef } from '../../channels/channel.ts';
import type { Sql } from '../../db/sql.ts';
import { type CompanyId, lowestIdAt } from '../../ids.ts';
import type { Phone } from '../../phone.ts';

/** Whose broadcast somebody answers or leaves. */
export type BroadcastOrigin = { companyId: CompanyId; broadcastId: string };

/** The last broadcast that may have reached a phone since then. */
export async function findLastBroadcast(
  sql: Sql,
  phone: Phone,
  since: Date,
): Promise<BroadcastOrigin | undefined> {
  const rows = await sql.query<BroadcastOrigin>(
    `select r.company_id as "companyId", r.broadcast_id as "broadcastId"
     from broadcast_row r
     join message m on m.company_id = r.company_id and m.id = r.message_id and m.state <> 'failed'
     where r.phone = $1 and r.message_id >= $2
     order by r.message_id desc limit 1`,
    [phone, lowestIdAt(since.getTime())],
    'find-last-broadcast',
  );
  return rows[0];
}

/** The recipient of a message, and the broadcast that it is part of. */
export async function findRecipient(
  sql: Sql,
  { companyId, messageId }: Pick<AttemptRef, 'companyId' | 'messageId'>,
): Promise<{ phone: Phone; broadcastId: string | null } | undefined> {
  const rows = await sql.query<{ phone: Phone; broadcastId: string | null }>(
    `select m.recipient::text as phone,
       (select b.id from broadcast b where b.company_id = m.company_id and b.id::text = m.request_id) as "broadcastId"
     from message m where m.company_id = $1 and m.id = $2 and m.kind <> 'group'`,
    [companyId, messageId],
    'find-recipient',
  );
  return rows[0];
}

/** A recipient as the page of the unsubscribe link needs it. */
export type LinkedRecipient = BroadcastOrigin & {
  phone: Phone;
  /** The name that people know. */
  company: string;
  /** From whom this phone wants no broadcasts any more; null: it still gets them. */
  unsubscribedFrom: 'company' | 'everyone' | null;
};

export async function findLinkedRecipient(
  sql: Sql,
  rowId: number,
): Promise<LinkedRecipient | undefined> {
  const rows = await sql.query<LinkedRecipient>(
    `select r.company_id as "companyId", r.broadcast_id as "broadcastId", r.phone::text as phone,
       coalesce(c.brand, c.name) as company,
       (select case when bool_or(u.company_id is null) then 'everyone' else 'company' end
        from unsubscribed u where u.phone = r.phone and (u.company_id = r.company_id or u.company_id is null)
        having count(*) > 0) as "unsubscribedFrom"
     from broadcast_row r join company c on c.id = r.company_id
     where r.id = $1 and r.phone is not null`,
    [rowId],
    'find-linked-recipient',
  );
  return rows[0];
}
