import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';

export type BankOrder = {
  reference: string;
  amount: number;
  description: string;
  expires_at: Date;
  cancelled_at: Date | null;
};

export type BankPayment = {
  id: string;
  reference: string;
  amount: number;
  paid_at: Date;
  refunded: number;
  notified_at: Date | null;
};

const ORDER = 'reference, amount, description, expires_at, cancelled_at';
const PAYMENT = 'id, reference, amount, paid_at, refunded, notified_at';

/** The same order again changes nothing. */
export async function insertBankOrder(
  sql: Sql,
  order: Omit<BankOrder, 'cancelled_at'>,
): Promise<void> {
  await sql.query(
    `insert into sandbox_bank_order (reference, amount, description, expires_at)
     values ($1, $2, $3, $4) on conflict (reference) do nothing`,
    [order.reference, order.amount, order.description, order.expires_at],
  );
}

export async function findBankOrder(sql: Sql, reference: string): Promise<BankOrder | undefined> {
  const rows = await sql.query<BankOrder>(
    `select ${ORDER} from sandbox_bank_order where reference = $1`,
    [reference],
  );
  return rows[0];
}

/** Payments and the cancellation of an order wait for each other. */
export async function lockBankOrder(
  tx: Transaction,
  reference: string,
): Promise<BankOrder | undefined> {
  const rows = await tx.query<BankOrder>(
    `select ${ORDER} from sandbox_bank_order where reference = $1 for update`,
    [reference],
  );
  return rows[0];
}

export async function cancelBankOrder(tx: Transaction, reference: string, at: Date): Promise<void> {
  await tx.query('update sandbox_bank_order set cancelled_at = $2 where reference = $1', [
    reference,
    at,
  ]);
}

/** In the order in which they were made. */
export async function findBankPayments(sql: Sql, reference: string): Promise<BankPayment[]> {
  return await sql.query<BankPayment>(
    `select ${PAYMENT} from sandbox_bank_payment where reference = $1 order by id`,
    [reference],
  );
}

export async function insertBankPayment(
  tx: Transaction,
  payment: Pick<BankPayment, 'id' | 'reference' | 'amount' | 'paid_at'>,
): Promise<void> {
  await tx.query(
    'insert into sandbox_bank_payment (id, reference, amount, paid_at) values ($1, $2, $3, $4)',
    [payment.id, payment.reference, payment.amount, payment.paid_at],
  );
}

/**
 * Sends money back, once for an id. False when there is no such payment, or less is left of it.
 */
export async function refundBankPayment(
  sql: Sql,
  refund: { paymentId: string; refundId: string; amount: number },
): Promise<boolean> {
  const { paymentId, refundId, amount } = refund;
  const rows = await sql.query(
    `update sandbox_bank_payment set
       refunded = case when $2 = any (refund_ids) then refunded else refunded + $3 end,
       refund_ids = case when $2 = any (refund_ids) then refund_ids else refund_ids || $2::text end
     where id = $1 and ($2 = any (refund_ids) or refunded + $3 <= amount) returning id`,
    [paymentId, refundId, amount],
  );
  return rows.length === 1;
}

export async function setNotified(sql: Sql, paymentId: string, at: Date | null): Promise<void> {
  await sql.query('update sandbox_bank_payment set notified_at = $2 where id = $1', [
    paymentId,
    at,
  ]);
}
