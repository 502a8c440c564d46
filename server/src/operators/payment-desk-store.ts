import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { OrderState } from '../topups/order-store.ts';
import type { Refund } from '../topups/refund-store.ts';

type OfCompany = { company: { id: CompanyId; name: string } };
const COMPANY = `json_build_object('id', c.id, 'name', c.name) as company`;

export type DeskOrderRow = OfCompany & {
  id: string;
  reference: string;
  provider: string;
  amount: number;
  payer_name: string;
  payer_business_id: string | null;
  state: OrderState;
  created_at: Date;
  expires_at: Date;
  /** The provider knows it. */
  is_created: boolean;
  payments: number;
  paid: number;
};

const ORDER = `o.id, o.reference, o.provider, o.amount, o.payer_name, o.payer_business_id, o.state::text, o.created_at,
  o.expires_at, o.provider_id is not null as is_created, ${COMPANY},
  (select count(*)::integer from payment p where p.order_id = o.id) as payments,
  (select coalesce(sum(p.amount), 0)::double precision from payment p where p.order_id = o.id) as paid`;

/** Those that somebody has to look at, then those whose payment only a statement will show. */
export async function findOrdersToConfirm(
  sql: Sql,
  { byStatement, rowsMax }: { byStatement: readonly string[]; rowsMax: number },
): Promise<DeskOrderRow[]> {
  return await sql.query<DeskOrderRow>(
    `select ${ORDER} from payment_order o join company c on c.id = o.company_id
     where ${isToConfirm('$1')} order by o.state <> 'manual', o.id limit $2`,
    [byStatement, rowsMax],
  );
}

/** One that nobody has paid in time is not waited for any more. */
const isToConfirm = (byStatement: string) => `(o.state = 'manual'
  or o.state = 'pending' and o.expires_at > clock_timestamp() and o.provider = any (${byStatement}))`;

