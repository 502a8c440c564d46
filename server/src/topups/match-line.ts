import type { Actor } from '../audit-log/audit-log-store.ts';
import { findCompany } from '../company/company-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { creditLine, shortHash } from './credit-line.ts';
import { creditPayment } from './credit-payment.ts';
import { findOrderById, findOrderByReference } from './order-store.ts';
import {
  claimLine,
  findLine,
  type LineOwner,
  type StoredLine,
  setLinePayment,
} from './statement-store.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock'>;

/** The target is the reference of an order, or the name of a company. */
export type MatchOutcome =
  | { result: 'credited' | 'other_amount' | 'already'; target: string }
  | { result: 'no_line' }
  | { result: 'no_target' }
  /** The line belongs to somebody else. */
  | { result: 'matched'; target: string };

/**
 * Credits a line to the order, or to the company without one, that the operator has found. The same
 * match twice credits once.
 */
export async function matchLine(
  ctx: Ctx,
  actor: Actor,
  match: {
    lineId: string;
    target: { reference: string } | { companyId: CompanyId };
    operator: string;
  },
): Promise<MatchOutcome> {
  const line = await findLine(ctx.db, match.lineId);
  if (line === undefined) return { result: 'no_line' };
  const { operator, target } = match;
  return 'reference' in target
    ? await matchToOrder(ctx, actor, { line, reference: target.reference, operator })
    : await matchToCompany(ctx, actor, { line, companyId: target.companyId, operator });
}

async function matchToOrder(
  ctx: Ctx,
  actor: Actor,
  { line, reference, operator }: { line: StoredLine; reference: string; operator: string },
): Promise<MatchOutcome> {
  const order = await findOrderByReference(ctx.db, reference.trim().toUpperCase());
  if (order === undefined) return { result: 'no_target' };
  const owner = await claimLine(ctx.db, line.id, { orderId: order.id, matchedBy: operator });
  if (owner.order_id !== order.id) return await matched(ctx, owner);
  const { outcome } = await creditLine(ctx, actor, {
    line,
    order,
    operator,
    act: 'statement.matched',
  });
  return { result: outcome, target: order.reference };
}

async function matchToCompany(
  ctx: Ctx,
  actor: Actor,
  { line, companyId, operator }: { line: StoredLine; companyId: CompanyId; operator: string },
): Promise<MatchOutcome> {
  const company = await findCompany(ctx.db, companyId);
  if (company === undefined) return { result: 'no_target' };
  const owner = await claimLine(ctx.db, line.id, { companyId, matchedBy: operator });
  if (owner.company_id !== companyId) return await matched(ctx, owner);
  const outcome = await creditPayment(ctx, actor, {
    companyId,
    provider: 'transfer',
    // The number of the document is the payer's own; the hash makes the payment unique.
    providerPaymentId: [line.bank_reference, shortHash(line)].filter(Boolean).join('/'),
    amount: line.amount,
    paidAt: line.paid_at,
    payer:
      line.payer_name === null
        ? undefined
        : { name: line.payer_name, businessId: line.payer_business_id },
    confirmedBy: operator,
    act: 'statement.matched',
  });
  if (outcome.result === 'no_company') return { result: 'no_target' };
  await setLinePayment(ctx.db, line.id, outcome.payment.id);
  return { result: outcome.result, target: company.name };
}

/** The line was given to somebody else. */
async function matched(ctx: Ctx, { order_id, company_id }: LineOwner): Promise<MatchOutcome> {
  const order = order_id === null ? undefined : await findOrderById(ctx.db, order_id);
  const company = company_id === null ? undefined : await findCompany(ctx.db, company_id);
  return { result: 'matched', target: order?.reference ?? company?.name ?? '' };
}
