import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import type { PaymentProvider, PaymentStatus } from '../payments/payment.ts';
import { askStatus } from './ask-provider.ts';
import { nextCheckSeconds, nextRefundCheckSeconds } from './check-times.ts';
import { creditReported, leaveToPeople } from './credit-reported.ts';
import {
  type DueOrder,
  moveOrder,
  type Order,
  setNextCheck,
  setNextCheckOfPaid,
  takeDueOrders,
} from './order-store.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock' | 'log'>;

/** Longer than a batch takes when the provider is silent. */
const LEASE_SECONDS = 60;
const BATCH_MAX = 20;
const AT_ONCE = 4;

/**
 * Asks a provider about the orders that are due, credits what was paid and records what was
 * sent back: for providers that send no notices, and for notices that were lost. True when there may
 * be more.
 */
export async function checkDueOrders(
  ctx: Ctx,
  provider: PaymentProvider,
  shutdown: AbortSignal,
): Promise<boolean> {
  const due = await takeDueOrders(ctx.db, {
    provider: provider.name,
    limit: BATCH_MAX,
    leaseSeconds: LEASE_SECONDS,
  });
  const queue = [...due];
  const worker = async () => {
    for (let order = queue.shift(); order !== undefined; order = queue.shift()) {
      // The others are due again after the lease.
      if (shutdown.aborted) return;
      try {
        await checkOrder(ctx, provider, { order, shutdown });
      } catch (error) {
        logUnlessAway(ctx.log, `order ${order.reference} was not checked`)(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return due.length === BATCH_MAX;
}

/**
 * Asks about one order at once, because a person wants to know, and returns what the provider said.
 * Harmless beside the rounds: a payment is credited once.
 */
export async function checkOrderNow(
  ctx: Ctx,
  provider: PaymentProvider,
  order: Order,
): Promise<PaymentStatus> {
  const over_seconds = (ctx.clock.now().getTime() - order.expires_at.getTime()) / 1_000;
  const status = await askStatus(provider, order, new AbortController().signal);
  await applyStatus(ctx, { order: { ...order, over_seconds }, status });
  return status;
}

async function checkOrder(
  ctx: Ctx,
  provider: PaymentProvider,
  { order, shutdown }: { order: DueOrder; shutdown: AbortSignal },
): Promise<void> {
  const status = await askStatus(provider, order, shutdown);
  await applyStatus(ctx, { order, status });
}

type AskedOrder = Order & Pick<DueOrder, 'over_seconds'>;

async function applyStatus(
  ctx: Ctx,
  { order, status }: { order: AskedOrder; status: PaymentStatus },
): Promise<void> {
  const now = ctx.clock.now().getTime();
  const at = (seconds: number | null) =>
    seconds === null ? null : new Date(now + seconds * 1_000);
  const nextCheckAt = at(
    nextCheckSeconds({
      checks: order.checks,
      overSeconds: order.over_seconds,
      wanted: 'checkAfterSeconds' in status ? status.checkAfterSeconds : undefined,
    }),
  );
  const refundCheckAt = at(nextRefundCheckSeconds(order.over_seconds));
  if (order.state === 'paid' && status.state !== 'paid') {
    return await setNextCheckOfPaid(ctx.db, order.id, nextCheckAt ?? refundCheckAt);
  }
  switch (status.state) {
    case 'paid': {
      for (const payment of status.payments) {
        const outcome = await creditReported(ctx, order, payment);
        if (outcome === 'manual' || outcome === 'other_order') {
          await leaveToPeople(ctx, order, { why: outcome, nextCheckAt: null });
        }
      }
      if (status.payments.length === 0) await setNextCheck(ctx.db, order.id, nextCheckAt);
      const canBePaidAgain = status.checkAfterSeconds !== undefined;
      const soon = canBePaidAgain ? nextCheckAt : null;
      return await setNextCheckOfPaid(ctx.db, order.id, soon ?? refundCheckAt);
    }
    case 'expired':
    case 'cancelled':
      return await end(ctx, order, { to: status.state, nextCheckAt });
    case 'waiting':
      if (order.over_seconds < 0) return await setNextCheck(ctx.db, order.id, nextCheckAt);
      return await end(ctx, order, { to: 'expired', nextCheckAt });
    case 'unclear':
      return await setNextCheck(ctx.db, order.id, nextCheckAt);
  }
}

/** An order that people look at, or that has ended, keeps its state. */
async function end(
  ctx: Ctx,
  order: AskedOrder,
  { to, nextCheckAt }: { to: 'expired' | 'cancelled'; nextCheckAt: Date | null },
): Promise<void> {
  const isMoved = await moveOrder(ctx.db, order.id, {
    from: ['pending', 'checking'],
    to,
    nextCheckAt,
  });
  if (!isMoved) await setNextCheck(ctx.db, order.id, nextCheckAt);
}
