import type { UNSUBSCRIBE_SOURCES } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import type { CompanyId } from '../../ids.ts';
import type { Phone } from '../../phone.ts';

export type UnsubscribeSource = (typeof UNSUBSCRIBE_SOURCES)[number];

/**
 * Keeps a phone from the broadcasts of a company, or of all companies (`companyId` is null). Returns
 * whether it is new. What a person asks for replaces what the company or the operator has entered, so
 * that neither can take it back.
 */
export async function addUnsubscribed(
  sql: Sql,
  unsubscribed: {
    phone: Phone;
    companyId: CompanyId | null;
    source: UnsubscribeSource;
    broadcastId?: string | null | undefined;
  },
): Promise<boolean> {
  const { phone, companyId, source, broadcastId = null } = unsubscribed;
  const rows = await sql.query<{ is_new: boolean }>(
    `insert into unsubscribed as u (phone, company_id, source, broadcast_id) values ($1, $2, $3, $4)
     on conflict (phone, company_id) do update set source = excluded.source, broadcast_id = excluded.broadcast_id,
       at = clock_timestamp()
     where u.source in ('company', 'operator') and excluded.source not in ('company', 'operator')
     -- The system column is 0 in a row that was inserted.
     returning xmax = 0 as is_new`,
    [phone, companyId, source, broadcastId],
  );
  return rows[0]?.is_new ?? false;
}

/** What a company enters by hand; returns how many phones are new. */
export async function addByCompany(
  tx: Transaction,
  companyId: CompanyId,
  phones: readonly Phone[],
): Promise<number> {
  const rows = await tx.query(
    `insert into unsubscribed (phone, company_id, source) select phone, $1, 'company' from unnest($2::bigint[]) as phone
     on conflict (phone, company_id) do nothing returning 1`,
    [companyId, phones],
  );
  return rows.length;
}

export type UnsubscribedPhone = {
  id: number;
  phone: number;
  source: UnsubscribeSource;
  at: Date;
  is_everywhere: boolean;
};

/**
 * Newest first. Phones that unsubscribed from all companies are found one by one alone: a list of
 * them would give a company the phones of others.
 */
export async function listUnsubscribed(
  sql: Sql,
  filter: {
    companyId: CompanyId;
    phone?: Phone | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<UnsubscribedPhone[]> {
  const { companyId, phone, before, limit } = filter;
  return await sql.query<UnsubscribedPhone>(
    `select id, phone, source, at, company_id is null as is_everywhere from unsubscribed
     where (company_id = $1 or company_id is null and $2::bigint is not null)
       and ($2::bigint is null or phone = $2) and ($3::bigint is null or id < $3)
     order by id desc limit $4`,
    [companyId, phone ?? null, before ?? null, limit],
  );
}

/** Who has a phone on the list: `company` when the company alone, another source otherwise. */
export async function findSource(
  tx: Transaction,
  companyId: CompanyId,
  phone: Phone,
): Promise<UnsubscribeSource | undefined> {
  const rows = await tx.query<{ source: UnsubscribeSource }>(
    `select source from unsubscribed where phone = $2 and (company_id = $1 or company_id is null)
     order by company_id nulls last for update`,
    [companyId, phone],
  );
  return rows[0]?.source;
}

export async function deleteUnsubscribed(
  tx: Transaction,
  companyId: CompanyId,
  phone: Phone,
): Promise<void> {
  await tx.query('delete from unsubscribed where company_id = $1 and phone = $2', [
    companyId,
    phone,
  ]);
}

/** What the operator entered alone. False when there is no such entry. */
export async function deleteByOperator(sql: Sql, phone: Phone): Promise<boolean> {
  const rows = await sql.query(
    `delete from unsubscribed where phone = $1 and company_id is null and source = 'operator' returning 1`,
    [phone],
  );
  return rows.length > 0;
}
