import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';

export type OrderState = 'pending' | 'checking' | 'manual' | 'paid' | 'expired' | 'cancelled';

export type Order = {
  id: string;
  company_id: CompanyId;
  reference: string;
  provider: string;
  amount: number;
  payer_name: string;
  payer_business_id: string | null;
  state: OrderState;
  provider_id: string | null;
  qr: string | null;
  pay_url: string | null;
  created_by: PersonId | null;
  created_at: Date;
  expires_at: Date;
  next_check_at: Date | null;
  checks: number;
  closed_at: Date | null;
};

const COLUMNS = `id, company_id, reference, provider, amount, payer_name, payer_business_id, state, provider_id, qr,
  pay_url, created_by, created_at, expires_at, next_check_at, checks, closed_at`;

export async function insertOrder(
  sql: Sql,
  order: Omit<Order, 'state' | 'created_at' | 'checks' | 'closed_at'>,
): Promise<void> {
  await sql.query(
    `insert into payment_order (id, company_id, reference, provider, amount, payer_name, payer_business_id,
       provider_id, qr, pay_url, created_by, created_at, expires_at, next_check_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp(), $12, $13)`,
    [
      order.id,
      order.company_id,
      order.reference,
      order.provider,
      order.amount,
      order.payer_name,
      order.payer_business_id,
      order.provider_id,
      order.qr,
      order.pay_url,
      order.created_by,
      order.expires_at,
      order.next_check_at,
    ],
  );
}

export async function findOrder(
  sql: Sql,
  companyId: CompanyId,
  id: string,
): Promise<Order | undefined> {
  const rows = await sql.query<Order>(
    `select ${COLUMNS} from payment_order where company_id = $1 and id = $2`,
    [companyId, id],
  );
  return rows[0];
}

export async function findOrderByReference(
  sql: Sql,
  reference: string,
): Promise<Order | undefined> {
  const rows = await sql.query<Order>(`select ${COLUMNS} from payment_order where reference = $1`, [
    reference,
  ]);
  return rows[0];
}

/** Of any company: for the operator. */
export async function findOrderById(sql: Sql, id: string): Promise<Order | undefined> {
  const rows = await sql.query<Order>(`select ${COLUMNS} from payment_order where id = $1`, [id]);
  return rows[0];
}

/** The references of all orders since a time, to be found in the purposes of bank statements. */
export async function findReferences(
  sql: Sql,
  since: Date,
): Promise<Pick<Order, 'id' | 'reference' | 'provider'>[]> {
  return await sql.query(
    'select id, reference, provider from payment_order where created_at >= $1',
    [since],
  );
}

/** The order, locked, and how many payments have come for it. */
export async function lockOrder(
  tx: Transaction,
  id: string,
): Promise<(Order & { payments: number }) | undefined> {
  const rows = await tx.query<Order & { payments: number }>(
    `select ${COLUMNS}, (select count(*)::integer from payment p where p.order_id = o.id) as payments
     from payment_order o where id = $1 for update`,
    [id],
  );
  return rows[0];
}

/** A paid order is closed for good. It stays paid, whatever a later answer of the provider says. */
export async function markPaid(tx: Transaction, id: string): Promise<void> {
  await tx.query(
    `update payment_order set state = 'paid', next_check_at = null, closed_at = coalesce(closed_at, clock_timestamp())
     where id = $1`,
    [id],
  );
}

/** False when the order is not in one of the states any more. */
export async function moveOrder(
  sql: Sql,
  id: string,
  move: { from: readonly OrderState[]; to: OrderState; nextCheckAt: Date | null },
): Promise<boolean> {
  const rows = await sql.query(
    `update payment_order set state = $3::payment_order_state, next_check_at = $4,
       closed_at = case when $3 in ('expired', 'cancelled') then clock_timestamp() end
     where id = $1 and state::text = any ($2) returning id`,
    [id, move.from, move.to, move.nextCheckAt],
  );
  return rows.length === 1;
}
