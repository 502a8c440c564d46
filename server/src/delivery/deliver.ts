import type { Channel } from '@zhiber/contract/api/channel.ts';
import { ATTEMPT_TIMEOUT_MS, DELIVERY_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import type { Accepted, Outcome, OutgoingMessage } from '../channels/channel.ts';
import type { Context } from '../context.ts';
import { DeadlineExceeded, withDeadline } from '../runtime/deadline.ts';
import { type Attributes, traced } from '../runtime/tracer.ts';
import type { Route } from './choose-route.ts';
import type { SettledAttempt } from './settle-store.ts';

/** After the abort a channel has this long to report whether the message had left. */
const ABORT_GRACE_MS = 100;

export type Composed = Pick<OutgoingMessage, 'text' | 'code' | 'link' | 'template'>;

/** A message without the parts that depend on the channel. */
export type Draft = Omit<OutgoingMessage, keyof Composed> & {
  compose(channel: Channel): Composed;
};

export type Delivery = {
  attempts: SettledAttempt[];
  accepted?: Pick<Accepted, 'providerId' | 'hasNoReceipts'> & { channel: Channel; price: number };
};

/**
 * Tries the channels of a route in order until one accepts. Never throws: every failure is an
 * outcome. A bulk message ends with an unknown outcome: a second copy is worse than none. `recover`
 * repeats an attempt whose process died.
 */
export async function deliver(
  ctx: Pick<Context, 'channels' | 'log' | 'tracer'>,
  draft: Draft,
  route: Route,
  method: 'send' | 'recover' = 'send',
): Promise<Delivery> {
  const startedAt = performance.now();
  const tried: { attempt: SettledAttempt; startMs: number; endMs: number }[] = [];

  for (const { channel, price } of route) {
    const startMs = performance.now();
    const budgetMs = Math.min(ATTEMPT_TIMEOUT_MS, DELIVERY_TIMEOUT_MS - (startMs - startedAt));
    if (budgetMs <= 0) break;
    const attempt = {
      draft: { ...draft, ref: { ...draft.ref, attempt: draft.ref.attempt + tried.length } },
      channel,
      budgetMs,
      method,
    };
    const outcome = await traced(
      ctx.tracer,
      { name: `${method} by ${channel}`, attributes: attributesOf(attempt) },
      () => attemptOnce(ctx, attempt),
      ({ result }) => ({ 'zhiber.outcome': result }),
    );
    tried.push({
      attempt: toAttempt(channel, price, outcome),
      startMs,
      endMs: performance.now(),
    });
    if (outcome.result === 'accepted') {
      return {
        attempts: withAges(tried),
        accepted: {
          channel,
          price,
          providerId: outcome.providerId,
          ...(outcome.hasNoReceipts && { hasNoReceipts: true }),
        },
      };
    }
    if (draft.isBulk && endsRoute(outcome)) break;
  }
  return { attempts: withAges(tried) };
}

/** Whether a bulk message must not be tried on another channel. */
function endsRoute(outcome: Outcome): boolean {
  if (outcome.result === 'refused') return outcome.isUnsubscribed === true;
  return outcome.result === 'unknown';
}

type Attempt = { draft: Draft; channel: Channel; budgetMs: number; method: 'send' | 'recover' };

function attributesOf({ draft, channel }: Attempt): Attributes {
  const { messageId, attempt } = draft.ref;
  return { 'zhiber.channel': channel, 'zhiber.message_id': messageId, 'zhiber.attempt': attempt };
}

async function attemptOnce(
  ctx: Pick<Context, 'channels' | 'log'>,
  { draft, channel, budgetMs, method }: Attempt,
): Promise<Outcome> {
  const adapter = ctx.channels.adapter(channel, draft.isTest);
  if (adapter === undefined) return { result: 'unavailable', reason: 'Канал не подключён' };
  const ask = adapter[method];
  if (ask === undefined) return { result: 'unknown', reason: 'Обработка прервана' };

  const { compose, ...rest } = draft;
  const message = { ...rest, ...compose(channel) };
  try {
    return await withDeadline({ limitMs: budgetMs, graceMs: ABORT_GRACE_MS }, (signal) =>
      ask(message, signal),
    );
  } catch (error) {
    if (error instanceof DeadlineExceeded) {
      return { result: 'unknown', reason: 'Канал не ответил вовремя' };
    }
    // An adapter must return an outcome. When it throws, nothing is known about the message.
    ctx.log.error(
      { err: error, channel, message_id: draft.ref.messageId },
      'channel adapter threw',
    );
    return { result: 'unknown', reason: 'Сбой канала' };
  }
}

function toAttempt(channel: Channel, price: number, outcome: Outcome): SettledAttempt {
  return {
    channel,
    price,
    state: outcome.result,
    reason: outcome.result === 'accepted' ? null : outcome.reason,
    providerId: providerIdOf(outcome),
    startedSecondsAgo: 0,
    settledSecondsAgo: 0,
  };
}

/** Of an unknown outcome only the provider is known, so that its receipts are recognised. */
function providerIdOf(outcome: Outcome): string | null {
  if (outcome.result === 'accepted') return outcome.providerId;
  return outcome.result === 'unknown' && outcome.provider !== undefined
    ? `${outcome.provider}:`
    : null;
}

/** Times are passed on as ages, because stored times come from the clock of the database alone. */
function withAges(
  tried: { attempt: SettledAttempt; startMs: number; endMs: number }[],
): SettledAttempt[] {
  const nowMs = performance.now();
  return tried.map(({ attempt, startMs, endMs }) => ({
    ...attempt,
    startedSecondsAgo: (nowMs - startMs) / 1000,
    settledSecondsAgo: (nowMs - endMs) / 1000,
  }));
}

/**
 * Asks a provider with a deadline, so that one that hangs cannot hold up the watch. A timeout or an
 * error counts as no answer.
 */
export async function askWithDeadline<T>(
  ctx: Pick<Context, 'log'>,
  ask: (signal: AbortSignal) => Promise<T | undefined> | undefined,
): Promise<T | undefined> {
  try {
    return await withDeadline({ limitMs: ATTEMPT_TIMEOUT_MS }, async (signal) => ask(signal));
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) {
      ctx.log.warn({ err: error }, 'status query failed');
    }
    return undefined;
  }
}
