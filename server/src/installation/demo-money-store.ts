import type { EntryKind } from '@zhiber/contract/cabinet/ledger-words.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';

/** What moved the balance of the demo company at a time in the past. */
export type PastEntry = {
  kind: EntryKind;
  cause: string;
  at: Date;
  amount: number;
  messages: number;
};

/**
 * Adds entries to the ledger in the order of their times, numbered and with their balances, as the
 * sends and payments of those days would have. None is earlier than the last entry that is there
 * already: the ledger is read in the order of its numbers.
 */
export async function postPastEntries(
  tx: Transaction,
  companyId: CompanyId,
  entries: readonly PastEntry[],
): Promise<void> {
  await tx.query('select from account where company_id = $1 for update', [companyId]);
  await tx.query(
    `with before as (
       select a.balance, a.entries, (select e.created_at from entry e
         where e.company_id = a.company_id and e.number = a.entries) as last_at
       from account a where a.company_id = $1
     ), added as (
       select p.kind, p.cause, p.amount, p.messages, greatest(p.at, b.last_at) as at,
         b.entries + row_number() over steps as number, b.balance + sum(p.amount) over steps as balance
       from jsonb_to_recordset($2) as p(place integer, kind entry_kind, cause uuid, at timestamptz, amount bigint,
         messages integer) cross join before b
       window steps as (order by p.at, p.place)
     ), posted as (
       insert into entry (company_id, number, kind, cause, amount, messages, balance_after, created_at)
       select $1, number, kind, cause, amount, messages, balance, at from added order by number
       returning amount
     )
     update account set balance = balance + s.amount, entries = entries + s.count
     from (select coalesce(sum(amount), 0) as amount, count(*) as count from posted) s where company_id = $1`,
    [companyId, JSON.stringify(entries.map((entry, place) => ({ ...entry, place })))],
  );
}

export type PastPayment = {
  id: string;
  at: Date;
  amount: number;
  bonus: number;
  payerName: string;
  /** The number of the bank's document. */
  document: string;
};

/** Payments by bank transfer, with the numbers of their receipts. */
export async function insertPastPayments(
  tx: Transaction,
  companyId: CompanyId,
  payments: readonly PastPayment[],
): Promise<void> {
  await tx.query(
    `with numbered as (
       update paper_number set last = last + $3 where kind = 'receipt' returning last - $3 as last)
     insert into payment (id, company_id, provider, provider_payment_id, amount, bonus, payer_name, paid_at,
       credited_at, receipt_number)
     select p.id, $1, 'terminal', p.document, p.amount, p.bonus, p."payerName", p.at, p.at,
       n.last + row_number() over (order by p.at)
     from jsonb_to_recordset($2) as p(id uuid, at timestamptz, amount bigint, bonus bigint, "payerName" text,
       document text) cross join numbered n`,
    [companyId, JSON.stringify(payments), payments.length],
  );
}

/** The company came, had its welcome and paid for the first time at a moment in the past. */
export async function setDemoStart(tx: Transaction, companyId: CompanyId, at: Date): Promise<void> {
  await tx.query('update company set created_at = $2 where id = $1', [companyId, at]);
  await tx.query('update account set welcomed_at = $2, first_topup_at = $2 where company_id = $1', [
    companyId,
    at,
  ]);
}

export type PastAuditEvent = {
  at: Date;
  personId: string | null;
  personName: string | null;
  action: string;
  object: string;
  after?: object;
};

/** In the order that they are given in. */
export async function insertPastAuditEvents(
  tx: Transaction,
  companyId: CompanyId,
  events: readonly PastAuditEvent[],
): Promise<void> {
  await tx.query(
    `insert into audit_record (company_id, at, person_id, person_name, action, object, after)
     select $1, e.at, e."personId", e."personName", e.action, e.object, e.after
     from jsonb_to_recordset($2) as e(place integer, at timestamptz, "personId" text, "personName" text, action text,
       object text, after jsonb) order by e.place`,
    [companyId, JSON.stringify(events.map((event, place) => ({ ...event, place })))],
  );
}
