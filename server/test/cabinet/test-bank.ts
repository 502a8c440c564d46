import assert from 'node:assert/strict';
import type { Context } from '../../src/context.ts';
import type {
  Created,
  OrderToPay,
  PaymentProvider,
  PaymentProviderName,
} from '../../src/payments/payment.ts';
import { type CreditOutcome, creditPayment } from '../../src/topups/credit-payment.ts';
import { findOrderByReference } from '../../src/topups/order-store.ts';

export type TestBank = PaymentProvider & {
  /** What it was asked to collect, in order. */
  readonly asked: OrderToPay[];
  /** Answers the next orders in another way. */
  answer: (order: OrderToPay, signal: AbortSignal) => Promise<Created>;
  /** A payer pays, and the bank reports it. Twice without an id is two payments. */
  pay(
    reference: string,
    more?: { amount?: number; paidAt?: Date; paymentId?: string },
  ): Promise<CreditOutcome>;
};

let payments = 0;

/** A bank: it issues QRs and credits what is paid by them, as the real ones do by their notices. */
export function openTestBank(
  ctx: () => Pick<Context, 'db' | 'config' | 'clock'>,
  facts: { name?: PaymentProviderName; confirmation?: PaymentProvider['confirmation'] } = {},
): TestBank {
  const { name = 'freedom-pay', confirmation = 'notice' } = facts;
  const asked: OrderToPay[] = [];
  const bank: TestBank = {
    name,
    confirmation,
    lifetimeSeconds: 900,
    asked,
    answer: async ({ reference }) => ({
      result: 'created',
      providerId: `${name}-${reference}`,
      qr: `https://bank.example/pay/${reference}`,
      payUrl: confirmation === 'operator' ? undefined : `https://bank.example/pay/${reference}`,
    }),
    async create(order, signal) {
      asked.push(order);
      return await bank.answer(order, signal);
    },
    ...(confirmation !== 'operator' && { readStatus: async () => ({ state: 'waiting' }) }),
    async pay(reference, more = {}) {
      const order = await findOrderByReference(ctx().db, reference);
      assert(order !== undefined, `no order ${reference}`);
      payments += 1;
      const { amount = order.amount, paidAt = new Date(), paymentId = `p${payments}` } = more;
      const arrived = { companyId: order.company_id, orderId: order.id, provider: name };
      return await creditPayment(
        ctx(),
        {},
        { ...arrived, providerPaymentId: paymentId, amount, paidAt },
      );
    },
  };
  return bank;
}