export async function countOrdersToConfirm(
  sql: Sql,
  byStatement: readonly string[],
): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from payment_order o where ${isToConfirm('$1')}`,
    [byStatement],
  );
  return (rows[0] as { count: number }).count;
}

export async function findDeskOrder(sql: Sql, id: string): Promise<DeskOrderRow | undefined> {
  const rows = await sql.query<DeskOrderRow>(
    `select ${ORDER} from payment_order o join company c on c.id = o.company_id where o.id = $1`,
    [id],
  );
  return rows[0];
}

export type ListFilter = {
  search?: string | undefined;
  companyId?: number | undefined;
  provider?: string | undefined;
  state?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

const paramsOf = ({ search, companyId, provider, state, from, to }: ListFilter) => [
  search ?? null,
  companyId ?? null,
  provider ?? null,
  state ?? null,
  from ?? null,
  to ?? null,
];

/** What people know a payer by; `$1` is the text that was searched for. */
const namesPayer = (
  row: string,
) => `(o.reference = upper($1) or ${row}.payer_business_id = $1 or c.business_id = $1
  or position(lower($1) in lower(c.name)) > 0 or position(lower($1) in lower(${row}.payer_name)) > 0)`;

/** Newest first. */
export async function listDeskOrders(
  sql: Sql,
  filter: ListFilter & { before?: string | undefined; limit: number },
): Promise<DeskOrderRow[]> {
  return await sql.query<DeskOrderRow>(
    `select ${ORDER} from payment_order o join company c on c.id = o.company_id
     where ($1::text is null or ${namesPayer('o')}) and ($2::bigint is null or o.company_id = $2)
       and ($3::text is null or o.provider = $3) and ($4::text is null or o.state::text = $4)
       and ($5::timestamptz is null or o.created_at >= $5) and ($6::timestamptz is null or o.created_at < $6)
       and ($7::uuid is null or o.id < $7)
     order by o.id desc limit $8`,
    [...paramsOf(filter), filter.before ?? null, filter.limit],
  );
}

export type DeskPaymentRow = OfCompany & {
  id: string;
  receipt_number: number;
  reference: string | null;
  asked: number | null;
  provider: string;
  provider_payment_id: string;
  payer_name: string | null;
  payer_business_id: string | null;
  amount: number;
  bonus: number;
  refunded: number;
  paid_at: Date;
  credited_at: Date;
  is_late: boolean;
  is_repeated: boolean;
  is_other_amount: boolean;
};

const PAYMENT = `p.id, p.receipt_number, o.reference, o.amount as asked, p.provider, p.provider_payment_id, p.payer_name,
  p.payer_business_id, p.amount, p.bonus, p.refunded, p.paid_at, p.credited_at, p.is_late, p.is_repeated,
  p.is_other_amount, ${COMPANY}`;
const FROM_PAYMENT =
  'payment p join company c on c.id = p.company_id left join payment_order o on o.id = p.order_id';
const IS_FLAGGED = '(p.is_late or p.is_repeated or p.is_other_amount)';
const MATCHES = `($1::text is null or ${namesPayer('p')} or p.receipt_number::text = $1
    or p.provider_payment_id in ($1, o.reference || '/' || $1))
  and ($2::bigint is null or p.company_id = $2) and ($3::text is null or p.provider = $3)
  and case $4::text when 'flagged' then ${IS_FLAGGED} when 'refunded' then p.refunded > 0
    when 'refunding' then exists (select from refund r where r.payment_id = p.id and r.state = 'asked') else true end
  and ($5::timestamptz is null or p.credited_at >= $5) and ($6::timestamptz is null or p.credited_at < $6)`;

/** Newest first; receipts are numbered in the order in which payments were credited. */
export async function listDeskPayments(
  sql: Sql,
  filter: ListFilter & { before?: number | undefined; limit: number },
): Promise<DeskPaymentRow[]> {
  return await sql.query<DeskPaymentRow>(
    `select ${PAYMENT} from ${FROM_PAYMENT}
     where ${MATCHES} and ($7::bigint is null or p.receipt_number < $7)
     order by p.receipt_number desc limit $8`,
    [...paramsOf(filter), filter.before ?? null, filter.limit],
  );
}

export type PaymentTotals = { payments: number; amount: number; bonus: number; refunded: number };

/** Of everything that the filters leave, on all pages of the list. */
export async function sumDeskPayments(sql: Sql, filter: ListFilter): Promise<PaymentTotals> {
  const rows = await sql.query<PaymentTotals>(
    `select count(*)::integer as payments, coalesce(sum(p.amount), 0)::double precision as amount,
       coalesce(sum(p.bonus), 0)::double precision as bonus,
       coalesce(sum(p.refunded), 0)::double precision as refunded
     from ${FROM_PAYMENT} where ${MATCHES}`,
    paramsOf(filter),
  );
  return rows[0] as PaymentTotals;
}

export async function findDeskPayment(sql: Sql, id: string): Promise<DeskPaymentRow | undefined> {
  const rows = await sql.query<DeskPaymentRow>(
    `select ${PAYMENT} from ${FROM_PAYMENT} where p.id = $1`,
    [id],
  );
  return rows[0];
}

const IS_UNSEEN = (row: string) =>
  `not exists (select from payment_review r where r.id = ${row}.id)`;

export async function findFlaggedPayments(sql: Sql, rowsMax: number): Promise<DeskPaymentRow[]> {
  return await sql.query<DeskPaymentRow>(
    `select ${PAYMENT} from ${FROM_PAYMENT} where ${IS_FLAGGED} and ${IS_UNSEEN('p')} order by p.id limit $1`,
    [rowsMax],
  );
}

export async function countFlaggedPayments(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from payment p where ${IS_FLAGGED} and ${IS_UNSEEN('p')}`,
  );
  return (rows[0] as { count: number }).count;
}

