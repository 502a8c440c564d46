import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Context } from '../context.ts';
import { isTemporary } from '../db/group-commit.ts';
import { isOutcomeUnknown } from '../db/sql-errors.ts';
import type { SmsTicket } from '../guard/pumping.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { Problem } from '../problem.ts';
import type { Route } from './choose-route.ts';
import { type Delivery, deliver, type Parcel } from './deliver.ts';
import { type Reservation, reserve } from './reserve-store.ts';
import { type Settled, type Settlement, settle } from './settle-store.ts';

export type SendRequest = {
  key: ApiKey;
  messageId: MessageId;
  requestId: string;
  route: Route;
  /** Given back when no SMS was tried. */
  smsTicket?: SmsTicket;
  /** Whether channels left over are for a later fallback; only `auto` has one. */
  fallsBack: boolean;
  parcel: Omit<Parcel, 'ref' | 'keyId' | 'isTest'>;
  reservation: Pick<Reservation, 'kind' | 'recipient' | 'limits' | 'body' | 'code' | 'link'>;
};

export type Sent = { messageId: MessageId; channel: Channel; cost: number; balance: number };

/** How long after the send the watch first looks: a moment past the fallback time. */
const LOOK_MARGIN_SECONDS = 1;
/** A process that stood still for longer may have been taken for dead, and its message settled by another. */
const RESERVED_WITHIN_MS = 5_000;
/**
 * Of the time that a statement may take. By default 1,800 ms: a caller hears within two seconds that
 * the database is away, also when the message has left.
 */
const SETTLE_SHARE = 1.2;
const SETTLE_PAUSES_MS = [50, 150, 300, 600];

/**
 * One send: reserve (committed before anything leaves), deliver (no transaction), settle. Throws
 * the Problem that the caller is answered with; nothing is charged then, ever.
 */
export async function sendMessage(ctx: Context, request: SendRequest): Promise<Sent> {
  const { messageId, smsTicket } = request;
  const delivery = await reserveAndDeliver(ctx, request).catch((error: unknown) => {
    smsTicket?.giveBack();
    throw error;
  });
  if (!delivery.attempts.some(({ channel }) => channel === 'sms')) smsTicket?.giveBack();
  const settled = await settleInTime(ctx, request, toSettlement(request, delivery));
  if (settled.state === 'sent' && delivery.accepted !== undefined) {
    return {
      messageId,
      channel: delivery.accepted.channel,
      cost: settled.charged,
      balance: settled.balance,
    };
  }
  // Recovery has found out more than this process, which stood still: its caller hears of a failure.
  if (settled.state === 'sent') throw await refuse(ctx, request, 'delivery_unconfirmed');
  throw new Problem(settled.state === 'failed' ? 'delivery_failed' : 'delivery_unconfirmed', {
    message_id: messageId,
  });
}

async function reserveAndDeliver(ctx: Context, request: SendRequest): Promise<Delivery> {
  const { key, messageId } = request;
  const startedAt = performance.now();
  const affordable = await reserveOrRefuse(ctx, request);
  if (performance.now() - startedAt > RESERVED_WITHIN_MS) {
    throw await refuse(ctx, request, 'service_unavailable');
  }
  return await deliver(
    ctx,
    {
      ...request.parcel,
      ref: { companyId: key.companyId, messageId, attempt: 1 },
      keyId: key.id,
      isTest: key.isTest,
    },
    affordable,
  );
}

