import { WELCOME_BONUS } from '@zhiber/contract/api/prices.ts';
import { insertAccount, postEntry, reachMilestone } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { type CompanyId, newId } from '../ids.ts';
import { type CompanyFacts, insertCompany } from './company-store.ts';

/** Creates a company with its account and the welcome bonus, in one transaction. */
export async function createCompany(
  ctx: Pick<Context, 'db' | 'clock'>,
  name: string,
): Promise<{ companyId: CompanyId; balance: number }> {
  return await ctx.db.transaction(async (tx) => {
    const companyId = await insertCompanyWithAccount(tx, namedCompany(name));
    return { companyId, balance: await creditWelcome(ctx, tx, companyId) };
  });
}

/** A company of which only the name is known. */
export function namedCompany(name: string): CompanyFacts {
  return { name, businessId: null, language: 'ru', brand: null };
}

export async function insertCompanyWithAccount(
  tx: Transaction,
  facts: CompanyFacts,
): Promise<CompanyId> {
  const companyId = await insertCompany(tx, facts);
  await insertAccount(tx, companyId);
  return companyId;
}

/** Credits the welcome bonus, once per account. Returns the balance after it. */
export async function creditWelcome(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  companyId: CompanyId,
): Promise<number> {
  const isFirst = await reachMilestone(tx, companyId, 'welcomed_at');
  if (!isFirst) throw new Error(`company ${companyId} has had its welcome bonus`);
  const cause = newId(clock.now().getTime());
  const amount = WELCOME_BONUS;
  return await postEntry(tx, { companyId, kind: 'welcome_bonus', amount, cause });
}
