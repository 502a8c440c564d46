import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/group-commit.ts';
import type { Locks } from '../db/held-locks.ts';
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

/** Whatever moves money locks the account. */
export const accountLocks: Locks<{ companyId: CompanyId }> = {
  of: (item) => item.companyId,
  async findFree(sql, companies) {
    const rows = await sql.query<{ company_id: number }>(
      'select company_id from account where company_id = any ($1) for update skip locked',
      [companies],
      'find-free-accounts',
    );
    return rows.map((row) => row.company_id);
  },
};

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

/** What happens once in the life of an account. */
export type Milestone = 'welcomed_at' | 'first_topup_at';

/** True for the one transaction that reaches a milestone, and may credit its bonus. */
export async function reachOnce(
  tx: Transaction,
  companyId: CompanyId,
  milestone: Milestone,
): Promise<boolean> {
  const rows = await tx.query(
    `update account set ${milestone} = clock_timestamp()
     where company_id = $1 and ${milestone} is null returning company_id`,
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
