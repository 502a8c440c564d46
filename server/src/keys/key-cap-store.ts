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

/**
 * Begins to count what a key spends, in the transaction that sets its cap. What it has spent in the
 * month before is added later, by `addEarlierSpend`: with millions of messages that takes seconds,
 * and sends must not wait for it.
 */
export async function startCounting(
  tx: Transaction,
  { companyId, keyId }: { companyId: CompanyId; keyId: KeyId },
): Promise<void> {
  await tx.query(
    `insert into key_spend (company_id, key_id, month, is_counted)
     values ($1, $2, almaty_month(clock_timestamp()), false)`,
    [companyId, keyId],
  );
}

export async function stopCounting(
  tx: Transaction,
  { companyId, keyId }: { companyId: CompanyId; keyId: KeyId },
): Promise<void> {
  await tx.query('delete from key_spend where company_id = $1 and key_id = $2', [companyId, keyId]);
}

export type UncountedSpend = { company_id: CompanyId; key_id: KeyId; month: string };

export async function listUncounted(sql: Sql): Promise<UncountedSpend[]> {
  return await sql.query<UncountedSpend>(
    'select company_id, key_id, month::text as month from key_spend where not is_counted',
    [],
  );
}

/** A message may be made up to a day after its id, when its request is repeated. */
const ID_AGE_DAYS_MAX = 2;
const DAY_MS = 86_400_000;

/**
 * Adds what a key had spent in a month before its count began. Money and count change in one
 * transaction, so in any snapshot the difference between the messages and the count is exactly that
 * part, whatever is sent meanwhile. One statement, so that a count which was started anew is left
 * alone.
 */
export async function addEarlierSpend(
  sql: Sql,
  { company_id, key_id, month }: UncountedSpend,
): Promise<void> {
  const from = new Date(Date.parse(month) - ID_AGE_DAYS_MAX * DAY_MS);
  await sql.query(
    `update key_spend s set spent = s.spent + missing.amount, is_counted = true
     from (
       select (select coalesce(sum(m.charged + m.hold), 0) from message m
           where m.company_id = $1 and m.id >= $4 and m.key_id = $2 and almaty_month(m.created_at) = $3)
         - (select c.spent from key_spend c where c.company_id = $1 and c.key_id = $2 and c.month = $3) as amount
     ) missing
     where s.company_id = $1 and s.key_id = $2 and s.month = $3 and not s.is_counted`,
    [company_id, key_id, month, lowestIdAt(from.getTime())],
  );
}

/** The counts of months that nothing asks about any more. */
export async function removeOldSpend(sql: Sql): Promise<void> {
  await sql.query(
    `delete from key_spend where month < almaty_month(clock_timestamp()) - interval '1 month'`,
    [],
  );
}
