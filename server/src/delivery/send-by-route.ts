import { setTimeout as pause } from 'node:timers/promises';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { SmsPermit } from '../abuse/pumping.ts';
import type { Context } from '../context.ts';
import { isTemporary } from '../db/group-commit.ts';
import { isOutcomeUnknown } from '../db/sql-errors.ts';
import type { MessageId, MessageKind } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { Problem } from '../problem.ts';
import { DeadlineExceeded, withDeadline } from '../runtime/deadline.ts';
import { traced } from '../runtime/tracer.ts';
import type { Route } from './choose-route.ts';
import { type Delivery, type Draft, deliver } from './deliver.ts';
import { type Reservation, reserve } from './reserve-store.ts';
import { type Settled, type Settlement, settle } from './settle-store.ts';

/** A send whose channels have been chosen. */
export type PlannedSend = {
  key: ApiKey;
  messageId: MessageId;
  requestId: string;
  route: Route;
  /** Returned when no SMS was tried. */
  smsPermit?: SmsPermit | undefined;
  /** Whether untried channels are kept for a later fallback; only with `auto`. */
  fallsBack: boolean;
  draft: Omit<Draft, 'ref' | 'keyId' | 'isTest' | 'sender'>;
  reservation: Pick<Reservation, 'kind' | 'recipient' | 'limits' | 'body' | 'code' | 'link'>;
};

export type Sent = { messageId: MessageId; channel: Channel; cost: number; balance: number };

/** How long after its fallback time the watch first checks a message. */
const CHECK_MARGIN_SECONDS = 1;
/**
 * After a longer reservation, in a process that stalled, another node may have settled the message
 * as abandoned.
 */
const RESERVED_WITHIN_MS = 5_000;
/**
 * A multiple of the statement timeout, by default 1,800 ms: the caller gets an error within two
 * seconds when the database is away, even if the message has left.
 */
const SETTLE_SHARE = 1.2;
const SETTLE_PAUSES_MS = [50, 150, 300, 600];

/**
 * One send: reserve (committed before anything is sent), deliver (outside any transaction), settle.
 * Throws the Problem for the caller's answer; a send that throws is never charged.
 */
export async function sendByRoute(ctx: Context, request: PlannedSend): Promise<Sent> {
  const { messageId, smsPermit } = request;
  const delivery = await reserveAndDeliver(ctx, request).catch((error: unknown) => {
    smsPermit?.cancel();
    throw error;
  });
  if (!delivery.attempts.some(({ channel }) => channel === 'sms')) smsPermit?.cancel();
  const settled = await traced(ctx.tracer, { name: 'settle' }, () =>
    settleInTime(ctx, request, toSettlement(request, delivery)),
  );
  if (settled.state === 'sent' && delivery.accepted !== undefined) {
    if (settled.isMoved) ctx.metrics?.charged(delivery.accepted.channel, settled.charged);
    return {
      messageId,
      channel: delivery.accepted.channel,
      cost: settled.charged,
      balance: settled.balance,
    };
  }
  // This process stalled, and recovery settled the message as sent. The caller gets an error all
  // the same, so the charge is refunded.
  if (settled.state === 'sent') throw await refuse(ctx, request, 'delivery_unconfirmed');
  throw new Problem(settled.state === 'failed' ? 'delivery_failed' : 'delivery_unconfirmed', {
    message_id: messageId,
  });
}

async function reserveAndDeliver(ctx: Context, request: PlannedSend): Promise<Delivery> {
  const { key, messageId } = request;
  const startedAt = performance.now();
  const affordable = await traced(ctx.tracer, { name: 'reserve' }, () =>
    reserveOrRefuse(ctx, request),
  );
  if (performance.now() - startedAt > RESERVED_WITHIN_MS) {
    throw await refuse(ctx, request, 'service_unavailable');
  }
  return await deliver(
    ctx,
    {
      ...request.draft,
      ref: { companyId: key.companyId, messageId, attempt: 1 },
      keyId: key.id,
      isTest: key.isTest,
      sender: key.senderName ?? undefined,
    },
    affordable,
  );
}

