import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export type RefundState = 'asked' | 'done' | 'refused';

export type Refund = {
  id: string;
  payment_id: string;
  company_id: CompanyId;
  amount: number;
  taken: number;
  owed: number;
  bonus: number;
  debt_cancelled: number;
  state: RefundState;
  reason: string;
  asked_by: string | null;
  provider_refund_id: string | null;
  asked_at: Date;
  settled_at: Date | null;
  next_try_at: Date | null;
  tries: number;
};

const COLUMNS = `id, payment_id, company_id, amount, taken, owed, bonus, debt_cancelled, state, reason, asked_by,
  provider_refund_id, asked_at, settled_at, next_try_at, tries`;

export async function insertRefund(
  tx: Transaction,
  refund: Pick<
    Refund,
    'id' | 'payment_id' | 'company_id' | 'amount' | 'taken' | 'owed' | 'bonus' | 'state' | 'reason'
  > &
    Pick<Refund, 'asked_by' | 'provider_refund_id' | 'next_try_at'>,
): Promise<void> {
  await tx.query(
    `insert into refund (id, payment_id, company_id, amount, taken, owed, bonus, state, reason, asked_by,
       provider_refund_id, next_try_at, asked_at, settled_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8::refund_state, $9, $10, $11, $12, clock_timestamp(),
       case when $8 = 'done' then clock_timestamp() end)`,
    [
      refund.id,
      refund.payment_id,
      refund.company_id,
      refund.amount,
      refund.taken,
      refund.owed,
      refund.bonus,
      refund.state,
      refund.reason,
      refund.asked_by,
      refund.provider_refund_id,
      refund.next_try_at,
    ],
  );
}

export async function findRefund(sql: Sql, id: string): Promise<Refund | undefined> {
  const rows = await sql.query<Refund>(`select ${COLUMNS} from refund where id = $1`, [id]);
  return rows[0];
}

export async function lockRefund(tx: Transaction, id: string): Promise<Refund | undefined> {
  const rows = await tx.query<Refund>(`select ${COLUMNS} from refund where id = $1 for update`, [
    id,
  ]);
  return rows[0];
}

/** All refunds of a payment that are not refused; the newest last. */
export async function findRefundsOf(sql: Sql, paymentId: string): Promise<Refund[]> {
  return await sql.query<Refund>(
    `select ${COLUMNS} from refund where payment_id = $1 and state <> 'refused' order by id`,
    [paymentId],
  );
}

export async function addRefunded(tx: Transaction, paymentId: string, by: number): Promise<void> {
  await tx.query('update payment set refunded = refunded + $2 where id = $1', [paymentId, by]);
}

export async function closeRefund(
  tx: Transaction,
  id: string,
  close: { state: 'done' | 'refused'; providerRefundId: string | null; debtCancelled: number },
): Promise<void> {
  await tx.query(
    `update refund set state = $2::refund_state, provider_refund_id = $3, debt_cancelled = $4,
       settled_at = clock_timestamp(), next_try_at = null
     where id = $1`,
    [id, close.state, close.providerRefundId, close.debtCancelled],
    'close-refund',
  );
}

export type DueRefund = Refund & {
  provider_payment_id: string;
  reference: string | null;
  /** The provider's id of the order. */
  provider_id: string | null;
  /** What has been sent back of the payment before. */
  done: number;
};

/**
 * Leases the refunds that a provider should make to this node, one of a payment at a time: what the
 * provider has sent back in all then tells whether the one under way has happened.
 */
export async function takeDueRefunds(
  sql: Sql,
  take: { provider: string; limit: number; leaseSeconds: number },
): Promise<DueRefund[]> {
  return await sql.query<DueRefund>(
    `with due as (
       update refund set tries = tries + 1, next_try_at = clock_timestamp() + make_interval(secs => $3)
       where id in (select r.id from refund r join payment p on p.id = r.payment_id
         where p.provider = $1 and r.state = 'asked' and r.next_try_at <= clock_timestamp() and not exists
           (select from refund o where o.payment_id = r.payment_id and o.state = 'asked' and o.id < r.id)
         order by r.next_try_at limit $2 for update of r skip locked)
       returning ${COLUMNS})
     select due.*, p.provider_payment_id, o.reference, o.provider_id,
       (select coalesce(sum(d.amount), 0)::bigint from refund d
         where d.payment_id = due.payment_id and d.state = 'done') as done
     from due join payment p on p.id = due.payment_id left join payment_order o on o.id = p.order_id`,
    [take.provider, take.limit, take.leaseSeconds],
    'take-due-refunds',
  );
}

/** Null leaves it to the operator. */
export async function setNextTry(sql: Sql, id: string, at: Date | null): Promise<void> {
  await sql.query(`update refund set next_try_at = $2 where id = $1 and state = 'asked'`, [id, at]);
}

/** Refunds that no provider makes are left to the operator. */
export async function leaveToOperator(sql: Sql, refunding: readonly string[]): Promise<number> {
  const rows = await sql.query(
    `update refund r set next_try_at = null from payment p
     where p.id = r.payment_id and r.state = 'asked' and r.next_try_at <= clock_timestamp()
       and p.provider <> all ($1)
     returning r.id`,
    [refunding],
  );
  return rows.length;
}
