import { createHash } from 'node:crypto';
import { almatyTime } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import { findCompany } from '../company/company-store.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import { creditByStatement, isPaidByStatement } from './confirm-order.ts';
import { type ConfirmingAct, creditPayment } from './credit-payment.ts';
import { findOrderById, findOrderByReference, findReferences, type Order } from './order-store.ts';
import { readStatement, type Statement, type StatementLine } from './read-statement.ts';
import { foldReference, indexReferences, type ReferenceIndex } from './reference-text.ts';
import {
  claimLine,
  findLine,
  findLines,
  insertLine,
  type LineOwner,
  type StoredLine,
  setLinePayment,
} from './statement-store.ts';
import type { StatementReason } from './statement-words.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock'>;

export type ImportedLine = {
  line: number;
  amount: number | undefined;
  /** Of the order that was credited. */
  reference?: string | undefined;
  /** Where there is something to say. */
  reason?: StatementReason | undefined;
  outcome: /** `other_amount` is credited as paid, and flagged. */
    | 'credited'
    | 'other_amount'
    | 'already'
    /** Kept until the operator matches it. */
    | 'no_order'
    | 'unreadable';
};

export type ImportOutcome =
  | { result: 'imported'; lines: ImportedLine[]; outgoing: number }
  | { result: 'not_a_statement'; reason: StatementReason };

/** The target is the reference of an order, or the name of a company. */
export type MatchOutcome =
  | { result: 'credited' | 'other_amount' | 'already'; target: string }
  | { result: 'no_line' }
  | { result: 'no_target' }
  /** The line belongs to somebody else. */
  | { result: 'matched'; target: string };

/** An older order is not meant any more, and its reference may be found in a text by accident. */
const ORDER_DAYS_MAX = 400;
const DAY_MS = 24 * 3_600_000;

/**
 * Imports a bank statement: each line is kept once, and credited to the order whose reference is in
 * its purpose. The same file again, at the same time or half imported before, credits nothing twice.
 */
export async function importStatement(
  ctx: Ctx,
  actor: Actor,
  statement: { bytes: Buffer; operator: string },
): Promise<ImportOutcome> {
  const now = ctx.clock.now();
  const read = readStatement(statement.bytes, now);
  if (read.result === 'not_a_statement') return read;
  const since = new Date(now.getTime() - ORDER_DAYS_MAX * DAY_MS);
  const orders = indexReferences(await findReferences(ctx.db, since));
  const hashed = withHashes(read.lines);
  const known = await findLines(
    ctx.db,
    hashed.map(({ hash }) => hash),
  );
  const knownByHash = new Map(known.map((line) => [line.hash.toString('hex'), line]));

  await recordImport(ctx, actor, read);

  const lines: ImportedLine[] = read.unreadable.map(({ line, reason }) => ({
    line,
    amount: undefined,
    reason,
    outcome: 'unreadable',
  }));
  for (const { line, hash } of hashed) {
    const stored =
      knownByHash.get(hash.toString('hex')) ??
      (await store(ctx, { line, hash, operator: statement.operator }));
    const outcome = await settle(ctx, actor, { stored, orders, operator: statement.operator });
    lines.push({ line: line.line, amount: line.amount, ...outcome });
  }
  return {
    result: 'imported',
    lines: lines.toSorted((a, b) => a.line - b.line),
    outgoing: read.outgoing,
  };
}

/** Recorded before the lines are credited, each of which has a record of its own. */
async function recordImport(
  { db }: Ctx,
  actor: Actor,
  { lines, unreadable, outgoing }: Extract<Statement, { result: 'read' }>,
): Promise<void> {
  const days = lines.map(({ paidAt }) => almatyTime(paidAt).slice(0, 10)).toSorted();
  await db.transaction((tx) =>
    recordOperatorAct(tx, actor, {
      action: 'statement.imported',
      object: days.length === 0 ? '—' : `${days[0]} – ${days.at(-1)}`,
      after: {
        lines: lines.length,
        amount: lines.reduce((sum, line) => sum + line.amount, 0),
        unreadable: unreadable.length,
        outgoing,
      },
    }),
  );
}

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
  const { outcome } = await credit(ctx, actor, { line, order, operator, act: 'statement.matched' });
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

