import type { EntryKind } from '@zhiber/contract/cabinet/ledger-words.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

/** Entries whose numbers are at least `from` and below `to`. Entries never change. */
export type NumberSpan = { from: number; to: number };

export type StoredEntry = {
  number: number;
  kind: EntryKind;
  amount: number;
  /** Negative when the charges of messages were given back. */
  messages: number;
  balance_after: number;
  created_at: Date;
  receipt_number: number | null;
  order_reference: string | null;
  reason: string | null;
};

/**
 * The numbers of the entries that were posted between two times; a missing time is no bound. All
 * entries of the span are committed: a number is counted in the account by the transaction that adds
 * the entry. So they can be read in any number of statements, and no snapshot has to be kept open.
 */
export async function findNumberSpan(
  sql: Sql,
  companyId: CompanyId,
  times: { from: Date | undefined; to: Date | undefined },
): Promise<NumberSpan> {
  const rows = await sql.query<NumberSpan>(
    `select case when $2::timestamptz is null then 1 else first_entry_since($1, $2) end as "from",
       case when $3::timestamptz is null then a.entries + 1 else first_entry_since($1, $3) end as "to"
     from account a where a.company_id = $1`,
    [companyId, times.from ?? null, times.to ?? null],
  );
  return rows[0] as NumberSpan;
}

export type EntryFilter = {
  span: NumberSpan;
  /** All kinds when undefined. */
  kinds: readonly EntryKind[] | undefined;
};
export type EntryOrder = 'newest_first' | 'oldest_first';

/** What messages cost, and what was given back of it. */
export const CHARGES: readonly EntryKind[] = ['charge', 'charge_moved'];

export async function listEntries(
  sql: Sql,
  companyId: CompanyId,
  { span, kinds }: EntryFilter,
  { order, rowsMax }: { order: EntryOrder; rowsMax: number },
): Promise<StoredEntry[]> {
  const direction = order === 'newest_first' ? 'desc' : 'asc';
  // Entries that are no charges are rare and have an index of their own.
  const hasCharges = kinds === undefined || kinds.some((kind) => CHARGES.includes(kind));
  return await sql.query<StoredEntry>(
    `select e.number, e.kind, e.amount, e.messages, e.balance_after, e.created_at,
       p.receipt_number, o.reference as order_reference, coalesce(r.reason, c.reason) as reason
     from (
       select * from entry where company_id = $1 and number >= $2 and number < $3
         and ($4::text[] is null or kind = any ($4::text[]::entry_kind[]))
         ${hasCharges ? '' : `and kind not in ('charge', 'charge_moved')`}
       order by number ${direction} limit $5
     ) e
     left join refund r on e.kind in ('refund', 'bonus_taken_back', 'refund_refused') and r.id = e.cause
     left join payment p on p.id = case when e.kind in ('topup', 'first_topup_bonus', 'debt_paid')
       then e.cause else r.payment_id end
     left join payment_order o on o.id = p.order_id
     left join correction c on e.kind = 'correction' and c.id = e.cause
     order by e.number ${direction}`,
    [companyId, span.from, span.to, kinds ?? null, rowsMax],
  );
}

export type KindSum = { kind: EntryKind; amount: number; messages: number };

/** The entries of a span by kind, added up. */
export async function sumByKind(
  sql: Sql,
  companyId: CompanyId,
  span: NumberSpan,
): Promise<KindSum[]> {
  return await sql.query<KindSum>(
    `select kind, sum(amount)::bigint as amount, sum(messages)::bigint as messages from entry
     where company_id = $1 and number >= $2 and number < $3 group by kind`,
    [companyId, span.from, span.to],
  );
}

/** What the entries of a span that are no charges add up to. Reads none of the charges. */
export async function sumOfOthers(
  sql: Sql,
  companyId: CompanyId,
  span: NumberSpan,
): Promise<number> {
  const rows = await sql.query<{ total: number }>(
    `select coalesce(sum(amount), 0)::bigint as total from entry
     where company_id = $1 and number >= $2 and number < $3 and kind not in ('charge', 'charge_moved')`,
    [companyId, span.from, span.to],
  );
  return (rows[0] as { total: number }).total;
}

/** The balance after an entry; 0 before the first one. */
export async function readBalanceAfter(
  sql: Sql,
  companyId: CompanyId,
  number: number,
): Promise<number> {
  if (number === 0) return 0;
  const rows = await sql.query<{ balance_after: number }>(
    'select balance_after from entry where company_id = $1 and number = $2',
    [companyId, number],
  );
  return (rows[0] as { balance_after: number }).balance_after;
}
