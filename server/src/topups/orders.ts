import { OPEN_TOPUPS_MAX } from '@zhiber/contract/cabinet/topups.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { lockCompany } from '../company/company-store.ts';
import type { Context } from '../context.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { type CompanyId, newId } from '../ids.ts';
import type { Created, PaymentProvider } from '../payments/payment.ts';
import { Problem } from '../problem.ts';
import { withDeadline } from '../runtime/deadline.ts';
import {
  countOpenOrders,
  findOrder,
  findOrderOfRequest,
  insertOrder,
  moveOrder,
  type Order,
  storeCreated,
} from './order-store.ts';
import { newReference } from './reference.ts';

export type OrderRequest = {
  companyId: CompanyId;
  requestId: string;
  provider: string;
  amount: number;
  payer: { name: string; businessId: string | null };
  language: Lang;
};

type Ctx = Pick<Context, 'db' | 'config' | 'clock' | 'log' | 'payments' | 'traffic'>;

/** A person waits for the answer. */
const CREATE_LIMIT_MS = 10_000;
/** How soon a bank is asked for the first time, where it does not say so itself. */
const FIRST_CHECK_SECONDS = { poll: 5, notice: 60 } as const;
/** One of 78 billion references is rarely taken; three in a row are a bug. */
const REFERENCE_TRIES_MAX = 3;

const DESCRIPTIONS: Record<Lang, string> = {
  ru: 'Пополнение баланса Zhiber',
  kk: 'Zhiber балансын толтыру',
  en: 'Zhiber top-up',
};

/**
 * Creates an order and returns its id. The order is stored before the provider is asked, so that no
 * payment can arrive for an order that we do not know. The same request again gets the same order.
 */
export async function createOrder(
  ctx: Ctx,
  actor: Actor,
  request: OrderRequest,
  limitMs = CREATE_LIMIT_MS,
): Promise<string> {
  const provider = ctx.payments.find(({ name }) => name === request.provider);
  if (provider === undefined) {
    throw new Problem('validation_error', {
      errors: { provider: ['Этот способ оплаты сейчас не подключён'] },
    });
  }
  const { topupMin } = ctx.config;
  if (request.amount < topupMin) {
    throw new Problem('validation_error', { errors: { amount: [`Не меньше ${topupMin} ₸`] } });
  }
  const { order, isNew } = await storeOrder(ctx, actor, request, provider);
  if (!isNew) return repeated(order, request);
  const created = await askProvider(ctx, provider, { order, language: request.language, limitMs });
  ctx.traffic.add('topup', 'traffic', created.result !== 'unavailable');
  if (created.result !== 'created') {
    ctx.log.warn(
      { provider: provider.name, order: order.reference, reason: created.reason },
      'a payment provider has created no order',
    );
    await cancel(ctx, actor, order, { reason: 'банк не принял заказ' });
    throw new Problem('payment_unavailable');
  }
  const expiresAt = created.expiresAt ?? order.expires_at;
  await storeCreated(ctx.db, order.id, {
    providerId: created.providerId,
    qr: created.qr ?? null,
    payUrl: created.payUrl ?? null,
    expiresAt,
    nextCheckAt: firstCheckAt(ctx, provider, { created, expiresAt }),
  });
  return order.id;
}

async function storeOrder(
  ctx: Ctx,
  actor: Actor,
  request: OrderRequest,
  provider: PaymentProvider,
): Promise<{ order: Order; isNew: boolean }> {
  for (let tries = 1; ; tries++) {
    try {
      return await storeOrderOnce(ctx, actor, request, provider);
    } catch (error) {
      const isTaken = isUniqueViolation(error, 'payment_order_reference_key');
      if (!isTaken || tries === REFERENCE_TRIES_MAX) throw error;
    }
  }
}

async function storeOrderOnce(
  { db, clock }: Ctx,
  actor: Actor,
  { companyId, requestId, amount, payer }: OrderRequest,
  provider: PaymentProvider,
): Promise<{ order: Order; isNew: boolean }> {
  const now = clock.now().getTime();
  const id = newId(now);
  const reference = newReference();
  const expiresAt = new Date(now + provider.lifetimeSeconds * 1_000);
  return await db.transaction(async (tx) => {
    // Concurrent requests of a company wait for each other: one request id is one order, and the
    // limit is exact.
    await lockCompany(tx, companyId);
    const known = await findOrderOfRequest(tx, companyId, requestId);
    if (known !== undefined) return { order: known, isNew: false };
    if ((await countOpenOrders(tx, companyId)) >= OPEN_TOPUPS_MAX) {
      throw new Problem('too_many_topups');
    }
    await insertOrder(tx, {
      id,
      company_id: companyId,
      request_id: requestId,
      reference,
      provider: provider.name,
      amount,
      payer_name: payer.name,
      payer_business_id: payer.businessId,
      provider_id: null,
      qr: null,
      pay_url: null,
      created_by: actor.person?.id ?? null,
      expires_at: expiresAt,
      // Should this process die before the provider answers, the order still ends in time.
      next_check_at: expiresAt,
    });
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'topup.created',
      object: reference,
      after: { amount, provider: provider.name },
    });
    return { order: (await findOrder(tx, companyId, id)) as Order, isNew: true };
  });
}

