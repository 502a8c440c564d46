import type { Actor } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import type { PaymentProvider, RefundOutcome } from '../payments/payment.ts';
import { askRefundOf, askStatus } from './ask-provider.ts';
import { nextRetrySeconds } from './check-times.ts';
import { askAboutPaidOrder } from './order-store.ts';
import { settleRefund } from './refund-payment.ts';
import { type DueRefund, setNextTry, takeDueRefunds } from './refund-store.ts';

type Ctx = Pick<Context, 'db' | 'clock' | 'log'>;

/** Longer than a batch takes when the provider is silent. */
const LEASE_SECONDS = 180;
const BATCH_MAX = 10;

/**
 * Sends the refunds that are due to their provider. The try is recorded before the call, and every
 * try has the same id, so that a process that dies at any moment sends no money back twice. True
 * when there may be more.
 */
export async function sendDueRefunds(
  ctx: Ctx,
  provider: PaymentProvider,
  shutdown: AbortSignal,
): Promise<boolean> {
  const due = await takeDueRefunds(ctx.db, {
    provider: provider.name,
    limit: BATCH_MAX,
    leaseSeconds: LEASE_SECONDS,
  });
  for (const refund of due) {
    if (shutdown.aborted) return false;
    try {
      await sendRefund(ctx, provider, { refund, shutdown });
    } catch (error) {
      logUnlessAway(ctx.log, `refund ${refund.id} was not sent`)(error);
    }
  }
  return due.length === BATCH_MAX;
}

async function sendRefund(
  ctx: Ctx,
  provider: PaymentProvider,
  { refund, shutdown }: { refund: DueRefund; shutdown: AbortSignal },
): Promise<void> {
  const outcome = await sendOnce(provider, refund, shutdown);
  if (outcome.result !== 'unclear') {
    await settleRefund(ctx, {}, refund.id, outcome);
    // Perhaps because somebody has sent the money back in the provider's console.
    if (outcome.result === 'refused') await askAboutPaidOrder(ctx.db, refund.payment_id);
    return;
  }
  const seconds = nextRetrySeconds(refund.tries);
  const fields = { refund: refund.id, provider: provider.name, why: outcome.reason };
  if (seconds === null) ctx.log.error(fields, 'a refund is left to the operator');
  const at = seconds === null ? null : new Date(ctx.clock.now().getTime() + seconds * 1_000);
  await setNextTry(ctx.db, refund.id, at);
}

/**
 * An earlier try may have been carried out although its answer was lost. So a further try is made
 * only when the provider says that it was not.
 */
async function sendOnce(
  provider: PaymentProvider,
  refund: DueRefund,
  shutdown: AbortSignal,
): Promise<RefundOutcome> {
  const isFirst = refund.tries === 1;
  const before = isFirst ? 'no' : await hasHappened(provider, refund, shutdown);
  if (before === 'yes') return { result: 'done', providerRefundId: refund.id };
  if (before === 'unclear') return { result: 'unclear', reason: 'Статус платежа неизвестен' };
  return await askRefundOf(
    provider,
    {
      refundId: refund.id,
      providerId: refund.provider_id ?? refund.provider_payment_id,
      paymentId: refund.provider_payment_id,
      amount: refund.amount,
    },
    shutdown,
  );
}

/** By what the provider has sent back of the payment in all. */
async function hasHappened(
  provider: PaymentProvider,
  refund: DueRefund,
  shutdown: AbortSignal,
): Promise<'yes' | 'no' | 'unclear'> {
  if (provider.readStatus === undefined || refund.reference === null) return 'no';
  const { reference, provider_id } = refund;
  const status = await askStatus(provider, { reference, provider_id }, shutdown);
  if (status.state !== 'paid') return 'unclear';
  const payment = status.payments.find(({ paymentId }) => paymentId === refund.provider_payment_id);
  if (payment === undefined) return 'unclear';
  return payment.refunded >= refund.done + refund.amount ? 'yes' : 'no';
}

/**
 * The operator has sent the money back, or cannot. `in_progress`: the provider is being asked, and
 * the answer of a person could contradict what it does.
 */
export async function confirmRefundByHand(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  refundId: string,
  outcome: { result: 'done'; note: string } | { result: 'refused'; reason: string },
): Promise<'done' | 'refused' | 'in_progress' | undefined> {
  const settled = await settleRefund(
    ctx,
    actor,
    refundId,
    outcome.result === 'done'
      ? { result: 'done', providerRefundId: refundId, byHand: { note: outcome.note } }
      : { ...outcome, byHand: { note: outcome.reason } },
  );
  return settled === 'asked' ? 'in_progress' : settled;
}
