import type { Context } from '../context.ts';
import type { ReportedPayment } from '../payments/payment.ts';
import { nextRefundCheckSeconds } from './check-times.ts';
import { creditPayment } from './credit-payment.ts';
import { moveOrder, type Order } from './order-store.ts';
import { recordReportedRefund } from './refund-payment.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock' | 'log'>;

/** What we keep accounts in. */
export const CURRENCY = 'KZT';

export type ReportedOutcome =
  | 'credited'
  | 'already'
  /** The provider has sent money back, and that is recorded. */
  | 'refunded'
  /** It has been credited for another order. */
  | 'other_order'
  /** Not whole tenge: people decide. */
  | 'manual';

/** Credits what the provider says has been paid for an order, and records what it has sent back. */
export async function creditReported(
  ctx: Ctx,
  order: Order,
  payment: ReportedPayment,
): Promise<ReportedOutcome> {
  const { paymentId, amount, currency, refunded } = payment;
  const isWhole = Number.isSafeInteger(amount) && amount > 0 && Number.isSafeInteger(refunded);
  if (currency !== CURRENCY || !isWhole) return 'manual';
  const now = ctx.clock.now();
  const overSeconds = (now.getTime() - order.expires_at.getTime()) / 1_000;
  const refundCheckSeconds = nextRefundCheckSeconds(overSeconds);
  const outcome = await creditPayment(
    ctx,
    {},
    {
      companyId: order.company_id,
      orderId: order.id,
      provider: order.provider,
      providerPaymentId: paymentId,
      amount,
      // A clock ahead of ours must not put a receipt into the future.
      paidAt: payment.paidAt !== undefined && payment.paidAt < now ? payment.paidAt : now,
      refundCheckAt:
        refundCheckSeconds === null
          ? undefined
          : new Date(now.getTime() + refundCheckSeconds * 1_000),
    },
  );
  if (outcome.result === 'no_company') throw new Error(`order ${order.id} has no account`);
  if (outcome.payment.order_id !== order.id) return 'other_order';
  if (refunded === 0) return outcome.result;
  const report = { paymentId: outcome.payment.id, refundedTotal: refunded };
  const recorded = await recordReportedRefund(ctx, report);
  return recorded.result === 'asked' ? 'refunded' : outcome.result;
}

/** Puts an order on the operator's desk. One that is paid stays paid. */
export async function leaveToPeople(
  ctx: Ctx,
  order: Order,
  { why, nextCheckAt }: { why: string; nextCheckAt: Date | null },
): Promise<void> {
  const isMoved = await moveOrder(ctx.db, order.id, {
    from: ['pending', 'checking', 'expired', 'cancelled'],
    to: 'manual',
    nextCheckAt,
  });
  const fields = { order: order.reference, provider: order.provider, why };
  if (isMoved || order.state === 'paid') ctx.log.warn(fields, 'a payment needs the operator');
}
