import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export type Payment = {
  id: string;
  company_id: CompanyId;
  order_id: string | null;
  provider: string;
  provider_payment_id: string;
  amount: number;
  bonus: number;
  payer_name: string | null;
  payer_business_id: string | null;
  paid_at: Date;
  credited_at: Date;
  is_late: boolean;
  is_repeated: boolean;
  is_other_amount: boolean;
  refunded: number;
  receipt_number: number;
};

const COLUMNS = `id, company_id, order_id, provider, provider_payment_id, amount, bonus, payer_name,
  payer_business_id, paid_at, credited_at, is_late, is_repeated, is_other_amount, refunded, receipt_number`;

export type Money = { balance: number; held: number; debt: number };

/** Locks the account: everything that moves its money waits. Undefined when there is none. */
export async function lockMoney(tx: Transaction, companyId: CompanyId): Promise<Money | undefined> {
  const rows = await tx.query<Money>(
    'select balance, held, debt from account where company_id = $1 for update',
    [companyId],
  );
  return rows[0];
}

export async function readMoney(sql: Sql, companyId: CompanyId): Promise<Money> {
  const rows = await sql.query<Money>(
    'select balance, held, debt from account where company_id = $1',
    [companyId],
  );
  return rows[0] as Money;
}

export async function addDebt(tx: Transaction, companyId: CompanyId, by: number): Promise<void> {
  await tx.query('update account set debt = debt + $2 where company_id = $1', [companyId, by]);
}

/** The payment that a provider calls by this id. */
export async function findPaymentOf(
  sql: Sql,
  provider: string,
  providerPaymentId: string,
): Promise<Payment | undefined> {
  const rows = await sql.query<Payment>(
    `select ${COLUMNS} from payment where provider = $1 and provider_payment_id = $2`,
    [provider, providerPaymentId],
  );
  return rows[0];
}

/** Whoever credits by the same document of a bank waits until this transaction has ended. */
export async function lockDocument(
  tx: Transaction,
  { bankReference, amount, day }: { bankReference: string; amount: number; day: Date },
): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('zhiber document ' || $1, 0))`, [
    JSON.stringify([bankReference, amount, day]),
  ]);
}

/** The reference of another order that was paid by the same document of a bank. */
export async function findOtherOrderPaidBy(
  sql: Sql,
  paid: { orderId: string; bankReference: string; amount: number; from: Date; to: Date },
): Promise<string | undefined> {
  const rows = await sql.query<{ reference: string }>(
    `select o.reference from payment p join payment_order o on o.id = p.order_id
     where p.order_id <> $1 and p.provider_payment_id = o.reference || '/' || $2 and p.amount = $3
       and p.paid_at >= $4 and p.paid_at < $5 limit 1`,
    [paid.orderId, paid.bankReference, paid.amount, paid.from, paid.to],
  );
  return rows[0]?.reference;
}

export async function lockPayment(tx: Transaction, id: string): Promise<Payment | undefined> {
  const rows = await tx.query<Payment>(`select ${COLUMNS} from payment where id = $1 for update`, [
    id,
  ]);
  return rows[0];
}

export async function findPayment(sql: Sql, id: string): Promise<Payment | undefined> {
  const rows = await sql.query<Payment>(`select ${COLUMNS} from payment where id = $1`, [id]);
  return rows[0];
}

/** With what the payment paid of a debt. */
export type TopupPayment = Payment & { debt_paid: number };

/** The payments of orders, and those that have the ids themselves; the oldest first. */
export async function findPaymentsOf(
  sql: Sql,
  companyId: CompanyId,
  ids: readonly string[],
): Promise<TopupPayment[]> {
  return await sql.query<TopupPayment>(
    `select ${COLUMNS}, coalesce((select -e.amount from entry e
       where e.company_id = $1 and e.kind = 'debt_paid' and e.cause = payment.id), 0) as debt_paid
     from payment where company_id = $1 and (order_id = any ($2) or id = any ($2)) order by id`,
    [companyId, ids],
  );
}

export async function insertPayment(
  tx: Transaction,
  payment: Omit<Payment, 'credited_at' | 'refunded'>,
): Promise<void> {
  await tx.query(
    `insert into payment (id, company_id, order_id, provider, provider_payment_id, amount, bonus, payer_name,
       payer_business_id, paid_at, credited_at, is_late, is_repeated, is_other_amount, receipt_number)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp(), $11, $12, $13, $14)`,
    [
      payment.id,
      payment.company_id,
      payment.order_id,
      payment.provider,
      payment.provider_payment_id,
      payment.amount,
      payment.bonus,
      payment.payer_name,
      payment.payer_business_id,
      payment.paid_at,
      payment.is_late,
      payment.is_repeated,
      payment.is_other_amount,
      payment.receipt_number,
    ],
  );
}

/** Numbers have no gaps: the next one waits until this transaction has ended. */
export async function takePaperNumber(tx: Transaction, kind: string): Promise<number> {
  const rows = await tx.query<{ last: number }>(
    'update paper_number set last = last + 1 where kind = $1 returning last',
    [kind],
  );
  return (rows[0] as { last: number }).last;
}
