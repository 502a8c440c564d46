import { REFUND_AT_BANK } from '@zhiber/contract/cabinet/ledger-words.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { companyActorOf } from '../audit-log/company-actor.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import { postEntry } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { newId } from '../ids.ts';
import type { RefundOutcome } from '../payments/payment.ts';
import { Problem } from '../problem.ts';
import { payDebt } from './pay-debt.ts';
import {
  addDebt,
  findPayment,
  lockMoney,
  lockPayment,
  type Money,
  type Payment,
  readMoney,
} from './payment-store.ts';
import {
  addRefunded,
  closeRefund,
  findRefund,
  findRefundsOf,
  insertRefund,
  lockRefund,
  type Refund,
  setNextTry,
} from './refund-store.ts';

export type RefundToAsk = {
  paymentId: string;
  amount: number;
  reason: string;
  /** The operator who asks; null when the provider reports a refund that was made there. */
  askedBy: string | null;
  /**
   * What the operator has seen as refunded. With another sum by now the refund is refused as
   * `changed_meanwhile`: a second click, or a second operator, sends nothing back twice.
   */
  refundedBefore?: number | undefined;
};

export type AskOutcome =
  | { result: 'asked'; refund: Refund }
  | { result: 'no_payment' }
  | { result: 'too_much'; left: number };

type Ctx = Pick<Context, 'db' | 'config' | 'clock'>;

/**
 * Takes the tokens at once, before the provider is asked, so that they cannot be spent meanwhile.
 * What the balance does not cover is owed. `settleRefund` follows with the provider's answer.
 */
export async function askRefund(ctx: Ctx, actor: Actor, ask: RefundToAsk): Promise<AskOutcome> {
  const now = ctx.clock.now();
  return await takeBack(ctx, actor, { ...ask, state: 'asked', nextTryAt: now });
}

/**
 * Records a refund that was made at the provider. `refundedTotal` is what the provider has sent back
 * of the payment in all, so that the same report twice, or late, changes nothing.
 */
export async function recordReportedRefund(
  ctx: Ctx,
  report: { paymentId: string; refundedTotal: number },
): Promise<AskOutcome | { result: 'known' }> {
  const payment = await findPayment(ctx.db, report.paymentId);
  if (payment === undefined) return { result: 'no_payment' };
  if (report.refundedTotal <= payment.refunded) return { result: 'known' };
  return await takeBack(
    ctx,
    {},
    {
      paymentId: payment.id,
      refundedTotal: Math.min(report.refundedTotal, payment.amount),
      reason: REFUND_AT_BANK,
      askedBy: null,
      state: 'done',
      nextTryAt: null,
    },
  );
}

type TakeBack = { paymentId: string; reason: string; askedBy: string | null } & (
  | { state: 'asked'; amount: number; nextTryAt: Date; refundedBefore?: number | undefined }
  | { state: 'done'; refundedTotal: number; nextTryAt: null }
);

async function takeBack(ctx: Ctx, actor: Actor, ask: TakeBack): Promise<AskOutcome> {
  const found = await findPayment(ctx.db, ask.paymentId);
  if (found === undefined) return { result: 'no_payment' };
  const id = newId(ctx.clock.now().getTime());
  return await ctx.db.transaction(async (tx) => {
    // The account before the payment, as when it was credited.
    const money = await lockMoney(tx, found.company_id);
    const payment = await lockPayment(tx, ask.paymentId);
    if (money === undefined || payment === undefined) return { result: 'no_payment' };
    const isSeen = ask.state === 'done' || ask.refundedBefore === undefined;
    if (!isSeen && ask.refundedBefore !== payment.refunded) throw new Problem('changed_meanwhile');
    const left = payment.amount - payment.refunded;
    const amount = ask.state === 'asked' ? ask.amount : ask.refundedTotal - payment.refunded;
    if (amount > left || amount < 1) return { result: 'too_much', left };

    const refunds = await findRefundsOf(tx, payment.id);
    const { topupMin } = ctx.config;
    const { bonus, taken, owed } = measureRefund({ money, payment, refunds, amount, topupMin });
    const takenOfAmount = Math.min(taken, amount);
    const companyId = payment.company_id;
    if (takenOfAmount > 0) {
      await postEntry(tx, { companyId, kind: 'refund', amount: -takenOfAmount, cause: id });
    }
    if (taken > takenOfAmount) {
      const rest = taken - takenOfAmount;
      await postEntry(tx, { companyId, kind: 'bonus_taken_back', amount: -rest, cause: id });
    }
    if (owed > 0) await addDebt(tx, companyId, owed);
    await insertRefund(tx, {
      id,
      payment_id: payment.id,
      company_id: companyId,
      amount,
      taken,
      owed,
      bonus,
      state: ask.state,
      reason: ask.reason,
      asked_by: ask.askedBy,
      provider_refund_id: null,
      next_try_at: ask.nextTryAt,
    });
    await addRefunded(tx, payment.id, amount);
    await recordAuditEvent(tx, companyActorOf(actor), {
      companyId,
      action: 'balance.refunded',
      object: String(payment.receipt_number),
      after: { amount, bonus, owed, reason: ask.reason },
    });
    if (ask.state === 'asked') {
      await recordOperatorAct(tx, actor, {
        action: 'refund.asked',
        object: String(payment.receipt_number),
        companyId,
        after: { amount, bonus, taken, owed, reason: ask.reason },
      });
    }
    return { result: 'asked', refund: (await findRefund(tx, id)) as Refund };
  });
}

