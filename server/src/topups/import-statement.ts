import { createHash } from 'node:crypto';
import type { Actor } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { creditByBank, isPaidByStatement } from './confirm-order.ts';
import { findOrderById, findOrderByReference, findReferences, type Order } from './order-store.ts';
import { readStatement, type StatementLine } from './read-statement.ts';
import { foldReference, indexReferences, type ReferenceIndex } from './reference-text.ts';
import {
  claimLine,
  findLine,
  findLines,
  insertLine,
  type StoredLine,
  setLinePayment,
} from './statement-store.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock'>;

export type ImportedLine = {
  line: number;
  amount: number | undefined;
  /** Of the order that was credited. */
  reference?: string | undefined;
  /** In plain English, where there is something to say. */
  message?: string | undefined;
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
  | { result: 'not_a_statement'; message: string };

export type MatchOutcome =
  | { result: 'credited' | 'other_amount' | 'already'; reference: string }
  | { result: 'no_line' }
  | { result: 'no_order' }
  /** The line has paid another order. */
  | { result: 'matched'; reference: string };

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

  const lines: ImportedLine[] = read.unreadable.map(({ line, message }) => ({
    line,
    amount: undefined,
    message,
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

/** Credits a line that names no order, to the one that the operator has found. */
export async function matchLine(
  ctx: Ctx,
  actor: Actor,
  match: { lineId: string; reference: string; operator: string },
): Promise<MatchOutcome> {
  const line = await findLine(ctx.db, match.lineId);
  if (line === undefined) return { result: 'no_line' };
  const order = await findOrderByReference(ctx.db, match.reference.trim().toUpperCase());
  if (order === undefined) return { result: 'no_order' };
  const claim = { orderId: order.id, matchedBy: match.operator };
  const owner = await claimLine(ctx.db, line.id, claim);
  if (owner !== order.id) {
    const other = await findOrderById(ctx.db, owner);
    return { result: 'matched', reference: other?.reference ?? '' };
  }
  if (line.payment_id !== null) return { result: 'already', reference: order.reference };
  const { outcome } = await credit(ctx, actor, { line, order, operator: match.operator });
  return { result: outcome, reference: order.reference };
}

type Settled = Pick<ImportedLine, 'outcome' | 'reference' | 'message'>;

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
  if (stored.payment_id !== null) return { outcome: 'already' };
  const found = stored.order_id ?? findNamed(stored, orders);
  if (typeof found !== 'string') return { outcome: 'no_order', ...found };
  // Somebody may match it by hand at this moment.
  const orderId = await claimLine(ctx.db, stored.id, { orderId: found, matchedBy: null });
  const order = await findOrderById(ctx.db, orderId);
  if (order === undefined) return { outcome: 'no_order' };
  return await credit(ctx, actor, { line: stored, order, operator });
}

/** The id of the order that the purpose names, or why there is none. */
function findNamed(
  { purpose }: StoredLine,
  orders: ReferenceIndex<Pick<Order, 'id' | 'reference' | 'provider'>>,
): string | { message: string } {
  const found = orders.findIn(purpose);
  const [order] = found;
  if (order === undefined) return { message: 'The purpose names no order.' };
  if (found.length > 1) {
    const references = found.map(({ reference }) => reference).join(', ');
    return { message: `The purpose names several orders: ${references}.` };
  }
  // Its provider reports its payments, and the same money may be a line of the statement.
  if (!isPaidByStatement(order)) {
    const { reference, provider } = order;
    return {
      message: `${reference} is an order by ${provider}. Match it if the money is not there.`,
    };
  }
  return order.id;
}

async function credit(
  ctx: Ctx,
  actor: Actor,
  { line, order, operator }: { line: StoredLine; order: Order; operator: string },
): Promise<Settled & { outcome: 'credited' | 'other_amount' | 'already' }> {
  const { reference } = order;
  const outcome = await creditByBank(ctx, actor, {
    order,
    amount: line.amount,
    paidAt: line.paid_at,
    bankReference: line.bank_reference ?? line.hash.toString('hex').slice(0, 16),
    operator,
  });
  if (outcome.result === 'no_order') throw new Error(`order ${reference} has no account`);
  const { payment } = outcome;
  await setLinePayment(ctx.db, line.id, payment.id);
  if (outcome.result === 'already') {
    const message =
      payment.amount === line.amount ? undefined : `It was credited with ${payment.amount} ₸.`;
    return { outcome: 'already', reference, ...(message !== undefined && { message }) };
  }
  if (!payment.is_other_amount) return { outcome: 'credited', reference };
  return { outcome: 'other_amount', reference, message: `The order is for ${order.amount} ₸.` };
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