/** Takes the hold and returns the part of the route it can pay. */
async function reserveOrRefuse(ctx: Context, request: SendRequest): Promise<Route> {
  const { key, messageId, route, requestId, reservation } = request;
  const reserving = ctx.db.inGroup(reserve, {
    ...reservation,
    id: messageId,
    companyId: key.companyId,
    keyId: key.id,
    isTest: key.isTest,
    route: route.map((stop) => stop.channel),
    prices: route.map((stop) => stop.price),
    requestId,
    lookSeconds: key.fallbackSeconds + LOOK_MARGIN_SECONDS,
  });
  const reserved = await reserving.catch(async (error: unknown) => {
    // The hold and the phone's minute may have been taken, for a message that never leaves.
    throw isOutcomeUnknown(error) ? await refuse(ctx, request, 'service_unavailable') : error;
  });
  switch (reserved.verdict) {
    case 'reserved':
      return route.filter((stop) => stop.price <= reserved.held);
    case 'short':
      throw new Problem('insufficient_tokens', {
        required: Math.min(...route.map((stop) => stop.price)),
        balance: reserved.available,
      });
    case 'too_soon':
    case 'too_many': {
      const isMinute = reserved.verdict === 'too_soon' && reservation.kind === 'otp';
      throw new Problem(isMinute ? 'send_rate_limited' : 'daily_limit_reached', {
        retry_after: reserved.waitSeconds,
      });
    }
  }
}

/** What is written down of a delivery. */
export function toSettlement(
  request: {
    key: Pick<ApiKey, 'companyId'>;
    messageId: MessageId;
    route: Route;
    fallsBack: boolean;
  },
  delivery: Delivery,
): Settlement {
  const { accepted, attempts } = delivery;
  const last = attempts.at(-1);
  const isDefinite = attempts.every((attempt) => attempt.state !== 'unknown');
  const tried = new Set(attempts.map((attempt) => attempt.channel));
  const left = request.route.map((stop) => stop.channel).filter((channel) => !tried.has(channel));
  return {
    companyId: request.key.companyId,
    id: request.messageId,
    state: accepted !== undefined ? 'sent' : isDefinite ? 'failed' : 'unknown',
    channel: accepted?.channel ?? last?.channel ?? null,
    price: accepted?.price ?? 0,
    providerId: accepted?.providerId ?? null,
    reason: accepted === undefined ? (last?.reason ?? null) : null,
    route: request.fallsBack && accepted !== undefined ? left.join(',') : '',
    attempts,
  };
}

/**
 * Settles what a caller waits for. A database that is away for a moment is waited for, because the
 * provider has been asked already; past that the caller hears of a failure, and then the send has
 * to stay free, whatever has been written or still will be.
 */
async function settleInTime(
  ctx: Context,
  request: SendRequest,
  settlement: Settlement,
): Promise<Settled> {
  const deadline = performance.now() + ctx.config.databaseTimeoutMs * SETTLE_SHARE;
  for (const pauseMs of [0, ...SETTLE_PAUSES_MS]) {
    if (performance.now() + pauseMs >= deadline) break;
    if (pauseMs > 0) await pause(pauseMs);
    try {
      return await before(deadline, ctx.db.inGroup(settle, settlement));
    } catch (error) {
      if (isTemporary(error) || error instanceof TooLate) continue;
      ctx.log.error({ err: error, message_id: request.messageId }, 'a send could not be settled');
      break;
    }
  }
  throw settlement.state === 'failed'
    ? await refuse(ctx, request, 'delivery_failed')
    : await refuse(ctx, request, 'delivery_unconfirmed');
}

/** The failure that the caller hears of, once it is sure that the send will be free. */
async function refuse(
  ctx: Context,
  { key, messageId, requestId, reservation }: SendRequest,
  code: 'service_unavailable' | 'delivery_failed' | 'delivery_unconfirmed',
): Promise<Problem> {
  const { kind, recipient } = reservation;
  await ctx.refusals.add({
    companyId: key.companyId,
    id: messageId,
    keyId: key.id,
    kind,
    isTest: key.isTest,
    recipient,
    requestId,
    hasLeft: code === 'delivery_unconfirmed',
  });
  return new Problem(code, { message_id: messageId });
}

class TooLate extends Error {}

/** The result, if it comes in time; what comes later is of no interest any more. */
async function before<T>(deadline: number, result: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const leftMs = Math.max(deadline - performance.now(), 0);
    timer = setTimeout(() => reject(new TooLate()), leftMs);
  });
  try {
    return await Promise.race([result, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
