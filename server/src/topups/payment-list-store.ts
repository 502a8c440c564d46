import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { OrderState } from './order-store.ts';
import type { Payment } from './payment-store.ts';

/** An order with what was paid for it, or a payment without an order. */
export type ListedPayment = {
  /** Null for a payment without an order. */
  reference: string | null;
  company_id: CompanyId;
  company_name: string;
  provider: string;
  /** What was asked for; what was paid where nothing was asked for. */
  amount: number;
  state: OrderState;
  created_at: Date;
  payments: ListedReceipt[];
};

export type ListedReceipt = {
  receipt: number;
  amount: number;
  bonus: number;
  refunded: number;
  provider_payment_id: string;
};

const RECEIPT = `json_build_object('receipt', p.receipt_number, 'amount', p.amount, 'bonus', p.bonus,
  'refunded', p.refunded, 'provider_payment_id', p.provider_payment_id)`;

/** Newest first, of one company or of all. */
export async function listPayments(
  sql: Sql,
  filter: {
    companyId?: CompanyId | undefined;
    state?: OrderState | undefined;
    rowsMax: number;
  },
): Promise<ListedPayment[]> {
  return await sql.query<ListedPayment>(
    `select l.*, c.name as company_name from (
       select o.reference, o.company_id, o.provider, o.amount, o.state::text, o.created_at,
         coalesce((select json_agg(${RECEIPT} order by p.receipt_number) from payment p where p.order_id = o.id),
           '[]') as payments
       from payment_order o
       union all
       select null, p.company_id, p.provider, p.amount, 'paid', p.credited_at, json_build_array(${RECEIPT})
       from payment p where p.order_id is null
     ) l join company c on c.id = l.company_id
     where ($1::bigint is null or l.company_id = $1) and ($2::text is null or l.state = $2)
     order by l.created_at desc limit $3`,
    [filter.companyId ?? null, filter.state ?? null, filter.rowsMax],
  );
}

export async function findPaymentByReceipt(
  sql: Sql,
  receiptNumber: number,
): Promise<Pick<Payment, 'id' | 'company_id'> | undefined> {
  const rows = await sql.query<Pick<Payment, 'id' | 'company_id'>>(
    'select id, company_id from payment where receipt_number = $1',
    [receiptNumber],
  );
  return rows[0];
}