/** A repeat of the same request; its first try may still be waiting for the provider. */
function repeated(order: Order, { provider, amount }: OrderRequest): string {
  if (order.provider !== provider || order.amount !== amount) {
    throw new Problem('validation_error', {
      errors: { request_id: ['С этим номером уже создано другое пополнение'] },
    });
  }
  const hasFailed = order.state === 'cancelled' && order.provider_id === null;
  if (hasFailed) throw new Problem('payment_unavailable');
  return order.id;
}

async function askProvider(
  { log }: Ctx,
  provider: PaymentProvider,
  { order, language, limitMs }: { order: Order; language: Lang; limitMs: number },
): Promise<Created> {
  const { reference, amount } = order;
  const description = `${DESCRIPTIONS[language]}, ${reference}`;
  try {
    return await withDeadline({ limitMs }, (signal) =>
      provider.create({ reference, amount, description, language }, signal),
    );
  } catch (error) {
    log.error({ err: error, provider: provider.name }, 'a payment provider failed');
    return { result: 'unavailable', reason: 'failed' };
  }
}

/** Where nobody can be asked, the order is looked at again when its time is over. */
function firstCheckAt(
  { clock }: Ctx,
  { confirmation, readStatus }: PaymentProvider,
  { created, expiresAt }: { created: Created & { result: 'created' }; expiresAt: Date },
): Date {
  if (confirmation === 'operator' || readStatus === undefined) return expiresAt;
  const seconds = created.checkAfterSeconds ?? FIRST_CHECK_SECONDS[confirmation];
  return new Date(clock.now().getTime() + seconds * 1_000);
}

type OrderRef = { companyId: CompanyId; id: string };

/** The order of another company is `not_found`. */
export async function readOrder({ db }: Pick<Context, 'db'>, ref: OrderRef): Promise<Order> {
  const order = await findOrder(db, ref.companyId, ref.id);
  if (order === undefined) throw new Problem('not_found');
  return order;
}

/** Idempotent. A payment that arrives later is credited all the same. */
export async function cancelOrder(ctx: Ctx, actor: Actor, ref: OrderRef): Promise<void> {
  const order = await readOrder(ctx, ref);
  if (order.state === 'cancelled' || (await cancel(ctx, actor, order))) return;
  const { state } = await readOrder(ctx, ref);
  if (state !== 'cancelled') throw new Problem('topup_closed');
}

/** False when the order is not pending any more. */
async function cancel(
  ctx: Ctx,
  actor: Actor,
  order: Order,
  after?: { reason: string },
): Promise<boolean> {
  // The QR may have been scanned already: where the bank can be asked, it is once more at the end.
  const isAskable = order.provider_id !== null && canAsk(ctx, order);
  const nextCheckAt = isAskable ? order.expires_at : null;
  return await ctx.db.transaction(async (tx) => {
    const move = { from: ['pending'], to: 'cancelled', nextCheckAt } as const;
    if (!(await moveOrder(tx, order.id, move))) return false;
    await recordAuditEvent(tx, actor, {
      companyId: order.company_id,
      action: 'topup.cancelled',
      object: order.reference,
      after,
    });
    return true;
  });
}

/**
 * The payer says that it is paid, in time or late: the bank is asked at once, or, where it cannot
 * be, the operator checks. Nothing changes for an order that is being checked, paid or cancelled.
 */
export async function claimPaid(ctx: Ctx, ref: OrderRef): Promise<void> {
  const order = await readOrder(ctx, ref);
  const from = ['pending', 'expired'] as const;
  await moveOrder(
    ctx.db,
    order.id,
    canAsk(ctx, order)
      ? { from, to: 'checking', nextCheckAt: ctx.clock.now() }
      : { from, to: 'manual', nextCheckAt: null },
  );
}

function canAsk({ payments }: Pick<Context, 'payments'>, order: Order): boolean {
  return payments.find(({ name }) => name === order.provider)?.readStatus !== undefined;
}
