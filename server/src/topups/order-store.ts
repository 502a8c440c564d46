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
  order: Omit<Order, 'state' | 'created_at' | 'checks' | 'closed_at'> & { request_id?: string },
): Promise<void> {
  await sql.query(
    `insert into payment_order (id, company_id, reference, provider, amount, payer_name, payer_business_id,
       provider_id, qr, pay_url, created_by, created_at, expires_at, next_check_at, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock_timestamp(), $12, $13, $14)`,
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
      order.request_id ?? null,
    ],
  );
}

/** The order that this request has created before. */
export async function findOrderOfRequest(
  sql: Sql,
  companyId: CompanyId,
  requestId: string,
): Promise<Order | undefined> {
  const rows = await sql.query<Order>(
    `select ${COLUMNS} from payment_order where company_id = $1 and request_id = $2`,
    [companyId, requestId],
  );
  return rows[0];
}

/** One whose time is over is not open any more, whether or not that is recorded yet. */
const IS_OPEN = `state in ('pending', 'checking', 'manual')
  and (state <> 'pending' or expires_at > clock_timestamp())`;

export async function countOpenOrders(tx: Transaction, companyId: CompanyId): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*)::integer as count from payment_order where company_id = $1 and ${IS_OPEN}`,
    [companyId],
  );
  return (rows[0] as { count: number }).count;
}

/**
 * Stores what the provider has answered. By then the order may be paid or cancelled, and is not
 * asked about again.
 */
export async function storeCreated(
  sql: Sql,
  id: string,
  created: {
    providerId: string;
    qr: string | null;
    payUrl: string | null;
    expiresAt: Date;
    nextCheckAt: Date;
  },
): Promise<void> {
  await sql.query(
    `update payment_order set provider_id = $2, qr = $3, pay_url = $4, expires_at = $5,
       next_check_at = case when state = 'pending' then $6::timestamptz else next_check_at end
     where id = $1`,
    [id, created.providerId, created.qr, created.payUrl, created.expiresAt, created.nextCheckAt],
  );
}

export type Payer = { name: string; business_id: string | null };

export async function findLastPayer(sql: Sql, companyId: CompanyId): Promise<Payer | undefined> {
  const rows = await sql.query<Payer>(
    `select payer_name as name, payer_business_id as business_id from payment_order
     where company_id = $1 order by id desc limit 1`,
    [companyId],
  );
  return rows[0];
}

/** An order, or a payment without one. */
export type TopupLine = Pick<Order, 'id' | 'provider' | 'amount' | 'state' | 'created_at'> & {
  reference: string | null;
  expires_at: Date | null;
};

/** Newest first. */
export async function findTopups(
  sql: Sql,
  companyId: CompanyId,
  {
    before,
    isOpen,
    limit,
  }: { before?: string | undefined; isOpen?: boolean | undefined; limit: number },
): Promise<TopupLine[]> {
  return await sql.query<TopupLine>(
    `(select id, reference, provider, amount, state::text, created_at, expires_at from payment_order
      where company_id = $1 and ($2::uuid is null or id < $2) and (not $3 or ${IS_OPEN})
      order by id desc limit $4)
     union all
     (select id, null, provider, amount, 'paid', credited_at, null from payment
      where company_id = $1 and order_id is null and ($2::uuid is null or id < $2) and not $3
      order by id desc limit $4)
     order by id desc limit $4`,
    [companyId, before ?? null, isOpen ?? false, limit],
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

/** Of an order of this provider that can still be paid in time. */
export async function endOrderTime(
  sql: Sql,
  order: { reference: string; provider: string; at: Date },
): Promise<void> {
  await sql.query(
    `update payment_order set expires_at = $3
     where reference = $1 and provider = $2 and state in ('pending', 'checking') and expires_at > $3`,
    [order.reference, order.provider, order.at],
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

/**
 * A paid order is closed for good. It stays paid, whatever a later answer of the provider says. A
 * second payment without a next check leaves that of the first one.
 */
export async function markPaid(
  tx: Transaction,
  id: string,
  nextCheckAt: Date | undefined,
): Promise<void> {
  await tx.query(
    `update payment_order set state = 'paid', closed_at = coalesce(closed_at, clock_timestamp()),
       next_check_at = coalesce($2, case when state = 'paid' then next_check_at end)
     where id = $1`,
    [id, nextCheckAt ?? null],
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

/** The order that a provider calls by this id. */
export async function findOrderByProviderId(
  sql: Sql,
  provider: string,
  providerId: string,
): Promise<Order | undefined> {
  const rows = await sql.query<Order>(
    `select ${COLUMNS} from payment_order where provider = $1 and provider_id = $2`,
    [provider, providerId],
  );
  return rows[0];
}

/** `over_seconds`: since the order has ended; negative until then. */
export type DueOrder = Order & { provider_id: string; over_seconds: number };

/**
 * Leases the orders that a provider should be asked about to this node, those that people wait for
 * first. Each is due again after the lease, in case the node dies.
 */
export async function takeDueOrders(
  sql: Sql,
  take: { provider: string; limit: number; leaseSeconds: number },
): Promise<DueOrder[]> {
  return await sql.query<DueOrder>(
    `update payment_order set checks = checks + 1, next_check_at = clock_timestamp() + make_interval(secs => $3)
     where id in (select id from payment_order
       where provider = $1 and next_check_at <= clock_timestamp() and provider_id is not null
       order by state = 'paid', next_check_at limit $2 for update skip locked)
     returning ${COLUMNS}, extract(epoch from clock_timestamp() - expires_at)::double precision as over_seconds`,
    [take.provider, take.limit, take.leaseSeconds],
    'take-due-orders',
  );
}

/** Of an order that nobody has paid meanwhile. */
export async function setNextCheck(sql: Sql, id: string, at: Date | null): Promise<void> {
  await sql.query(`update payment_order set next_check_at = $2 where id = $1 and state <> 'paid'`, [
    id,
    at,
  ]);
}

/** Of a paid order, which may be paid once more or refunded; null once it cannot. */
export async function setNextCheckOfPaid(sql: Sql, id: string, at: Date | null): Promise<void> {
  await sql.query(`update payment_order set next_check_at = $2 where id = $1 and state = 'paid'`, [
    id,
    at,
  ]);
}

/** Makes the order of a payment due. */
export async function askAboutPaidOrder(sql: Sql, paymentId: string): Promise<void> {
  await sql.query(
    `update payment_order o set next_check_at = clock_timestamp() from payment p
     where p.id = $1 and o.id = p.order_id and o.state = 'paid' and o.provider = p.provider`,
    [paymentId],
  );
}

/**
 * Ends orders whose time is over. Those of a provider that can be asked end with its answer, or here
 * when it has been silent for as long as `graceSeconds`.
 */
export async function expireOrders(
  sql: Sql,
  options: { askable: readonly string[]; graceSeconds: number },
): Promise<number> {
  const rows = await sql.query(
    `update payment_order set state = 'expired', closed_at = clock_timestamp(),
       next_check_at = case when provider = any ($1) and provider_id is not null then next_check_at end
     where state in ('pending', 'checking') and expires_at <= clock_timestamp()
       and (provider <> all ($1) or provider_id is null or next_check_at is null
         or expires_at <= clock_timestamp() - make_interval(secs => $2))
     returning id`,
    [options.askable, options.graceSeconds],
  );
  return rows.length;
}
