import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId } from '../ids.ts';

export type EntryKind =
  | 'welcome_bonus'
  | 'topup'
  | 'first_topup_bonus'
  | 'charge'
  | 'charge_moved'
  | 'correction';

export async function insertAccount(tx: Transaction, companyId: CompanyId): Promise<void> {
  await tx.query('insert into account (company_id) values ($1)', [companyId]);
}

/**
 * Adds an entry and returns the balance after it. The same cause twice fails on the ledger's
 * primary key.
 */
export async function postEntry(
  tx: Transaction,
  entry: { companyId: CompanyId; kind: EntryKind; amount: number; cause: string },
): Promise<number> {
  const rows = await tx.query<{ balance: number }>('select post_entry($1, $2, $3, $4) as balance', [
    entry.companyId,
    entry.kind,
    entry.amount,
    entry.cause,
  ]);
  return (rows[0] as { balance: number }).balance;
}

/** True for the one transaction that may credit the bonus of the first top-up. */
export async function takeFirstTopup(tx: Transaction, companyId: CompanyId): Promise<boolean> {
  const rows = await tx.query(
    `update account set first_topup_at = clock_timestamp()
     where company_id = $1 and first_topup_at is null returning company_id`,
    [companyId],
  );
  return rows.length === 1;
}

/** True for the one transaction that may credit the welcome bonus. */
export async function takeWelcome(tx: Transaction, companyId: CompanyId): Promise<boolean> {
  const rows = await tx.query(
    `update account set welcomed_at = clock_timestamp()
     where company_id = $1 and welcomed_at is null returning company_id`,
    [companyId],
  );
  return rows.length === 1;
}

export async function findBalance(sql: Sql, companyId: CompanyId): Promise<number | undefined> {
  const rows = await sql.query<{ balance: number }>(
    'select balance from account where company_id = $1',
    [companyId],
    'find-balance',
  );
  return rows[0]?.balance;
}
