import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import { newId } from '../ids.ts';
import type { PaymentNotice, PaymentProvider, PaymentStatus } from '../payments/payment.ts';
import { askStatus } from './ask-provider.ts';
import { nextCheckSeconds, nextRetrySeconds } from './check-times.ts';
import {
  CURRENCY,
  creditReported,
  leaveToPeople,
  type ReportedOutcome,
} from './credit-reported.ts';
import {
  closeNotice,
  insertNotice,
  type NoticeContent,
  type StoredNotice,
  setNextNoticeTry,
  takeDueNotices,
} from './notice-store.ts';
import {
  findOrderByProviderId,
  findOrderByReference,
  moveOrder,
  type Order,
} from './order-store.ts';

type Ctx = Pick<Context, 'db' | 'config' | 'clock' | 'log'>;

/** What became of a notice, as it is stored with it. */
export type NoticeOutcome =
  | ReportedOutcome
  /** No order of this provider has the reference. */
  | 'unknown_order'
  /** The payer can try again until the order ends. */
  | 'failed'
  | 'waiting';

/**
 * Longer than it takes. A notice that nobody has finished by then, because the process died, is
 * handled again, which changes nothing when it was.
 */
const LEASE_SECONDS = 10;
/** Longer than a batch takes when the provider is silent. */
const BATCH_LEASE_SECONDS = 90;
const BATCH_MAX = 10;

/**
 * Stores an authenticated notice, then handles it. Once it is stored this does not fail: what is left
 * to do is done later. Where the provider has to be asked, that is left to the watch, so that no
 * notice waits for a provider that is silent.
 */
export async function receiveNotice(
  ctx: Ctx,
  provider: PaymentProvider,
  { notice, body }: { notice: PaymentNotice; body: string },
): Promise<void> {
  const { answers: _given, ...content } = notice;
  const id = newId(ctx.clock.now().getTime());
  const stored = { id, provider: provider.name, content };
  await insertNotice(ctx.db, { ...stored, body, leaseSeconds: LEASE_SECONDS });
  try {
    const decided = await decide(ctx, provider, content);
    if ('outcome' in decided) return await closeNotice(ctx.db, id, decided.outcome);
    await beginCheck(ctx, decided.ask);
    await setNextNoticeTry(ctx.db, id, ctx.clock.now());
  } catch (error) {
    logUnlessAway(ctx.log, 'a stored notice is handled later')(error);
  }
}

/** Handles stored notices of a provider that are due. True when there may be more. */
export async function handleDueNotices(
  ctx: Ctx,
  provider: PaymentProvider,
  shutdown: AbortSignal,
): Promise<boolean> {
  const due = await takeDueNotices(ctx.db, {
    provider: provider.name,
    limit: BATCH_MAX,
    leaseSeconds: BATCH_LEASE_SECONDS,
  });
  for (const notice of due) {
    if (shutdown.aborted) return false;
    try {
      const decided = await decide(ctx, provider, notice.content);
      if ('outcome' in decided) await closeNotice(ctx.db, notice.id, decided.outcome);
      else await handleByAsking(ctx, provider, { order: decided.ask, notice, shutdown });
    } catch (error) {
      // It is due again after the lease.
      logUnlessAway(ctx.log, `notice ${notice.id} was not handled`)(error);
    }
  }
  return due.length === BATCH_MAX;
}

type Decided = { outcome: NoticeOutcome } | { ask: Order };

/**
 * The amount and the currency of a notice are only compared with those of the order. Where they
 * differ, and about money sent back, the provider is asked.
 */
async function decide(
  ctx: Ctx,
  provider: PaymentProvider,
  { reference, result, payment }: NoticeContent,
): Promise<Decided> {
  const order = await findOrderByReference(ctx.db, reference);
  if (order === undefined || order.provider !== provider.name) return { outcome: 'unknown_order' };
  if (await isOfOtherOrder(ctx, order, payment.paymentId)) {
    ctx.log.warn({ provider: provider.name, order: reference }, 'notice about another order');
    return { outcome: 'other_order' };
  }
  if (result === 'failed' || result === 'waiting') return { outcome: result };
  const isAsOrdered = payment.amount === order.amount && payment.currency === CURRENCY;
  if (result === 'refunded' || !isAsOrdered) return { ask: order };
  const ordered = { ...payment, amount: order.amount, currency: CURRENCY, refunded: 0 };
  return { outcome: await creditReported(ctx, order, ordered) };
}

/** Where payments have the id of their order, the id of another order gives a mix-up away. */
async function isOfOtherOrder(ctx: Ctx, order: Order, paymentId: string): Promise<boolean> {
  if (paymentId === order.provider_id) return false;
  return (await findOrderByProviderId(ctx.db, order.provider, paymentId)) !== undefined;
}

/** The page then says that the payment is being checked. */
async function beginCheck(ctx: Ctx, order: Order): Promise<void> {
  await moveOrder(ctx.db, order.id, {
    from: ['pending'],
    to: 'checking',
    nextCheckAt: order.next_check_at,
  });
}

async function handleByAsking(
  ctx: Ctx,
  provider: PaymentProvider,
  about: { order: Order; notice: StoredNotice; shutdown: AbortSignal },
): Promise<void> {
  const { order, notice } = about;
  const status = await askStatus(provider, order, about.shutdown);
  const now = ctx.clock.now().getTime();
  const outcome = await creditConfirmed(ctx, order, { status, notice });
  if (outcome !== undefined && outcome !== 'manual') {
    return await closeNotice(ctx.db, notice.id, outcome);
  }
  // The poller goes on asking: what is not conclusive now may be later.
  const overSeconds = (now - order.expires_at.getTime()) / 1_000;
  const seconds =
    outcome === 'manual' ? null : nextCheckSeconds({ checks: order.checks, overSeconds });
  await leaveToPeople(ctx, order, {
    why: 'reason' in status ? status.reason : status.state,
    nextCheckAt: seconds === null ? null : new Date(now + seconds * 1_000),
  });
  const retrySeconds = status.state === 'unclear' ? nextRetrySeconds(notice.tries) : null;
  if (retrySeconds === null) return await closeNotice(ctx.db, notice.id, 'manual');
  await setNextNoticeTry(ctx.db, notice.id, new Date(now + retrySeconds * 1_000));
}

/** Undefined unless the provider confirms the payment of the notice. */
async function creditConfirmed(
  ctx: Ctx,
  order: Order,
  { status, notice }: { status: PaymentStatus; notice: StoredNotice },
): Promise<NoticeOutcome | undefined> {
  if (status.state !== 'paid') return undefined;
  let outcome: NoticeOutcome | undefined;
  for (const payment of status.payments) {
    const credited = await creditReported(ctx, order, payment);
    if (payment.paymentId === notice.content.payment.paymentId) outcome = credited;
  }
  return outcome;
}
