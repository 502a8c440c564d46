import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { companyActorOf } from '../audit-log/company-actor.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import { isId } from '../ids.ts';
import {
  countStuckReceipts,
  findFiscalReceipt,
  findStuckReceipts,
  retryReceipt,
  type StuckReceipt,
} from '../papers/fiscal-store.ts';
import type { PaymentProvider, PaymentStatus } from '../payments/payment.ts';
import { Problem } from '../problem.ts';
import { checkOrderNow } from '../topups/check-orders.ts';
import { type ConfirmOutcome, confirmOrder } from '../topups/confirm-order.ts';
import { findOrderById, moveOrder, type Order } from '../topups/order-store.ts';
import {
  askRefund,
  previewRefund,
  type RefundPreview,
  retryRefund,
} from '../topups/refund-payment.ts';
import { confirmRefundByHand } from '../topups/send-refunds.ts';
import {
  countUnmatchedLines,
  findUnmatchedLines,
  type StoredLine,
} from '../topups/statement-store.ts';
import {
  countFlaggedPayments,
  countOddNotices,
  countOpenRefunds,
  countOrdersToConfirm,
  type DeskNoticeRow,
  type DeskOrderRow,
  type DeskPaymentRow,
  type DeskRefundRow,
  findDeskOrder,
  findDeskPayment,
  findDeskRefund,
  findDeskRefundsOf,
  findFlaggedPayments,
  findOddNotices,
  findOpenRefunds,
  findOrdersToConfirm,
  findReviewed,
  insertReview,
  type ListFilter,
  listDeskOrders,
  listDeskPayments,
  type PaymentTotals,
  type ReviewKind,
  sumDeskPayments,
} from './payment-desk-store.ts';

export type {
  DeskNoticeRow,
  DeskOrderRow,
  DeskPaymentRow,
  DeskRefundRow,
  ListFilter,
  StoredLine,
  StuckReceipt,
};

type Ctx = Pick<Context, 'db' | 'config' | 'clock' | 'log' | 'payments'>;

/** A page shows what a person can work through; the counts say how much there is. */
const QUEUE_MAX = 100;
const PAGE_SIZE = 50;
/** A payer in another zone, or a bank a day ahead. */
const FUTURE_MS_MAX = 24 * 3_600_000;

type Queue<Row> = { rows: Row[]; total: number };
export type PaymentQueue = {
  orders: Queue<DeskOrderRow>;
  lines: Queue<StoredLine>;
  notices: Queue<DeskNoticeRow>;
  refunds: Queue<DeskRefundRow>;
  flagged: Queue<DeskPaymentRow>;
  fiscal: Queue<StuckReceipt>;
};

/** Everything about payments that waits for a person. */
export async function readPaymentQueue({ db, payments }: Ctx): Promise<PaymentQueue> {
  const byStatement = payments
    .filter(({ confirmation }) => confirmation === 'operator')
    .map(({ name }) => name);
  const [orders, lines, notices, refunds, flagged, fiscal, totals] = await Promise.all([
    findOrdersToConfirm(db, { byStatement, rowsMax: QUEUE_MAX }),
    findUnmatchedLines(db, QUEUE_MAX),
    findOddNotices(db, QUEUE_MAX),
    findOpenRefunds(db, QUEUE_MAX),
    findFlaggedPayments(db, QUEUE_MAX),
    findStuckReceipts(db, QUEUE_MAX),
    Promise.all([
      countOrdersToConfirm(db, byStatement),
      countUnmatchedLines(db),
      countOddNotices(db),
      countOpenRefunds(db),
      countFlaggedPayments(db),
      countStuckReceipts(db),
    ]),
  ]);
  return {
    orders: { rows: orders, total: totals[0] },
    lines: { rows: lines, total: totals[1] },
    notices: { rows: notices, total: totals[2] },
    refunds: { rows: refunds, total: totals[3] },
    flagged: { rows: flagged, total: totals[4] },
    fiscal: { rows: fiscal, total: totals[5] },
  };
}

