import { createHash } from 'node:crypto';
import { almatyTime } from '../almaty.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import { newId } from '../ids.ts';
import { isPaidByStatement } from './confirm-order.ts';
import { type CreditedLine, creditLine } from './credit-line.ts';
import { findOrderById, findReferences, type Order } from './order-store.ts';
import { readStatement, type Statement, type StatementLine } from './read-statement.ts';
import { foldReference, indexReferences, type ReferenceIndex } from './reference-text.ts';
import { claimLine, findLines, insertLine, type StoredLine } from './statement-store.ts';
import type { StatementReason } from './statement-words.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock'>;

export type ImportedLine = {
  line: number;
  amount: number | undefined;
  /** Of the order that was credited. */
  reference?: string | undefined;
  /** Where there is something to say. */
  reason?: StatementReason | undefined;
  outcome:
    | CreditedLine['outcome']
    /** Kept until the operator matches it. */
    | 'no_order'
    | 'unreadable';
};

export type ImportOutcome =
  | { result: 'imported'; lines: ImportedLine[]; outgoing: number }
  | { result: 'not_a_statement'; reason: StatementReason };

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
): Promise<Pick<ImportedLine, 'outcome' | 'reference' | 'reason'>> {
  if (stored.payment_id !== null || stored.company_id !== null) return { outcome: 'already' };
  const found = stored.order_id ?? findNamed(stored, orders);
  if (typeof found !== 'string') return { outcome: 'no_order', reason: found };
  // Somebody may match it by hand at this moment.
  const owner = await claimLine(ctx.db, stored.id, { orderId: found, matchedBy: null });
  if (owner.order_id === null) return { outcome: 'already' };
  const order = await findOrderById(ctx.db, owner.order_id);
  if (order === undefined) return { outcome: 'no_order' };
  return await creditLine(ctx, actor, { line: stored, order, operator, act: 'statement.credited' });
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
