import type { Channel } from '@zhiber/contract/api/channel.ts';
import { ATTEMPT_TIMEOUT_MS, DELIVERY_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import type { Outcome, OutgoingMessage } from '../channels/channel.ts';
import type { Context } from '../context.ts';
import type { Route } from './choose-route.ts';
import type { SettledAttempt } from './settle-store.ts';

/** A channel that is called off may still know whether the message had left at all. */
const LAST_WORD_MS = 100;

export type Composed = { text: string; code?: string | undefined; link?: string | undefined };

/** A message without the parts that depend on the channel. */
export type Parcel = Omit<OutgoingMessage, 'text' | 'code' | 'link'> & {
  compose(channel: Channel): Composed;
};

export type Delivery = {
  attempts: SettledAttempt[];
  accepted?: { channel: Channel; price: number; providerId: string };
};

/**
 * Asks the channels of a route in order until one accepts. Never throws: whatever happens is an
 * outcome. `recover` goes the same way again for a message whose process died on it.
 */
export async function deliver(
  ctx: Pick<Context, 'channels' | 'log'>,
  parcel: Parcel,
  route: Route,
  how: 'send' | 'recover' = 'send',
): Promise<Delivery> {
  const startedAt = performance.now();
  const tried: { attempt: SettledAttempt; startMs: number; endMs: number }[] = [];

  for (const { channel, price } of route) {
    const startMs = performance.now();
    const budgetMs = Math.min(ATTEMPT_TIMEOUT_MS, DELIVERY_TIMEOUT_MS - (startMs - startedAt));
    if (budgetMs <= 0) break;
    const outcome = await attemptOnce(ctx, {
      parcel: { ...parcel, ref: { ...parcel.ref, attempt: parcel.ref.attempt + tried.length } },
      channel,
      budgetMs,
      how,
    });
    tried.push({
      attempt: toAttempt(channel, price, outcome),
      startMs,
      endMs: performance.now(),
    });
    if (outcome.result === 'accepted') {
      return {
        attempts: withAges(tried),
        accepted: { channel, price, providerId: outcome.providerId },
      };
    }
  }
  return { attempts: withAges(tried) };
}

type Asking = { parcel: Parcel; channel: Channel; budgetMs: number; how: 'send' | 'recover' };

async function attemptOnce(
  ctx: Pick<Context, 'channels' | 'log'>,
  { parcel, channel, budgetMs, how }: Asking,
): Promise<Outcome> {
  const adapter = ctx.channels.adapter(channel, parcel.isTest);
  if (adapter === undefined) return { result: 'unavailable', reason: 'Канал не подключён' };
  const ask = adapter[how];
  if (ask === undefined) return { result: 'unknown', reason: 'Обработка прервана' };

  const { compose, ...rest } = parcel;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), budgetMs);
  let lastTimer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Outcome>((resolve) => {
    lastTimer = setTimeout(
      () => resolve({ result: 'unknown', reason: 'Канал не ответил вовремя' }),
      budgetMs + LAST_WORD_MS,
    );
  });
  try {
    const sending = ask({ ...rest, ...compose(channel) }, timeout.signal);
    return await Promise.race([sending, tooLate]);
  } catch (error) {
    // An adapter that throws has broken its promise to answer with an outcome: nothing is known.
    ctx.log.error({ err: error, channel, message_id: parcel.ref.messageId }, 'channel threw');
    return { result: 'unknown', reason: 'Сбой канала' };
  } finally {
    clearTimeout(timer);
    clearTimeout(lastTimer);
  }
}

function toAttempt(channel: Channel, price: number, outcome: Outcome): SettledAttempt {
  return {
    channel,
    price,
    state: outcome.result,
    reason: outcome.result === 'accepted' ? null : outcome.reason,
    providerId: outcome.result === 'accepted' ? outcome.providerId : null,
    startedSecondsAgo: 0,
    settledSecondsAgo: 0,
  };
}

/** Times leave this process as ages: the clock that counts is the database's. */
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
