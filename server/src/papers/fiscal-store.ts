import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import type { SaleFacts } from '../payments/fiscal.ts';

export type Lease = {
  /** As text: a time of the database is finer than a Date. */
  until: string;
  shiftSeconds: number | null;
};

/** The first start with a register decides from which payment on it is used. */
export async function openRegister(sql: Sql, name: string): Promise<void> {
  await sql.query(
    `insert into fiscal_register (name, since, last_receipt_number, leased_until)
     select $1, clock_timestamp(), last, clock_timestamp() from paper_number where kind = 'receipt'
     on conflict do nothing`,
    [name],
  );
}

/** Undefined while another process works with the register. */
export async function leaseRegister(
  sql: Sql,
  name: string,
  seconds: number,
): Promise<Lease | undefined> {
  const rows = await sql.query<Lease>(
    `update fiscal_register set leased_until = clock_timestamp() + make_interval(secs => $2)
     where name = $1 and leased_until <= clock_timestamp()
     returning leased_until::text as until,
       extract(epoch from clock_timestamp() - shift_since)::double precision as "shiftSeconds"`,
    [name, seconds],
  );
  return rows[0];
}

export async function endLease(sql: Sql, name: string, { until }: Lease): Promise<void> {
  await sql.query(
    `update fiscal_register set leased_until = clock_timestamp()
     where name = $1 and leased_until = $2::timestamptz`,
    [name, until],
  );
}

export async function setShift(sql: Sql, name: string, isOpen: boolean): Promise<void> {
  await sql.query(
    `update fiscal_register set shift_since = case when $2 then clock_timestamp() end where name = $1`,
    [name, isOpen],
  );
}

/** After a receipt: its shift is open, if not since before. */
export async function noteShift(sql: Sql, name: string): Promise<void> {
  await sql.query(
    `update fiscal_register set shift_since = clock_timestamp() where name = $1 and shift_since is null`,
    [name],
  );
}

/** A sale for every payment since the register was connected; returns how many are new. */
export async function addSales(sql: Sql, name: string, rowsMax: number): Promise<number> {
  const rows = await sql.query<{ added: number }>(
    `with fresh as (
       select p.id, p.company_id, p.amount, p.receipt_number from payment p
       where p.receipt_number > (select last_receipt_number from fiscal_register where name = $1)
       order by p.receipt_number limit $2
     ), added as (
       insert into fiscal_receipt (id, payment_id, company_id, is_return, amount, next_try_at, created_at)
       select id, id, company_id, false, amount, clock_timestamp(), clock_timestamp() from fresh
       on conflict do nothing returning id
     )
     update fiscal_register r set last_receipt_number = f.last
     from (select max(receipt_number) as last from fresh) f
     where r.name = $1 and f.last is not null
     returning (select count(*) from added)::integer as added`,
    [name, rowsMax],
  );
  return rows[0]?.added ?? 0;
}

/** A return for every refund of a registered sale that the bank has made. */
export async function addReturns(sql: Sql): Promise<void> {
  await sql.query(
    `insert into fiscal_receipt (id, payment_id, company_id, is_return, amount, next_try_at, created_at)
     select r.id, r.payment_id, r.company_id, true, r.amount, clock_timestamp(), clock_timestamp()
     from refund r join fiscal_receipt s on s.id = r.payment_id and s.state = 'registered'
     where r.state = 'done' and not exists (select from fiscal_receipt f where f.id = r.id)
     on conflict do nothing`,
  );
}

export type DueReceipt = {
  id: string;
  is_return: boolean;
  amount: number;
  tries: number;
  /** Of the sale, for a return. */
  sale: SaleFacts | null;
};

/** The next receipt, counted as tried. It is due again after the lease, should this process die. */
export async function takeDueReceipt(
  sql: Sql,
  leaseSeconds: number,
): Promise<DueReceipt | undefined> {
  const rows = await sql.query<DueReceipt>(
    `update fiscal_receipt f set tries = f.tries + 1,
       next_try_at = clock_timestamp() + make_interval(secs => $1)
     from (select id, payment_id from fiscal_receipt where next_try_at <= clock_timestamp()
       order by next_try_at, id limit 1 for update skip locked) due
     left join fiscal_receipt s on s.id = due.payment_id
     where f.id = due.id
     returning f.id, f.is_return, f.amount, f.tries, case when f.is_return then s.basis end as sale`,
    [leaseSeconds],
  );
  return rows[0];
}

export async function saveRegistered(
  sql: Sql,
  id: string,
  { facts, url }: { facts: SaleFacts; url: string | null },
): Promise<void> {
  await sql.query(
    `update fiscal_receipt set state = 'registered', next_try_at = null, error = null, number = $2, url = $3, basis = $4,
       registered_at = clock_timestamp()
     where id = $1 and state <> 'registered'`,
    [id, facts.number, url, JSON.stringify(facts)],
  );
}

/** Without a time for the next try, it waits for the operator. */
export async function saveFailure(
  sql: Sql,
  id: string,
  { error, nextTrySeconds }: { error: string; nextTrySeconds: number | null },
): Promise<void> {
  await sql.query(
    `update fiscal_receipt set error = $2,
       state = case when $3::integer is null then 'failed'::fiscal_state else 'waiting' end,
       next_try_at = clock_timestamp() + make_interval(secs => $3)
     where id = $1 and state <> 'registered'`,
    [id, error, nextTrySeconds],
  );
}

export type StuckReceipt = {
  id: string;
  payment_id: string;
  company_id: CompanyId;
  company: string;
  receipt_number: number;
  is_return: boolean;
  amount: number;
  state: 'waiting' | 'failed';
  tries: number;
  error: string | null;
  created_at: Date;
  next_try_at: Date | null;
};

const IS_STUCK = `f.state <> 'registered' and f.error is not null`;

export async function countStuckReceipts(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from fiscal_receipt f where ${IS_STUCK}`,
  );
  return (rows[0] as { count: number }).count;
}

export async function findFiscalReceipt(
  sql: Sql,
  id: string,
): Promise<Pick<StuckReceipt, 'company_id' | 'receipt_number' | 'amount'> | undefined> {
  const rows = await sql.query<Pick<StuckReceipt, 'company_id' | 'receipt_number' | 'amount'>>(
    `select f.company_id, p.receipt_number, f.amount from fiscal_receipt f join payment p on p.id = f.payment_id
     where f.id = $1`,
    [id],
  );
  return rows[0];
}

/** Those that failed at least once and are not registered, the oldest first. */
export async function findStuckReceipts(sql: Sql, rowsMax: number): Promise<StuckReceipt[]> {
  return await sql.query<StuckReceipt>(
    `select f.id, f.payment_id, f.company_id, c.name as company, p.receipt_number, f.is_return, f.amount, f.state,
       f.tries, f.error, f.created_at, f.next_try_at
     from fiscal_receipt f join company c on c.id = f.company_id join payment p on p.id = f.payment_id
     where ${IS_STUCK}
     order by f.created_at, f.id limit $1`,
    [rowsMax],
  );
}

/** False when it is registered already. */
export async function retryReceipt(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql.query(
    `update fiscal_receipt set state = 'waiting', tries = 0, next_try_at = clock_timestamp()
     where id = $1 and state <> 'registered' returning id`,
    [id],
  );
  return rows.length === 1;
}
