import { FIRST_TOPUP_BONUS } from '@zhiber/contract/api/prices.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { companyActorOf } from '../audit-log/company-actor.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import { postEntry, reachMilestone } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { type CompanyId, newId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { lockOrder, markPaid, type Order } from './order-store.ts';
import {
  addDebt,
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
  const id = newId(ctx.clock.now().getTime());
  try {
    return await ctx.db.transaction((tx) => creditIn(tx, ctx, { actor, arrived, id }));
  } catch (error) {
    // Another company was credited with it meanwhile.
    const other = isUniqueViolation(error, 'payment_provider_provider_payment_id_key')
      ? await findPaymentOf(ctx.db, provider, providerPaymentId)
      : undefined;
    if (other === undefined) throw error;
    return { result: 'already', payment: other };
  }
}

async function creditIn(
  tx: Transaction,
  { config }: Pick<Context, 'config'>,
  { actor, arrived, id }: { actor: Actor; arrived: ArrivedPayment; id: string },
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
  if (order !== undefined) await markPaid(tx, order.id);
  await recordAuditEvent(tx, companyActorOf(actor), {
    companyId,
    action: 'balance.topped_up',
    object: order?.reference ?? providerPaymentId,
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
      object: order?.reference ?? providerPaymentId,
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

/** Returns what was paid: as much of the debt as the account can pay without what is held. */
async function payDebt(
  tx: Transaction,
  companyId: CompanyId,
  {
    money,
    added,
    cause,
  }: { money: { balance: number; held: number; debt: number }; added: number; cause: string },
): Promise<number> {
  const paidOff = Math.min(money.debt, money.balance - money.held + added);
  if (paidOff === 0) return 0;
  await postEntry(tx, { companyId, kind: 'debt_paid', amount: -paidOff, cause });
  await addDebt(tx, companyId, -paidOff);
  return paidOff;
}