const shortHash = ({ hash }: StoredLine) => hash.toString('hex').slice(0, 16);

type Settled = Pick<ImportedLine, 'outcome' | 'reference' | 'reason'>;

async function settle(
  ctx: Ctx,
  actor: Actor,
  {
    stored,
    orders,
    operator,
  }: {
    stored: StoredLine;
    orders: ReferenceIndex<Pick<Order, 'id' | 'reference' | 'provider'>>;
    operator: string;
  },
): Promise<Settled> {
  if (stored.payment_id !== null || stored.company_id !== null) return { outcome: 'already' };
  const found = stored.order_id ?? findNamed(stored, orders);
  if (typeof found !== 'string') return { outcome: 'no_order', reason: found };
  // Somebody may match it by hand at this moment.
  const owner = await claimLine(ctx.db, stored.id, { orderId: found, matchedBy: null });
  if (owner.order_id === null) return { outcome: 'already' };
  const order = await findOrderById(ctx.db, owner.order_id);
  if (order === undefined) return { outcome: 'no_order' };
  return await credit(ctx, actor, { line: stored, order, operator, act: 'statement.credited' });
}

/** The id of the order that the purpose names, or why there is none. */
function findNamed(
  { purpose }: StoredLine,
  orders: ReferenceIndex<Pick<Order, 'id' | 'reference' | 'provider'>>,
): string | StatementReason {
  const found = orders.findIn(purpose);
  const [order] = found;
  if (order === undefined) return { code: 'names_no_order', values: [] };
  if (found.length > 1) {
    const references = found.map(({ reference }) => reference).join(', ');
    return { code: 'names_several', values: [references] };
  }
  // Its provider reports its payments, and the same money may be a line of the statement.
  if (!isPaidByStatement(order)) {
    return { code: 'reported_by_provider', values: [order.reference, order.provider] };
  }
  return order.id;
}

async function credit(
  ctx: Ctx,
  actor: Actor,
  {
    line,
    order,
    operator,
    act,
  }: { line: StoredLine; order: Order; operator: string; act: ConfirmingAct },
): Promise<Settled & { outcome: 'credited' | 'other_amount' | 'already' }> {
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

/**
 * What makes a line the same in another file. The number of a document is the payer's own, so the
 * payer and the purpose belong to it. Lines without a number can be alike, and are counted.
 */
function withHashes(lines: readonly StatementLine[]): { line: StatementLine; hash: Buffer }[] {
  const seen = new Map<string, number>();
  return lines.map((line) => {
    const { bankReference, paidAt, amount, payerBusinessId, purpose } = line;
    const identity = JSON.stringify([
      bankReference,
      paidAt.toISOString(),
      amount,
      payerBusinessId,
      foldReference(purpose),
    ]);
    const before = bankReference === null ? (seen.get(identity) ?? 0) : 0;
    seen.set(identity, before + 1);
    const hash = createHash('sha256').update(`${identity} ${before}`).digest();
    return { line, hash };
  });
}

async function store(
  ctx: Ctx,
  { line, hash, operator }: { line: StatementLine; hash: Buffer; operator: string },
): Promise<StoredLine> {
  await insertLine(ctx.db, {
    id: newId(ctx.clock.now().getTime()),
    hash,
    bank_reference: line.bankReference,
    paid_at: line.paidAt,
    amount: line.amount,
    purpose: line.purpose,
    payer_name: line.payerName,
    payer_business_id: line.payerBusinessId,
    imported_by: operator,
  });
  const [stored] = await findLines(ctx.db, [hash]);
  return stored as StoredLine;
}
