import type { Actor } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { creditByStatement } from './confirm-order.ts';
import type { ConfirmingAct } from './credit-payment.ts';
import type { Order } from './order-store.ts';
import { type StoredLine, setLinePayment } from './statement-store.ts';
import type { StatementReason } from './statement-words.ts';

export type CreditedLine = {
  /** `other_amount` is credited as paid, and flagged. */
  outcome: 'credited' | 'other_amount' | 'already';
  /** Of the order. */
  reference: string;
  /** Where there is something to say. */
  reason?: StatementReason;
};

/** Credits a line of a bank statement to an order that has claimed it, once. */
export async function creditLine(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  actor: Actor,
  {
    line,
    order,
    operator,
    act,
  }: { line: StoredLine; order: Order; operator: string; act: ConfirmingAct },
): Promise<CreditedLine> {
  const { reference } = order;
  const outcome = await creditByStatement(ctx, actor, {
    order,
    amount: line.amount,
    paidAt: line.paid_at,
    bankReference: line.bank_reference ?? shortHash(line),
    operator,
    act,
  });
  if (outcome.result === 'no_order') throw new Error(`order ${reference} has no account`);
  const { payment } = outcome;
  if (payment.amount === line.amount) await setLinePayment(ctx.db, line.id, payment.id);
  if (outcome.result === 'already') {
    if (payment.amount === line.amount) return { outcome: 'already', reference };
    // The document was confirmed by hand with another amount: the line waits until somebody looks.
    const reason = { code: 'credited_with', values: [String(payment.amount)] } as const;
    return { outcome: 'already', reference, reason };
  }
  if (!payment.is_other_amount) return { outcome: 'credited', reference };
  const reason = { code: 'order_is_for', values: [String(order.amount)] } as const;
  return { outcome: 'other_amount', reference, reason };
}

/** Stands for the number of a document where the line has none, or where that is not enough. */
export function shortHash({ hash }: StoredLine): string {
  return hash.toString('hex').slice(0, 16);
}