/** Whether its provider can be asked what became of it. */
export function canAskAbout(
  { payments }: Pick<Context, 'payments'>,
  order: Pick<DeskOrderRow, 'provider' | 'is_created'>,
): boolean {
  return order.is_created && findProvider({ payments }, order)?.readStatus !== undefined;
}

/** Whether the provider of a payment sends money back itself. */
export function canRefund(
  ctx: Pick<Context, 'payments'>,
  payment: Pick<DeskPaymentRow, 'provider'>,
): boolean {
  return findProvider(ctx, payment)?.refund !== undefined;
}

function findProvider(
  { payments }: Pick<Context, 'payments'>,
  { provider }: { provider: string },
): PaymentProvider | undefined {
  return payments.find(({ name }) => name === provider);
}

type Page<Row> = { rows: Row[]; next: string | null };

export async function listOrdersAtDesk(
  { db }: Pick<Context, 'db'>,
  filter: ListFilter & { cursor?: string | undefined },
): Promise<Page<DeskOrderRow>> {
  const { cursor } = filter;
  if (cursor !== undefined && !isId(cursor)) refuseCursor();
  const found = await listDeskOrders(db, { ...filter, before: cursor, limit: PAGE_SIZE + 1 });
  return toPage(found, ({ id }) => id);
}

export async function listPaymentsAtDesk(
  { db }: Pick<Context, 'db'>,
  filter: ListFilter & { cursor?: string | undefined },
): Promise<Page<DeskPaymentRow> & { totals: PaymentTotals }> {
  const { cursor } = filter;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) refuseCursor();
  const before = cursor === undefined ? undefined : Number(cursor);
  const [found, totals] = await Promise.all([
    listDeskPayments(db, { ...filter, before, limit: PAGE_SIZE + 1 }),
    sumDeskPayments(db, filter),
  ]);
  return { ...toPage(found, (row) => String(row.receipt_number)), totals };
}

function refuseCursor(): never {
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}

function toPage<Row>(found: readonly Row[], keyOf: (row: Row) => string): Page<Row> {
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return { rows, next: found.length > PAGE_SIZE && last !== undefined ? keyOf(last) : null };
}

