import { findCompany } from '../company/company-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { sumOfOthers } from '../ledger/entry-store.ts';
import { readPeriod } from '../ledger/read-period.ts';
import { Problem } from '../problem.ts';
import { findAct, type StoredAct } from './act-store.ts';
import { type Month, monthOf, monthsBetween, rangeOf } from './month.ts';
import { isMonthOver } from './read-act.ts';
import { listReceipts, type Receipt } from './receipt-store.ts';

/** Older months are there for who asks by their address. */
const MONTHS_MAX = 60;

export type Papers = {
  /** Since the company exists, the newest first. */
  months: Month[];
  month: Month;
  receipts: Receipt[];
  /** What the month has cost, by the ledger. */
  spent: number;
  isOver: boolean;
  /** Undefined until somebody has asked for it. */
  act: Pick<StoredAct, 'number'> | undefined;
};

/** The papers of a month; of the current one by default. */
export async function listPapers(
  ctx: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  asked: Month | undefined,
): Promise<Papers> {
  const company = await findCompany(ctx.db, companyId);
  if (company === undefined) throw new Problem('not_found');
  const now = ctx.clock.now();
  const month = asked ?? monthOf(now);
  const range = rangeOf(month);
  const [receipts, spent, act] = await Promise.all([
    listReceipts(ctx.db, companyId, range),
    spentIn(ctx, companyId, range),
    findAct(ctx.db, companyId, month),
  ]);
  return {
    months: monthsBetween(company.createdAt, now).slice(0, MONTHS_MAX),
    month,
    receipts,
    spent,
    isOver: isMonthOver(ctx, month) && month >= monthOf(company.createdAt),
    act,
  };
}

/** What all other entries have added, less how far the balance has risen. No charge is read for it. */
async function spentIn(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
  range: { from: Date; to: Date },
): Promise<number> {
  const { span, opening, closing } = await readPeriod(db, companyId, range);
  return opening + (await sumOfOthers(db, companyId, span)) - closing;
}
