import { almatyDay } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { PaymentProviderName } from '../payments/payment.ts';
import { type ConfirmingAct, type CreditOutcome, creditPayment } from './credit-payment.ts';
import { findOrderById, findOrderByReference, type Order } from './order-store.ts';
import { findOtherOrderPaidBy } from './payment-store.ts';

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
  // A guard against the wrong order: two payers can have documents with the same number, but hardly
  // on one day for one amount.
  const other = await findOtherOrderPaidBy(ctx.db, {
    orderId: order.id,
    bankReference,
    amount,
    from: almatyDay(paidAt),
    to: almatyDay(paidAt, 1),
  });
  if (other !== undefined) return { result: 'used', reference: other };
  return await creditByBank(ctx, actor, {
    order,
    amount,
    paidAt,
    bankReference,
    operator: confirmation.operator,
    act: 'payment.confirmed',
    paymentsBefore: confirmation.paymentsBefore,
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

/**
 * Numbers of documents are the payer's own and not unique, so the order is a part of the payment's
 * id.
 */
export async function creditByBank(
  ctx: Ctx,
  actor: Actor,
  { order, bankReference, operator, ...paid }: BankPayment,
): Promise<Exclude<ConfirmOutcome, { result: 'used' }>> {
  const outcome = await creditPayment(ctx, actor, {
    ...paid,
    companyId: order.company_id,
    orderId: order.id,
    // Money on the account, whatever way the order was to be paid: its provider cannot refund it.
    provider: isPaidByStatement(order) ? order.provider : 'transfer',
    providerPaymentId: `${order.reference}/${bankReference}`,
    confirmedBy: operator,
  });
  return outcome.result === 'no_company' ? { result: 'no_order' } : outcome;
}
