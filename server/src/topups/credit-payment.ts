import { FIRST_TOPUP_BONUS } from '@zhiber/contract/api/prices.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { companyActorOf } from '../audit-log/company-actor.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import { postEntry, reachMilestone } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { type CompanyId, newId } from '../ids.ts';
import { paperNumber } from '../paper-number.ts';
import { Problem } from '../problem.ts';
import { lockOrder, markPaid, type Order } from './order-store.ts';
import { payDebt } from './pay-debt.ts';
import { documentOf } from './payment-document.ts';
import {
  findPaymentOf,
  insertPayment,
  lockMoney,
  type Payment,
  takePaperNumber,
} from './payment-store.ts';

/** Money that has certainly arrived. The provider's id makes it unique. */
export type ArrivedPayment = {
  companyId: CompanyId;
  /** Undefined for one that the operator entered without an order. */
  orderId?: string | undefined;
  provider: string;
  providerPaymentId: string;
  amount: number;
  paidAt: Date;
  payer?: { name: string; businessId: string | null } | undefined;
  /** When the provider is to be asked what it has sent back; undefined where nobody can be asked. */
  refundCheckAt?: Date | undefined;
  /** The name of the operator who has seen it on the account, and what they have done. */
  confirmedBy?: string | undefined;
  act?: ConfirmingAct | undefined;
  /**
   * How many payments of the order that operator has seen. With another number by now the credit is
   * refused as `changed_meanwhile`: two people may have seen the same money.
   */
  paymentsBefore?: number | undefined;
};
export type ConfirmingAct = 'payment.confirmed' | 'statement.credited' | 'statement.matched';

export type CreditOutcome =
  | { result: 'credited'; payment: Payment; balance: number }
  | { result: 'already'; payment: Payment }
  | { result: 'no_company' };

/**
 * Credits a payment once, however often it is reported: the top-up, the bonus of the first one, what
 * it pays of a debt, the receipt and the audit record, all in one transaction.
 */
export async function creditPayment(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  actor: Actor,
  arrived: ArrivedPayment,
): Promise<CreditOutcome> {
  const { provider, providerPaymentId } = arrived;
  // Most repeated reports end here, without a wait for the account.
  const known = await findPaymentOf(ctx.db, provider, providerPaymentId);
  if (known !== undefined) return { result: 'already', payment: known };
  try {
    return await ctx.db.transaction((tx) => creditInTransaction(tx, ctx, { actor, arrived }));
  } catch (error) {
    // Another company was credited with it meanwhile.
    const other = isUniqueViolation(error, 'payment_provider_provider_payment_id_key')
      ? await findPaymentOf(ctx.db, provider, providerPaymentId)
      : undefined;
    if (other === undefined) throw error;
    return { result: 'already', payment: other };
  }
}

/** The same as a part of a transaction, which must hold no lock that others take after the account. */
export async function creditInTransaction(
  tx: Transaction,
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  { actor, arrived }: { actor: Actor; arrived: ArrivedPayment },
): Promise<CreditOutcome> {
  const { companyId, provider, providerPaymentId, amount } = arrived;
  const money = await lockMoney(tx, companyId);
  if (money === undefined) return { result: 'no_company' };
  const known = await findPaymentOf(tx, provider, providerPaymentId);
  if (known !== undefined) return { result: 'already', payment: known };
  const order = arrived.orderId === undefined ? undefined : await lockOrder(tx, arrived.orderId);
  const { act, paymentsBefore } = arrived;
  if (paymentsBefore !== undefined && paymentsBefore !== order?.payments) {
    throw new Problem('changed_meanwhile');
  }

  const id = newId(clock.now().getTime());
  await postEntry(tx, { companyId, kind: 'topup', amount, cause: id });
  // An amount below the minimum can arrive, and is credited, but earns no bonus.
  const isFirst =
    amount >= config.topupMin && (await reachMilestone(tx, companyId, 'first_topup_at'));
  const bonus = isFirst ? FIRST_TOPUP_BONUS : 0;
  if (isFirst) {
    await postEntry(tx, { companyId, kind: 'first_topup_bonus', amount: bonus, cause: id });
  }
  const paidOff = await payDebt(tx, companyId, { money, added: amount + bonus, cause: id });

  const payment: Omit<Payment, 'credited_at' | 'refunded'> = {
    id,
    company_id: companyId,
    order_id: order?.id ?? null,
    provider,
    provider_payment_id: providerPaymentId,
    amount,
    bonus,
    payer_name: arrived.payer?.name ?? order?.payer_name ?? null,
    payer_business_id: arrived.payer?.businessId ?? order?.payer_business_id ?? null,
    paid_at: arrived.paidAt,
    ...flagsOf(order, arrived),
    // Last, because every other credit waits for it.
    receipt_number: await takePaperNumber(tx, 'receipt'),
  };
  await insertPayment(tx, payment);
  if (order !== undefined) await markPaid(tx, order.id, arrived.refundCheckAt);
  await recordAuditEvent(tx, companyActorOf(actor), {
    companyId,
    action: 'balance.topped_up',
    object: nameOf(payment, order),
    after: {
      amount,
      bonus,
      provider,
      ...(arrived.confirmedBy !== undefined && { confirmed_by: arrived.confirmedBy }),
    },
  });
  const credited = (await findPaymentOf(tx, provider, providerPaymentId)) as Payment;
  if (act !== undefined) {
    await recordOperatorAct(tx, actor, {
      action: act,
      object: nameOf(payment, order),
      companyId,
      after: { amount, bonus, document: providerPaymentId, receipt: credited.receipt_number },
    });
  }
  return {
    result: 'credited',
    payment: credited,
    balance: money.balance + amount + bonus - paidOff,
  };
}

/** What people know a payment by: the code of its order, its document, or else its receipt. */
function nameOf(
  payment: Pick<Payment, 'provider' | 'provider_payment_id' | 'receipt_number'>,
  order: Order | undefined,
): string {
  return (
    order?.reference ?? documentOf(payment) ?? `Квитанция № ${paperNumber(payment.receipt_number)}`
  );
}

function flagsOf(
  order: (Order & { payments: number }) | undefined,
  { amount, paidAt }: ArrivedPayment,
): Pick<Payment, 'is_late' | 'is_repeated' | 'is_other_amount'> {
  if (order === undefined) return { is_late: false, is_repeated: false, is_other_amount: false };
  return {
    is_late: order.state === 'expired' || order.state === 'cancelled' || paidAt > order.expires_at,
    is_repeated: order.payments > 0,
    is_other_amount: amount !== order.amount,
  };
}
