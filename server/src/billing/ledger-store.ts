import type { EntryKind } from '@zhiber/contract/cabinet/ledger-words.ts';
import { callFunction } from '../db/call-function.ts';
import type { Transaction } from '../db/database.ts';
import type { RowLocks } from '../db/locked-rows.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export async function insertAccount(tx: Transaction, companyId: CompanyId): Promise<void> {
  await tx.query('insert into account (company_id) values ($1)', [companyId]);
}

/** Every statement that moves money locks the account row. */
export const accountLocks: RowLocks<{ companyId: CompanyId }> = {
  rowOf: (item) => item.companyId,
  async findLocked(sql, companies) {
    const rows = await callFunction<{ company_id: number }>(
      sql,
      { name: 'locked_accounts', columns: 'locked_accounts as company_id' },
      { p_companies: companies },
    );
    return rows.map((row) => row.company_id);
  },
};

/**
 * Adds an entry and returns the balance after it. A second entry with the same kind and cause fails
 * on the ledger's primary key.
 */
export async function postEntry(
  tx: Transaction,
  entry: { companyId: CompanyId; kind: EntryKind; amount: number; cause: string },
): Promise<number> {
  const post = { name: 'post_entry', columns: 'post_entry as balance' };
  const rows = await callFunction<{ balance: number }>(tx, post, {
    p_company: entry.companyId,
    p_kind: entry.kind,
    p_amount: entry.amount,
    p_cause: entry.cause,
  });
  return (rows[0] as { balance: number }).balance;
}

/** Events that happen once per account. */
export type Milestone = 'welcomed_at' | 'first_topup_at';

/** True for exactly one transaction per milestone: the one that may credit its bonus. */
export async function reachMilestone(
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

/** Whether the company has ever paid for tokens. A bonus or a correction is no payment. */
export async function hasPaid(sql: Sql, companyId: CompanyId): Promise<boolean> {
  const rows = await sql.query(
    'select from account where company_id = $1 and first_topup_at is not null',
    [companyId],
    'has-paid',
  );
  return rows.length > 0;
}

export type Account = { balance: number; held: number; debt: number };

export async function readAccount(sql: Sql, companyId: CompanyId): Promise<Account> {
  const rows = await sql.query<Account>(
    'select balance, held, debt from account where company_id = $1',
    [companyId],
    'read-account',
  );
  return rows[0] as Account;
}

/** What can still be held: nothing while a debt is unpaid. */
export function freeTokens({ balance, held, debt }: Account): number {
  return debt > 0 ? 0 : balance - held;
}

/** Why a balance was corrected. The cause is that of the entry, posted in the same transaction. */
export async function insertCorrectionReason(
  tx: Transaction,
  correction: { companyId: CompanyId; cause: string; reason: string },
): Promise<void> {
  await tx.query('insert into correction (id, company_id, reason) values ($1, $2, $3)', [
    correction.cause,
    correction.companyId,
    correction.reason,
  ]);
}

export async function findBalance(sql: Sql, companyId: CompanyId): Promise<number | undefined> {
  const rows = await sql.query<{ balance: number }>(
    'select balance from account where company_id = $1',
    [companyId],
    'find-balance',
  );
  return rows[0]?.balance;
}