export async function readPaymentAtDesk(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<{ payment: DeskPaymentRow; refunds: DeskRefundRow[] }> {
  const payment = await findDeskPayment(db, id);
  if (payment === undefined) throw new Problem('not_found');
  return { payment, refunds: await findDeskRefundsOf(db, id) };
}

/** Credits an order whose money the operator has seen on the account. */
export async function confirmOrderAtDesk(
  ctx: Ctx,
  actor: Actor,
  confirmation: Omit<Parameters<typeof confirmOrder>[2], 'order'> & { orderId: string },
): Promise<Exclude<ConfirmOutcome, { result: 'no_order' }>> {
  const { orderId: id, ...seen } = confirmation;
  if (seen.paidAt.getTime() > ctx.clock.now().getTime() + FUTURE_MS_MAX) {
    throw new Problem('validation_error', { errors: { paid_at: ['Дата в будущем'] } });
  }
  const outcome = await confirmOrder(ctx, actor, { ...seen, order: { id } });
  if (outcome.result === 'no_order') throw new Problem('not_found');
  return outcome;
}

/** Asks the provider about an order now, and credits what was paid. */
export async function askAboutOrder(
  ctx: Ctx,
  actor: Actor,
  id: string,
): Promise<{ status: PaymentStatus; order: DeskOrderRow }> {
  const order = await readOrderAtDesk(ctx, id);
  const provider = findProvider(ctx, order);
  if (provider?.readStatus === undefined || order.provider_id === null) {
    throw new Problem('payment_unavailable');
  }
  await ctx.db.transaction((tx) =>
    recordOperatorAct(tx, actor, {
      action: 'payment.asked_about',
      object: order.reference,
      companyId: order.company_id,
    }),
  );
  const status = await checkOrderNow(ctx, provider, order);
  return { status, order: (await findDeskOrder(ctx.db, id)) as DeskOrderRow };
}

async function readOrderAtDesk({ db }: Pick<Context, 'db'>, id: string): Promise<Order> {
  const order = await findOrderById(db, id);
  if (order === undefined) throw new Problem('not_found');
  return order;
}

/** The money of an order that was to be checked has not come. One that comes later is credited. */
export async function closeOrder(
  ctx: Ctx,
  actor: Actor,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const order = await readOrderAtDesk(ctx, id);
  const { company_id: companyId, reference: object } = order;
  await ctx.db.transaction(async (tx) => {
    const move = { from: ['manual'], to: 'cancelled', nextCheckAt: null } as const;
    if (!(await moveOrder(tx, id, move))) throw new Problem('changed_meanwhile');
    const after = { reason };
    await recordAuditEvent(tx, companyActorOf(actor), {
      companyId,
      action: 'topup.cancelled',
      object,
      after,
    });
    await recordOperatorAct(tx, actor, { companyId, action: 'payment.closed', object, after });
  });
}

export async function previewRefundAtDesk(
  ctx: Ctx,
  refund: { paymentId: string; amount: number },
): Promise<RefundPreview> {
  const preview = await previewRefund(ctx, refund);
  if (preview === undefined) throw new Problem('not_found');
  return preview;
}

/** Takes the tokens back and asks the provider; where it makes no refunds, people send the money. */
export async function refundAtDesk(
  ctx: Ctx,
  actor: Actor,
  ask: Parameters<typeof askRefund>[2],
): Promise<DeskRefundRow> {
  const outcome = await askRefund(ctx, actor, ask);
  if (outcome.result === 'no_payment') throw new Problem('not_found');
  if (outcome.result === 'too_much') {
    throw new Problem('validation_error', {
      errors: { amount: [`Не больше ${outcome.left} ₸: остальное уже возвращено`] },
    });
  }
  return (await findDeskRefund(ctx.db, outcome.refund.id)) as DeskRefundRow;
}

/** What a person says about a refund that no provider is making. */
export async function settleRefundAtDesk(
  ctx: Ctx,
  actor: Actor,
  { id, result, note }: { id: string; result: 'done' | 'refused'; note: string },
): Promise<void> {
  const outcome = result === 'done' ? { result, note } : { result, reason: note };
  const settled = await confirmRefundByHand(ctx, actor, id, outcome);
  if (settled === undefined) throw new Problem('not_found');
  if (settled !== result) throw new Problem('changed_meanwhile');
}

export async function retryRefundAtDesk(ctx: Ctx, actor: Actor, id: string): Promise<void> {
  const refund = await findDeskRefund(ctx.db, id);
  if (refund === undefined) throw new Problem('not_found');
  if (!canRefund(ctx, refund)) throw new Problem('payment_unavailable');
  if (!(await retryRefund(ctx, actor, id))) throw new Problem('changed_meanwhile');
}

/** Lets the cash register try a receipt again at once. */
export async function retryFiscalAtDesk(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const receipt = await findFiscalReceipt(tx, id);
    if (receipt === undefined) throw new Problem('not_found');
    if (!(await retryReceipt(tx, id))) throw new Problem('changed_meanwhile');
    const { receipt_number, company_id: companyId, amount } = receipt;
    const object = String(receipt_number);
    const after = { amount };
    await recordOperatorAct(tx, actor, { action: 'fiscal.retried', object, companyId, after });
  });
}

/** Takes something off the list of what waits. Twice is the same as once. */
export async function reviewAtDesk(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  review: { kind: ReviewKind; id: string; note: string | null; by: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const object = await findReviewed(tx, review.kind, review.id);
    if (object === undefined) throw new Problem('not_found');
    if (!(await insertReview(tx, review))) return;
    await recordOperatorAct(tx, actor, {
      action: 'payment.reviewed',
      object,
      after: { kind: review.kind, ...(review.note !== null && { note: review.note }) },
    });
  });
}
