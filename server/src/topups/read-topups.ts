import { FIRST_TOPUP_BONUS, type Prices } from '@zhiber/contract/api/prices.ts';
import { TOPUP_MAX } from '@zhiber/contract/cabinet/topups.ts';
import { readBalance } from '../billing/balance.ts';
import { hasPaid } from '../billing/ledger-store.ts';
import { readCompany } from '../company/change-company.ts';
import type { Context } from '../context.ts';
import { type CompanyId, isId } from '../ids.ts';
import type { PaymentProvider } from '../payments/payment.ts';
import { Problem } from '../problem.ts';
import {
  findLastPayer,
  findTopups,
  type Order,
  type OrderState,
  type Payer,
  type TopupLine,
} from './order-store.ts';
import { readOrder } from './orders.ts';
import { findPaymentsOf, type TopupPayment } from './payment-store.ts';

export type TopupOptions = {
  min: number;
  max: number;
  bonus: number;
  prices: Prices;
  providers: readonly PaymentProvider[];
  payer: Payer;
};

export async function readTopupOptions(
  ctx: Pick<Context, 'db' | 'config' | 'prices' | 'payments'>,
  companyId: CompanyId,
): Promise<TopupOptions> {
  const [hasHadBonus, prices, lastPayer, company] = await Promise.all([
    hasPaid(ctx.db, companyId),
    ctx.prices.read(companyId),
    findLastPayer(ctx.db, companyId),
    readCompany(ctx, companyId),
  ]);
  return {
    min: ctx.config.topupMin,
    max: TOPUP_MAX,
    bonus: hasHadBonus ? 0 : FIRST_TOPUP_BONUS,
    prices,
    providers: ctx.payments,
    payer: lastPayer ?? { name: company.name, business_id: company.businessId },
  };
}

const PAGE_SIZE = 50;

export type ListedTopup = TopupLine & { payments: TopupPayment[] };

/** A page of a company's orders and payments, newest first. */
export async function listTopups(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  companyId: CompanyId,
  { cursor, isOpen }: { cursor?: string | undefined; isOpen?: boolean | undefined },
): Promise<{ topups: ListedTopup[]; next: string | null }> {
  if (cursor !== undefined && !isId(cursor)) {
    throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
  }
  const found = await findTopups(db, companyId, { before: cursor, isOpen, limit: PAGE_SIZE + 1 });
  const lines = found.slice(0, PAGE_SIZE);
  const payments = await findPaymentsOf(
    db,
    companyId,
    lines.map(({ id }) => id),
  );
  const now = clock.now();
  const topups = lines.map((line) => ({
    ...line,
    state: shownState(line, now),
    payments: payments.filter(({ id, order_id }) => line.id === (order_id ?? id)),
  }));
  return { topups, next: found.length > PAGE_SIZE ? (lines.at(-1)?.id ?? null) : null };
}

export type ReadTopup = Order & { payments: TopupPayment[]; secondsLeft: number; balance: number };

/** One order with its payments. The order of another company is `not_found`. */
export async function readTopup(
  ctx: Pick<Context, 'db' | 'clock'>,
  { companyId, id }: { companyId: CompanyId; id: string },
): Promise<ReadTopup> {
  const order = await readOrder(ctx, { companyId, id });
  const [payments, balance] = await Promise.all([
    findPaymentsOf(ctx.db, companyId, [id]),
    readBalance(ctx, companyId),
  ]);
  const now = ctx.clock.now();
  const msLeft = order.expires_at.getTime() - now.getTime();
  return {
    ...order,
    state: shownState(order, now),
    payments,
    secondsLeft: Math.max(0, Math.ceil(msLeft / 1_000)),
    balance,
  };
}

/** An order that can no longer be paid is shown as expired before that is recorded. */
function shownState(
  { state, expires_at }: { state: OrderState; expires_at: Date | null },
  now: Date,
): OrderState {
  const isOver = expires_at !== null && expires_at <= now;
  return state === 'pending' && isOver ? 'expired' : state;
}
