import type { PaymentProvider, PaymentStatus, RefundOutcome } from '../payments/payment.ts';
import { withDeadline } from '../runtime/deadline.ts';

/** Nobody waits for the answer, but the checks of other orders do. */
const LIMIT_MS = 6_000;
const GRACE_MS = 500;

/** An answer in any case: a provider that is silent, or fails, is unclear. */
export async function askStatus(
  provider: PaymentProvider,
  order: { reference: string; provider_id: string | null },
  shutdown: AbortSignal,
): Promise<PaymentStatus> {
  const { reference, provider_id: providerId } = order;
  const { readStatus } = provider;
  if (readStatus === undefined || providerId === null) {
    return { state: 'unclear', reason: 'Провайдера нельзя спросить' };
  }
  return await inTurn(provider, shutdown, (signal) =>
    readStatus({ reference, providerId }, signal),
  ).catch((error: Error) => ({ state: 'unclear', reason: error.message }));
}

export async function askRefundOf(
  provider: PaymentProvider,
  refund: Parameters<NonNullable<PaymentProvider['refund']>>[0],
  shutdown: AbortSignal,
): Promise<RefundOutcome> {
  const { refund: send } = provider;
  if (send === undefined) return { result: 'unclear', reason: 'Возвращают вручную' };
  return await inTurn(provider, shutdown, (signal) => send(refund, signal)).catch(
    (error: Error) => ({ result: 'unclear', reason: error.message }),
  );
}

/** The wait for a turn does not count: the provider could not answer meanwhile. */
async function inTurn<T>(
  { waitForTurn }: PaymentProvider,
  shutdown: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  await waitForTurn?.(shutdown);
  return await withDeadline({ limitMs: LIMIT_MS, graceMs: GRACE_MS }, (signal) =>
    ask(AbortSignal.any([signal, shutdown])),
  );
}
