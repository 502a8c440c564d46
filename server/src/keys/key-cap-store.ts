import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { type CompanyId, type KeyId, lowestIdAt } from '../ids.ts';

/**
 * Locks the account of a company. A change of a cap takes this lock before any other, as every
 * statement does that moves money: then what the keys have spent does not change meanwhile.
 */
export async function lockSpending(tx: Transaction, companyId: CompanyId): Promise<void> {
  await tx.query('select from account where company_id = $1 for update', [companyId]);
}

/** What a cap is counted by: the table, its column, and the function that gives the period of an instant. */
const COUNTS = {
  month: { table: 'key_spend', column: 'month', periodOf: 'almaty_month' },
  day: { table: 'key_day_spend', column: 'day', periodOf: 'almaty_day' },
} as const;
export type CapPeriod = keyof typeof COUNTS;
export const CAP_PERIODS = Object.keys(COUNTS) as CapPeriod[];

type Counted = { companyId: CompanyId; keyId: KeyId; period: CapPeriod };

/**
 * Begins to count what a key spends, in the transaction that sets its cap. What it has spent before
 * in the month or day is added later, by `addEarlierSpend`: with millions of messages that takes
 * seconds, and sends must not wait for it.
 */
export async function startCounting(
  tx: Transaction,
  { companyId, keyId, period }: Counted,
): Promise<void> {
  const { table, column, periodOf } = COUNTS[period];
  await tx.query(
    `insert into ${table} (company_id, key_id, ${column}, is_counted)
     values ($1, $2, ${periodOf}(clock_timestamp()), false)`,
    [companyId, keyId],
  );
}

export async function stopCounting(
  tx: Transaction,
  { companyId, keyId, period }: Counted,
): Promise<void> {
  const { table } = COUNTS[period];
  await tx.query(`delete from ${table} where company_id = $1 and key_id = $2`, [companyId, keyId]);
}

export type UncountedSpend = {
  period: CapPeriod;
  company_id: CompanyId;
  key_id: KeyId;
  /** The first day of the month, or the day. */
  from: string;
};

export async function listUncounted(sql: Sql): Promise<UncountedSpend[]> {
  return await sql.query<UncountedSpend>(
    `select 'month' as period, company_id, key_id, month::text as "from" from key_spend where not is_counted
     union all
     select 'day', company_id, key_id, day::text from key_day_spend where not is_counted`,
    [],
  );
}

/** A message may be made up to a day after its id, when its request is repeated. */
const ID_AGE_DAYS_MAX = 2;
const DAY_MS = 86_400_000;

/**
 * Adds what a key had spent in a period before its count began. Money and count change in one
 * transaction, so in any snapshot the difference between the messages and the count is exactly that
 * part, whatever is sent meanwhile. One statement, so that a count which was started anew is left
 * alone.
 */
export async function addEarlierSpend(
  sql: Sql,
  { period, company_id, key_id, from }: UncountedSpend,
): Promise<void> {
  const { table, column, periodOf } = COUNTS[period];
  const oldest = new Date(Date.parse(from) - ID_AGE_DAYS_MAX * DAY_MS);
  await sql.query(
    `update ${table} s set spent = s.spent + missing.amount, is_counted = true
     from (
       select (select coalesce(sum(m.charged + m.hold), 0) from message m
           where m.company_id = $1 and m.id >= $4 and m.key_id = $2 and ${periodOf}(m.created_at) = $3)
         - (select c.spent from ${table} c where c.company_id = $1 and c.key_id = $2 and c.${column} = $3) as amount
     ) missing
     where s.company_id = $1 and s.key_id = $2 and s.${column} = $3 and not s.is_counted`,
    [company_id, key_id, from, lowestIdAt(oldest.getTime())],
  );
}

/** The counts of months and days that nothing asks about any more. */
export async function removeOldSpend(sql: Sql): Promise<void> {
  await sql.query(
    `delete from key_spend where month < almaty_month(clock_timestamp()) - interval '1 month'`,
    [],
  );
  // A message is settled and falls back within a day of its making.
  await sql.query('delete from key_day_spend where day < almaty_day(clock_timestamp()) - 7', []);
}