export type DeskRefundRow = OfCompany &
  Pick<
    Refund,
    | 'id'
    | 'payment_id'
    | 'amount'
    | 'bonus'
    | 'taken'
    | 'owed'
    | 'state'
    | 'reason'
    | 'asked_by'
    | 'asked_at'
    | 'settled_at'
    | 'tries'
    | 'next_try_at'
  > & { provider: string; receipt_number: number };

const REFUND = `select r.id, r.payment_id, r.amount, r.bonus, r.taken, r.owed, r.state::text, r.reason, r.asked_by, r.asked_at,
    r.settled_at, r.tries, r.next_try_at, p.provider, p.receipt_number, ${COMPANY}
  from refund r join payment p on p.id = r.payment_id join company c on c.id = r.company_id`;

/** Those that are left to people first, then the oldest. */
export async function findOpenRefunds(sql: Sql, rowsMax: number): Promise<DeskRefundRow[]> {
  return await sql.query<DeskRefundRow>(
    `${REFUND} where r.state = 'asked' order by r.next_try_at is not null, r.id limit $1`,
    [rowsMax],
  );
}

export async function countOpenRefunds(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from refund where state = 'asked'`,
  );
  return (rows[0] as { count: number }).count;
}

/** All of a payment, the oldest first. */
export async function findDeskRefundsOf(sql: Sql, paymentId: string): Promise<DeskRefundRow[]> {
  return await sql.query<DeskRefundRow>(`${REFUND} where r.payment_id = $1 order by r.id`, [
    paymentId,
  ]);
}

export async function findDeskRefund(sql: Sql, id: string): Promise<DeskRefundRow | undefined> {
  const rows = await sql.query<DeskRefundRow>(`${REFUND} where r.id = $1`, [id]);
  return rows[0];
}

export type DeskNoticeRow = {
  id: string;
  provider: string;
  received_at: Date;
  reference: string;
  outcome: string | null;
  amount: number | null;
  currency: string | null;
};

/** Nearly all are handled while the provider waits. */
const IS_ODD = `(n.handled_at is null and n.received_at < clock_timestamp() - interval '1 minute'
  or n.outcome in ('unknown_order', 'other_order', 'manual'))`;

export async function findOddNotices(sql: Sql, rowsMax: number): Promise<DeskNoticeRow[]> {
  return await sql.query<DeskNoticeRow>(
    `select n.id, n.provider, n.received_at, n.reference, n.outcome,
       (n.content #>> '{payment,amount}')::double precision as amount,
       n.content #>> '{payment,currency}' as currency
     from payment_notice n where ${IS_ODD} and ${IS_UNSEEN('n')} order by n.id limit $1`,
    [rowsMax],
  );
}

export async function countOddNotices(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from payment_notice n where ${IS_ODD} and ${IS_UNSEEN('n')}`,
  );
  return (rows[0] as { count: number }).count;
}

export type ReviewKind = 'line' | 'notice' | 'payment';
const REVIEWED: Record<ReviewKind, { table: string; label: string }> = {
  line: { table: 'bank_statement_line', label: `coalesce(bank_reference, amount::text)` },
  notice: { table: 'payment_notice', label: 'reference' },
  payment: { table: 'payment', label: 'receipt_number::text' },
};

/** What people call it; undefined when there is no such thing. */
export async function findReviewed(
  sql: Sql,
  kind: ReviewKind,
  id: string,
): Promise<string | undefined> {
  const { table, label } = REVIEWED[kind];
  const rows = await sql.query<{ label: string }>(
    `select ${label} as label from ${table} where id = $1`,
    [id],
  );
  return rows[0]?.label;
}

/** False when somebody has reviewed it before. */
export async function insertReview(
  tx: Transaction,
  review: { id: string; kind: ReviewKind; note: string | null; by: string },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into payment_review (id, kind, note, reviewed_by) values ($1, $2, $3, $4)
     on conflict do nothing returning id`,
    [review.id, review.kind, review.note, review.by],
  );
  return rows.length === 1;
}
