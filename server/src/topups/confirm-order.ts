import type { Actor } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { type CreditOutcome, creditPayment } from './credit-payment.ts';
import { findOrderByReference } from './order-store.ts';

/** Money that the operator has seen on the bank account; the bank's reference makes it unique. */
export type SeenPayment = {
  reference: string;
  amount: number;
  paidAt: Date;
  bankReference: string;
};

/** Credits the order that a payment names. The same bank reference twice credits once. */
export async function confirmOrder(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  actor: Actor,
  { reference, amount, paidAt, bankReference }: SeenPayment,
): Promise<CreditOutcome | { result: 'no_order' }> {
  const order = await findOrderByReference(ctx.db, reference);
  if (order === undefined) return { result: 'no_order' };
  return await creditPayment(ctx, actor, {
    companyId: order.company_id,
    orderId: order.id,
    provider: order.provider,
    providerPaymentId: bankReference,
    amount,
    paidAt,
  });
}
