import { almatyDay } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { PaymentProviderName } from '../payments/payment.ts';
import { type ConfirmingAct, type CreditOutcome, creditInTransaction } from './credit-payment.ts';
import { findOrderById, findOrderByReference, type Order } from './order-store.ts';
import { findOtherOrderPaidBy, lockDocument } from './payment-store.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock'>;

/** Money that the operator has seen on the account. */
export type Confirmation = {
  order: { id: string } | { reference: string };
  amount: number;
  paidAt: Date;
  /** The number of the bank's document. */
  bankReference: string;
  /** The name of the operator. */
  operator: string;
  /** How many payments of the order the operator has seen, where they were shown. */
  paymentsBefore?: number | undefined;
};

export type ConfirmOutcome =
  | Exclude<CreditOutcome, { result: 'no_company' }>
  | { result: 'no_order' }
  /** The same document of the same day and amount has paid this other order. */
  | { result: 'used'; reference: string };

/** Ways to pay whose payments only the bank statement shows. */
const BY_STATEMENT: readonly string[] = ['merchant-qr', 'transfer'] satisfies PaymentProviderName[];

export function isPaidByStatement({ provider }: Pick<Order, 'provider'>): boolean {
  return BY_STATEMENT.includes(provider);
}

/**
 * Credits an order that the operator has seen paid. The same bank reference twice credits the order
 * once, also when a bank statement brings it later.
 */
export async function confirmOrder(
  ctx: Ctx,
  actor: Actor,
  confirmation: Confirmation,
): Promise<ConfirmOutcome> {
  const { order: which, amount, paidAt } = confirmation;
  const order =
    'id' in which
      ? await findOrderById(ctx.db, which.id)
      : await findOrderByReference(ctx.db, which.reference.trim().toUpperCase());
  if (order === undefined) return { result: 'no_order' };
  const bankReference = confirmation.bankReference.trim();
  const { operator, paymentsBefore } = confirmation;
  const payment = { order, amount, paidAt, bankReference, operator, paymentsBefore };
  const day = almatyDay(paidAt);
  return await ctx.db.transaction(async (tx) => {
    await lockDocument(tx, { bankReference, amount, day });
    // A guard against the wrong order: two payers can have documents with the same number, but hardly
    // on one day for one amount.
    const other = await findOtherOrderPaidBy(tx, {
      orderId: order.id,
      bankReference,
      amount,
      from: day,
      to: almatyDay(paidAt, 1),
    });
    if (other !== undefined) return { result: 'used', reference: other };
    return await creditOrder(tx, ctx, { actor, payment: { ...payment, act: 'payment.confirmed' } });
  });
}

export type BankPayment = {
  order: Order;
  amount: number;
  paidAt: Date;
  bankReference: string;
  operator: string;
  act: ConfirmingAct;
  paymentsBefore?: number | undefined;
};

/** Credits an order that a line of a bank statement has paid. */
export async function creditByStatement(
  ctx: Ctx,
  actor: Actor,
  payment: BankPayment,
): Promise<Exclude<ConfirmOutcome, { result: 'used' }>> {
  const { bankReference, amount, paidAt } = payment;
  return await ctx.db.transaction(async (tx) => {
    // So that somebody who confirms another order by the same document at this moment sees this one.
    await lockDocument(tx, { bankReference, amount, day: almatyDay(paidAt) });
    return await creditOrder(tx, ctx, { actor, payment });
  });
}

/**
 * Numbers of documents are the payer's own and not unique, so the order is a part of the payment's
 * id. The lock of the document comes before that of the account, here and everywhere.
 */
async function creditOrder(
  tx: Transaction,
  ctx: Ctx,
  { actor, payment }: { actor: Actor; payment: BankPayment },
): Promise<Exclude<ConfirmOutcome, { result: 'used' }>> {
  const { order, bankReference, operator, ...paid } = payment;
  const outcome = await creditInTransaction(tx, ctx, {
    actor,
    arrived: {
      ...paid,
      companyId: order.company_id,
      orderId: order.id,
      // Money on the account, whatever way the order was to be paid: its provider cannot refund it.
      provider: isPaidByStatement(order) ? order.provider : 'transfer',
      providerPaymentId: `${order.reference}/${bankReference}`,
      confirmedBy: operator,
    },
  });
  return outcome.result === 'no_company' ? { result: 'no_order' } : outcome;
}
