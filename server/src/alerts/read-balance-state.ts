import type { Prices } from '@zhiber/contract/api/prices.ts';
import {
  type BalanceState,
  DAYS_LEFT_MIN,
  REFUSALS_COUNTED_MAX,
} from '@zhiber/contract/cabinet/alerts.ts';
import { RIGHTS } from '@zhiber/contract/cabinet/rights.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import {
  countRefusals,
  listNames,
  type MoneyFacts,
  readMoneyFacts,
} from './balance-state-store.ts';

const PACE_DAYS = 7;
const DAY_MS = 86_400_000;
const NAMES_MAX = 3;

type State = Omit<BalanceState, 'success'>;

/**
 * Whether money stops the sends of a company, or soon will. The refused sends are counted only when
 * the balance is short.
 */
export async function readBalanceState(
  ctx: Pick<Context, 'db' | 'clock' | 'prices'>,
  companyId: CompanyId,
): Promise<State> {
  const since = new Date(ctx.clock.now().getTime() - PACE_DAYS * DAY_MS);
  const facts = await readMoneyFacts(ctx.db, companyId, since);
  const prices = await ctx.prices.read(companyId);
  const judged = judgeBalance(facts, prices);
  if (judged.state === 'fine' || judged.state === 'low') {
    return { ...judged, refused: 0, refused_since: null, ask: [] };
  }
  const refusals = await countRefusals(ctx.db, companyId, REFUSALS_COUNTED_MAX);
  return {
    ...judged,
    state: judged.state === 'short' && refusals.count > 0 ? 'stopped' : judged.state,
    refused: refusals.count,
    refused_since: refusals.since?.toISOString() ?? null,
    ask: await listNames(ctx.db, companyId, { roles: RIGHTS['balance.topup'], max: NAMES_MAX }),
  };
}

/** What the money alone says, without the refused sends. */
export function judgeBalance(
  { balance, held, debt, threshold, spent }: MoneyFacts,
  prices: Prices,
): Pick<State, 'available' | 'debt' | 'cheapest' | 'days_left'> & {
  state: 'fine' | 'low' | 'short' | 'owed';
} {
  const available = balance - held;
  const paid = [prices.whatsapp, prices.telegram, prices.sms].filter((price) => price > 0);
  const cheapest = paid.length === 0 ? 0 : Math.min(...paid);
  const daysLeft = spent === 0 ? null : Math.round((available * PACE_DAYS * 10) / spent) / 10;
  const isLow =
    (threshold !== null && available < threshold) ||
    (daysLeft !== null && daysLeft < DAYS_LEFT_MIN) ||
    // The dearer channels are refused already.
    (spent > 0 && available < Math.max(0, ...paid));
  const state = debt > 0 ? 'owed' : available < cheapest ? 'short' : isLow ? 'low' : 'fine';
  return { state, available, debt, cheapest, days_left: daysLeft };
}
