import type { EntryKind } from '@zhiber/contract/cabinet/ledger-words.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { analyzeTables } from '../analyze-tables.ts';
import type { useService } from '../harness.ts';

type Service = ReturnType<typeof useService>;
export type PastEntry = { kind: EntryKind; amount: number; at: string | Date; messages?: number };

/** A company without any entry. */
export async function createEmptyCompany({ sql }: Service): Promise<CompanyId> {
  const [company] = await sql<{ id: CompanyId }>(
    `insert into company (name, business_id, created_at)
     values ('ТОО «Проводки»', '980540000016', clock_timestamp() - interval '200 days') returning id`,
  );
  const { id } = company as { id: CompanyId };
  await sql('insert into account (company_id) values ($1)', [id]);
  return id;
}

/** Adds entries of the past to the ledger of a company, each after the one before it. */
export async function insertEntries(
  service: Service,
  companyId: CompanyId,
  entries: readonly PastEntry[],
): Promise<void> {
  for (const { kind, amount, at, messages = 0 } of entries) {
    await service.sql(
      `with paid as (
         update account set balance = balance + $3, entries = entries + 1 where company_id = $1
         returning balance, entries)
       insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
       select $1, entries, $2, $4, $3, $5, balance, $6 from paid`,
      [companyId, kind, amount, newId(Date.now()), messages, at],
    );
  }
  await coverCharges(service, companyId);
}

/**
 * Adds that many charges of 3 and 8 tokens in turn, spread evenly over the last 28 days, and a
 * correction before them that pays for all.
 */
export async function insertManyCharges(
  service: Service,
  companyId: CompanyId,
  count: number,
): Promise<void> {
  const at = new Date(Date.now() - 28 * 24 * 3_600_000);
  await insertEntries(service, companyId, [{ kind: 'correction', amount: 8 * count, at }]);
  await service.ctx.db.maintain((own) =>
    own.query(
      `with charges as (
         select n, $3::timestamptz + interval '28 days' * n / ($2::integer + 1) as at,
           -- The sum of the first n charges of 3, 8, 3, 8 …
           (n / 2) * 11 + (n % 2) * 3 as spent
         from generate_series(1, $2::integer) as n
       ), posted as (
         insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
         select $1, a.entries + n, 'charge', (substr(uuid_at(at)::text, 1, 14) || '7'
             || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3) || '-' || substr(md5(n::text), 7, 12))::uuid,
           case n % 2 when 1 then -3 else -8 end, 1, a.balance - spent, at
         from charges, account a where a.company_id = $1
       )
       update account set entries = entries + $2, balance = balance - ($2 / 2) * 11 - ($2 % 2) * 3
       where company_id = $1`,
      [companyId, count, at],
    ),
  );
  await analyzeTables(service, 'entry');
  await coverCharges(service, companyId);
}

/** As if the messages that were charged for had been deleted since, so that the ledger balances. */
async function coverCharges({ sql }: Service, companyId: CompanyId): Promise<void> {
  await sql(
    `insert into removed_month (company_id, month, messages, charged)
     select $1, '2020-01-01', 0, coalesce(-sum(e.amount), 0) - (select coalesce(sum(charged), 0) from message
       where company_id = $1)
     from entry e where e.company_id = $1 and e.kind in ('charge', 'charge_moved')
     on conflict (company_id, month) do update set charged = excluded.charged`,
    [companyId],
  );
}
