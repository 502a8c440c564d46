import type { BALANCE_ENDPOINTS } from '@zhiber/contract/cabinet/balance.ts';
import type { AnswerOf } from '@zhiber/contract/cabinet/endpoint.ts';
import { almatyDay, almatyMonth } from '../almaty.ts';
import { readAccount } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { openUsage } from '../messages/open-usage.ts';
import { daysLeft, PACE_DAYS, readPace, total } from '../messages/pace.ts';

export type BalanceFigures = Omit<AnswerOf<typeof BALANCE_ENDPOINTS.balance>, 'success'>;

/** What a company has, what it spends, and how long that lasts. */
export async function readBalanceFigures(
  ctx: Pick<Context, 'db' | 'clock' | 'usageCounts' | 'prices'>,
  companyId: CompanyId,
): Promise<BalanceFigures> {
  const now = ctx.clock.now();
  const month = almatyMonth(now);
  const paceStart = almatyDay(now, -PACE_DAYS);
  const usage = await openUsage(ctx, companyId, month < paceStart ? month : paceStart);
  const tomorrow = almatyDay(now, 1);
  const today = await usage.sends({ edges: [almatyDay(now), tomorrow] });
  const thisMonth = await usage.sends({ edges: [month, tomorrow] });
  const { balance, held, debt } = await readAccount(ctx.db, companyId);
  const available = balance - held;
  return {
    hours_to_count: usage.hoursToCount,
    available,
    balance,
    held,
    debt,
    spent_today: total(today, 'charged'),
    spent_month: total(thisMonth, 'charged'),
    days_left: daysLeft(available, await readPace(usage, now)),
    prices: await ctx.prices.read(companyId),
  };
}
