import { FIRST_TOPUP_BONUS } from '@zhiber/contract/api/prices.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import { findBalance, postEntry, reachMilestone } from './ledger-store.ts';

export type TopUpOutcome =
  | { result: 'credited'; balance: number; bonus: number }
  | { result: 'no_company' }
  | { result: 'too_small'; min: number };

/** Credits a paid top-up, plus the bonus of the first one, in one transaction. */
export async function topUp(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  payment: { companyId: CompanyId; amount: number },
): Promise<TopUpOutcome> {
  const { companyId, amount } = payment;
  if (amount < ctx.config.topupMin) return { result: 'too_small', min: ctx.config.topupMin };
  if ((await findBalance(ctx.db, companyId)) === undefined) return { result: 'no_company' };

  const cause = newId(ctx.clock.now().getTime());
  return await ctx.db.transaction(async (tx) => {
    const balance = await postEntry(tx, { companyId, kind: 'topup', amount, cause });
    if (!(await reachMilestone(tx, companyId, 'first_topup_at')))
      return { result: 'credited', balance, bonus: 0 };
    const withBonus = await postEntry(tx, {
      companyId,
      kind: 'first_topup_bonus',
      amount: FIRST_TOPUP_BONUS,
      cause,
    });
    return { result: 'credited', balance: withBonus, bonus: FIRST_TOPUP_BONUS };
  });
}

/** The balance of a company, holds included. */
export async function readBalance(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<number> {
  return (await findBalance(db, companyId)) ?? 0;
}
