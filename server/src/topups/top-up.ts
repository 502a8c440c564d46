import type { Actor } from '../audit-log/audit-log-store.ts';
import { findBalance } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import { creditPayment } from './credit-payment.ts';
import { BY_TERMINAL } from './payment-document.ts';

export type TopUpOutcome =
  | { result: 'credited'; balance: number; bonus: number; receiptNumber: number }
  /** This reference was credited before. */
  | { result: 'already'; companyId: CompanyId; amount: number; receiptNumber: number }
  | { result: 'no_company' }
  | { result: 'too_small'; min: number };

/**
 * Credits money that the operator has seen arrive. The same reference twice credits once; without
 * one every call is a payment of its own.
 */
export async function topUp(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  payment: { companyId: CompanyId; amount: number; reference?: string | undefined },
  actor: Actor = {},
): Promise<TopUpOutcome> {
  const { companyId, amount } = payment;
  if (amount < ctx.config.topupMin) return { result: 'too_small', min: ctx.config.topupMin };
  if ((await findBalance(ctx.db, companyId)) === undefined) return { result: 'no_company' };
  const now = ctx.clock.now();
  const outcome = await creditPayment(ctx, actor, {
    companyId,
    provider: BY_TERMINAL,
    providerPaymentId: payment.reference ?? newId(now.getTime()),
    amount,
    paidAt: now,
  });
  if (outcome.result === 'no_company') return outcome;
  const receiptNumber = outcome.payment.receipt_number;
  if (outcome.result === 'already') {
    const { company_id, amount: credited } = outcome.payment;
    return { result: 'already', companyId: company_id, amount: credited, receiptNumber };
  }
  const { balance, payment: credited } = outcome;
  return { result: 'credited', balance, bonus: credited.bonus, receiptNumber };
}
