import { WELCOME_BONUS } from '@zhiber/contract/api/prices.ts';
import { insertAccount, postEntry, reachOnce } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import { insertCompany } from './company-store.ts';

/** Creates a company with its account and the welcome bonus, all or nothing. */
export async function createCompany(
  ctx: Pick<Context, 'db' | 'clock'>,
  name: string,
): Promise<{ companyId: CompanyId; balance: number }> {
  const cause = newId(ctx.clock.now().getTime());
  return await ctx.db.transaction(async (tx) => {
    const companyId = await insertCompany(tx, name);
    await insertAccount(tx, companyId);
    await reachOnce(tx, companyId, 'welcomed_at');
    const balance = await postEntry(tx, {
      companyId,
      kind: 'welcome_bonus',
      amount: WELCOME_BONUS,
      cause,
    });
    return { companyId, balance };
  });
}