/** Takes the hold and returns the part of the route that it covers. */
async function reserveOrRefuse(ctx: Context, request: PlannedSend): Promise<Route> {
  const { key, messageId, route, requestId, reservation } = request;
  const reserving = ctx.db.inGroup(reserve, {
    ...reservation,
    id: messageId,
    companyId: key.companyId,
    keyId: key.id,
    isTest: key.isTest,
    route: route.map((step) => step.channel),
    prices: route.map((step) => step.price),
    requestId,
    checkSeconds: key.fallbackSeconds + CHECK_MARGIN_SECONDS,
  });
  const reserved = await reserving.catch(async (error: unknown) => {
    // The hold may be taken, and the phone's minute counted, for a message that is never sent.
    throw isOutcomeUnknown(error) ? await refuse(ctx, request, 'service_unavailable') : error;
  });
  switch (reserved.verdict) {
    case 'reserved':
      return route.filter((step) => step.price <= reserved.held);
    case 'short':
      throw new Problem('insufficient_tokens', {
        required: Math.min(...route.map((step) => step.price)),
        balance: reserved.available,
      });
    case 'capped':
      throw new Problem('spend_cap_reached', { retry_after: reserved.waitSeconds });
    case 'too_soon':
    case 'too_many':
    case 'locked':
      throw new Problem(limitProblem(reserved.verdict, reservation.kind), {
        retry_after: reserved.waitSeconds,
      });
  }
}

function limitProblem(
  verdict: 'too_soon' | 'too_many' | 'locked',
  kind: MessageKind,
): 'too_many_attempts' | 'send_rate_limited' | 'daily_limit_reached' {
  if (verdict === 'locked') return 'too_many_attempts';
  return verdict === 'too_soon' && kind === 'otp' ? 'send_rate_limited' : 'daily_limit_reached';
}

/** Turns a delivery into its settlement, with the channels left for a fallback. */
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
  const left = request.route.map((step) => step.channel).filter((channel) => !tried.has(channel));
  return {
    companyId: request.key.companyId,
    id: request.messageId,
    state: accepted !== undefined ? 'sent' : isDefinite ? 'failed' : 'unknown',
    channel: accepted?.channel ?? last?.channel ?? null,
    price: accepted?.price ?? 0,
    providerId: accepted?.providerId ?? last?.providerId ?? null,
    reason: accepted === undefined ? (last?.reason ?? null) : null,
    route: request.fallsBack && accepted !== undefined ? left.join(',') : '',
    attempts,
  };
}

/**
 * Settles while the caller waits. Retries while the database is away, because the provider has
 * already been called. Past the deadline the caller gets an error, and the send must stay free,
 * whatever has been written or still will be.
 */
async function settleInTime(
  ctx: Context,
  request: PlannedSend,
  settlement: Settlement,
): Promise<Settled> {
  const deadline = performance.now() + ctx.config.databaseTimeoutMs * SETTLE_SHARE;
  for (const pauseMs of [0, ...SETTLE_PAUSES_MS]) {
    if (performance.now() + pauseMs >= deadline) break;
    if (pauseMs > 0) await pause(pauseMs);
    try {
      const limitMs = deadline - performance.now();
      return await withDeadline({ limitMs }, () => ctx.db.inGroup(settle, settlement));
    } catch (error) {
      if (isTemporary(error) || error instanceof DeadlineExceeded) continue;
      ctx.log.error({ err: error, message_id: request.messageId }, 'send was not settled');
      break;
    }
  }
  throw settlement.state === 'failed'
    ? await refuse(ctx, request, 'delivery_failed')
    : await refuse(ctx, request, 'delivery_unconfirmed');
}

/** The error for the caller, once the refusal is stored and the send is certain to be free. */
async function refuse(
  ctx: Context,
  { key, messageId, requestId, reservation }: PlannedSend,
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
