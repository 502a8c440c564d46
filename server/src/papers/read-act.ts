import { createHash } from 'node:crypto';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { almatyDays } from '../almaty.ts';
import { findCompany, lockCompany, type StoredCompany } from '../company/company-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { CHARGES, type KindSum, sumByKind } from '../ledger/entry-store.ts';
import { type Period, readPeriod } from '../ledger/read-period.ts';
import { Problem } from '../problem.ts';
import { takePaperNumber } from '../topups/payment-store.ts';
import type { Act, ActLine } from './act.ts';
import {
  areMessagesRemoved,
  findAct,
  insertAct,
  type StoredAct,
  sumMessages,
} from './act-store.ts';
import { type Month, monthOf, rangeOf } from './month.ts';
import { BALANCE_ROWS } from './paper-texts.ts';
import { readSeller } from './seller.ts';

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'channels'>;

/** Charges of the last seconds of a month may still be on their way into the ledger. */
const READY_AFTER_MS = 10 * 60_000;

/** Whether the act of a month can be written. */
export function isMonthOver({ clock }: Pick<Context, 'clock'>, month: Month): boolean {
  return clock.now().getTime() >= rangeOf(month).to.getTime() + READY_AFTER_MS;
}

/**
 * The act of a month. The first who asks for it after the month is over gives it its number and its
 * content; both stay. Throws `not_found` for a month before the company, and `month_not_over`.
 */
export async function readAct(ctx: Ctx, companyId: CompanyId, month: Month): Promise<Act> {
  const stored = await findAct(ctx.db, companyId, month);
  if (stored !== undefined) return contentOf(stored);
  const company = await findCompany(ctx.db, companyId);
  if (company === undefined || month < monthOf(company.createdAt)) throw new Problem('not_found');
  if (!isMonthOver(ctx, month)) throw new Problem('month_not_over');
  const draft = await draftAct(ctx, company, month);
  return await ctx.db.transaction(async (tx) => {
    // Two who ask at once get one act.
    await lockCompany(tx, companyId);
    const other = await findAct(tx, companyId, month);
    if (other !== undefined) return contentOf(other);
    const number = await takePaperNumber(tx, 'act');
    const act: Act = { number, ...draft };
    const content = JSON.stringify(act);
    await insertAct(tx, { companyId, month, number, content, hash: hashOf(content) });
    return act;
  });
}

/** For somebody who only looks: throws `view_only` for an act that nobody has asked for yet. */
export async function readNumberedAct(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
  month: Month,
): Promise<Act> {
  const stored = await findAct(db, companyId, month);
  if (stored === undefined) throw new Problem('view_only');
  return contentOf(stored);
}

function contentOf({ content, hash }: StoredAct): Act {
  if (!hashOf(content).equals(hash)) throw new Error('a stored act was changed');
  return JSON.parse(content);
}

function hashOf(content: string): Buffer {
  return createHash('sha256').update(content).digest();
}

async function draftAct(
  ctx: Ctx,
  company: StoredCompany,
  month: Month,
): Promise<Omit<Act, 'number'>> {
  const range = rangeOf(month);
  const period = await readPeriod(ctx.db, company.id, range);
  const kinds = await sumByKind(ctx.db, company.id, period.span);
  const found = await linesOf(ctx, company.id, range);
  // Asked last: messages that are removed while they are counted would be missing in the lines.
  const isFromLedger = await areMessagesRemoved(ctx.db, company.id, range);
  const lines = isFromLedger ? [] : found;
  const charges = kinds.filter(({ kind }) => CHARGES.includes(kind));
  // Entries of charges are negative.
  const total = 0 - sumOf(charges, ({ amount }) => amount);
  return {
    month,
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    seller: readSeller(ctx),
    buyer: { name: company.name, businessId: company.businessId },
    lines,
    adjustment: isFromLedger ? 0 : total - sumOf(lines, ({ amount }) => amount),
    total,
    messages: sumOf(charges, ({ messages }) => messages),
    isFromLedger,
    balance: balanceOf(period, { kinds, total }),
  };
}

function balanceOf(
  { opening, closing }: Period,
  { kinds, total }: { kinds: readonly KindSum[]; total: number },
): Act['balance'] {
  const moves: Act['balance']['moves'] = {};
  for (const row of BALANCE_ROWS) {
    const amount = kinds.find(({ kind }) => kind === row)?.amount ?? 0;
    if (amount !== 0) moves[row] = amount;
  }
  // No act is better than one that is wrong for ever.
  if (opening + sumOf(Object.values(moves), Number) - total !== closing) {
    throw new Error('the rows of an act do not lead to its closing balance');
  }
  return { opening, moves, closing };
}

/** Day by day: a month of a large company would take too long for one statement. */
async function linesOf(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
  { from, to }: { from: Date; to: Date },
): Promise<ActLine[]> {
  const counts = new Map<string, ActLine>();
  const days = almatyDays(from, new Date(to.getTime() - 1));
  for (const [i, day] of days.entries()) {
    const range = { from: day, to: days[i + 1] ?? to };
    for (const { channel, price, count } of await sumMessages(db, companyId, range)) {
      const line = counts.get(`${channel} ${price}`) ?? { channel, price, count: 0, amount: 0 };
      line.count += count;
      line.amount += count * price;
      counts.set(`${channel} ${price}`, line);
    }
  }
  const place = ({ channel }: ActLine) => CHANNELS.indexOf(channel);
  return [...counts.values()].sort((a, b) => place(a) - place(b) || a.price - b.price);
}

function sumOf<Row>(rows: readonly Row[], read: (row: Row) => number): number {
  return rows.reduce((total, row) => total + read(row), 0);
}