export type RefundPreview = {
  /** Of the payment, before this refund. */
  left: number;
  bonus: number;
  taken: number;
  owed: number;
  /** On the balance, without what is held. */
  available: number;
};

/** What a refund would take now. Undefined when there is no such payment. */
export async function previewRefund(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { paymentId, amount }: { paymentId: string; amount: number },
): Promise<RefundPreview | undefined> {
  const payment = await findPayment(db, paymentId);
  if (payment === undefined) return undefined;
  const money = await readMoney(db, payment.company_id);
  const refunds = await findRefundsOf(db, payment.id);
  const { topupMin } = config;
  return {
    left: payment.amount - payment.refunded,
    available: money.balance - money.held,
    ...measureRefund({ money, payment, refunds, amount, topupMin }),
  };
}

/**
 * The bonus belongs to a top-up of at least the minimum. Once less than that is left of the payment
 * that brought it, it is taken back: otherwise a refund would leave the bonus for nothing. What the
 * balance does not cover of both is owed.
 */
function measureRefund({
  money,
  payment,
  refunds,
  amount,
  topupMin,
}: {
  money: Money;
  payment: Payment;
  refunds: readonly Refund[];
  amount: number;
  topupMin: number;
}): { bonus: number; taken: number; owed: number } {
  const leftAfter = payment.amount - payment.refunded - amount;
  const isTakenBack = refunds.some((refund) => refund.bonus > 0);
  const bonus = leftAfter >= topupMin || isTakenBack ? 0 : payment.bonus;
  const taken = Math.min(money.balance - money.held, amount + bonus);
  return { bonus, taken, owed: amount + bonus - taken };
}

/**
 * Records the answer of the provider, once. A refused refund is given back in full. By hand only
 * while no provider is asked, whose answer could contradict it: otherwise it stays `asked`.
 */
export async function settleRefund(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  refundId: string,
  outcome: Exclude<RefundOutcome, { result: 'unclear' }> & { byHand?: { note: string } },
): Promise<Refund['state'] | undefined> {
  const found = await findRefund(ctx.db, refundId);
  if (found === undefined) return undefined;
  return await ctx.db.transaction(async (tx) => {
    const money = await lockMoney(tx, found.company_id);
    const refund = await lockRefund(tx, refundId);
    if (money === undefined || refund === undefined) return undefined;
    if (refund.state !== 'asked') return refund.state;
    if (outcome.byHand !== undefined && refund.next_try_at !== null) return 'asked';
    if (outcome.result === 'done') {
      const { providerRefundId } = outcome;
      await closeRefund(tx, refundId, { state: 'done', providerRefundId, debtCancelled: 0 });
      await recordByHand(tx, actor, { refund, outcome });
      return 'done';
    }
    // What a top-up has paid of the debt meanwhile comes back as tokens.
    const debtCancelled = Math.min(refund.owed, money.debt);
    const back = refund.amount + refund.bonus - debtCancelled;
    const { company_id: companyId } = refund;
    if (back > 0) {
      await postEntry(tx, { companyId, kind: 'refund_refused', amount: back, cause: refundId });
    }
    if (debtCancelled > 0) await addDebt(tx, companyId, -debtCancelled);
    // What other refunds have left to be paid.
    const rest = { ...money, debt: money.debt - debtCancelled };
    await payDebt(tx, companyId, { money: rest, added: back, cause: refundId });
    await addRefunded(tx, refund.payment_id, -refund.amount);
    await closeRefund(tx, refundId, { state: 'refused', providerRefundId: null, debtCancelled });
    await recordAuditEvent(tx, companyActorOf(actor), {
      companyId,
      action: 'balance.refund_refused',
      object: refund.reason,
      after: { amount: refund.amount, reason: outcome.reason },
    });
    await recordByHand(tx, actor, { refund, outcome });
    return 'refused';
  });
}

async function recordByHand(
  tx: Transaction,
  actor: Actor,
  settled: { refund: Refund; outcome: { result: string; byHand?: { note: string } } },
): Promise<void> {
  const { refund, outcome } = settled;
  if (outcome.byHand === undefined) return;
  const payment = await findPayment(tx, refund.payment_id);
  await recordOperatorAct(tx, actor, {
    action: 'refund.settled',
    object: String(payment?.receipt_number),
    companyId: refund.company_id,
    after: { result: outcome.result, amount: refund.amount, note: outcome.byHand.note },
  });
}

/** Lets the provider try a refund again that was left to the operator. False when it was not. */
export async function retryRefund(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  refundId: string,
): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    const refund = await lockRefund(tx, refundId);
    if (refund?.state !== 'asked' || refund.next_try_at !== null) return false;
    await setNextTry(tx, refundId, ctx.clock.now());
    const payment = await findPayment(tx, refund.payment_id);
    await recordOperatorAct(tx, actor, {
      action: 'refund.retried',
      object: String(payment?.receipt_number),
      companyId: refund.company_id,
      after: { amount: refund.amount },
    });
    return true;
  });
}
