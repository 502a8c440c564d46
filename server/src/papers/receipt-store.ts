import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { Payment } from '../topups/payment-store.ts';

/** A payment with all that its receipt says. */
export type Receipt = Omit<Payment, 'order_id' | 'receipt_number'> & {
  number: number;
  order_reference: string | null;
  order_amount: number | null;
  company_name: string;
  company_business_id: string | null;
  fiscal_number: string | null;
  fiscal_url: string | null;
};

export type ReceiptRefund = { amount: number; state: 'asked' | 'done'; at: Date };

const RECEIPT = `
  select p.id, p.company_id, p.receipt_number as number, p.provider, p.provider_payment_id, p.amount, p.bonus,
    p.payer_name, p.payer_business_id, p.paid_at, p.credited_at, p.is_late, p.is_repeated, p.is_other_amount, p.refunded,
    o.reference as order_reference, o.amount as order_amount, c.name as company_name,
    c.business_id as company_business_id, f.number as fiscal_number, f.url as fiscal_url
  from payment p
  join company c on c.id = p.company_id
  left join payment_order o on o.id = p.order_id
  left join fiscal_receipt f on f.id = p.id`;

export async function findReceipt(
  sql: Sql,
  companyId: CompanyId,
  number: number,
): Promise<Receipt | undefined> {
  const rows = await sql.query<Receipt>(
    `${RECEIPT} where p.company_id = $1 and p.receipt_number = $2`,
    [companyId, number],
  );
  return rows[0];
}

/** Of any company: for whoever holds the paper. */
export async function findReceiptByNumber(sql: Sql, number: number): Promise<Receipt | undefined> {
  const rows = await sql.query<Receipt>(`${RECEIPT} where p.receipt_number = $1`, [number]);
  return rows[0];
}

/** Those credited within a time, the newest first. */
export async function listReceipts(
  sql: Sql,
  companyId: CompanyId,
  { from, to }: { from: Date; to: Date },
): Promise<Receipt[]> {
  return await sql.query<Receipt>(
    `${RECEIPT} where p.company_id = $1 and p.credited_at >= $2 and p.credited_at < $3
     order by p.receipt_number desc`,
    [companyId, from, to],
  );
}

/** Without those that the bank refused. */
export async function listRefundsOf(sql: Sql, paymentId: string): Promise<ReceiptRefund[]> {
  return await sql.query<ReceiptRefund>(
    `select amount, state, coalesce(settled_at, asked_at) as at from refund
     where payment_id = $1 and state <> 'refused' order by id`,
    [paymentId],
  );
}
