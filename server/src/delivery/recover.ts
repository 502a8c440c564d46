import type { Channel } from '@zhiber/contract/api/channel.ts';
import { currentPrices } from '../billing/price-store.ts';
import type { AcceptanceQuestion, Accepted } from '../channels/channel.ts';
import type { Context } from '../context.ts';
import { readKey } from '../keys/find-key.ts';
import { hasOpenClaim } from '../limits/idempotency-store.ts';
import type { Phone } from '../phone.ts';
import { askInTime } from './ask-in-time.ts';
import { deliver } from './deliver.ts';
import { toParcel } from './fall-back.ts';
import { toSettlement } from './send-message.ts';
import type { SettledAttempt, Settlement } from './settle-store.ts';
import { findAbandonedFallback, type WatchedMessage } from './watch-store.ts';

const INTERRUPTED = 'Обработка прервана';

/**
 * What becomes of a send whose process ended before it was settled. Its caller was never told of a
 * success, so it is free, and it is not sent now. Only a request with an Idempotency-Key can still
 * be answered with one: then a channel that says it has the message is paid.
 */
export async function recoverSend(ctx: Context, message: WatchedMessage): Promise<Settlement> {
  const channels = message.route.split(',') as Channel[];
  const canBeAsked = channels.some(
    (channel) => ctx.channels.adapter(channel, message.is_test)?.findAccepted !== undefined,
  );
  const isAskedFor = message.kind !== 'group' && canBeAsked;
  const attempts =
    isAskedFor && (await hasOpenClaim(ctx.db, message.id))
      ? await findAcceptedAttempts(ctx, message, channels)
      : [];
  const found = attempts.at(-1);
  if (found === undefined || found.providerId === null) return toFreeSettlement(message);
  const { channel, price, providerId } = found;
  return toSettlement(
    {
      key: { companyId: message.company_id },
      messageId: message.id,
      route: channels.map((name) => ({ channel: name, price: 0 })),
      fallsBack: true,
    },
    { attempts, accepted: { channel, price, providerId } },
  );
}

function toFreeSettlement({ company_id, id }: WatchedMessage): Settlement {
  return {
    companyId: company_id,
    id,
    state: 'unknown',
    channel: null,
    price: 0,
    providerId: null,
    reason: INTERRUPTED,
    route: '',
    attempts: [],
  };
}

/** Asks the channels in the order in which they were tried; ends with the one that has the message. */
async function findAcceptedAttempts(
  ctx: Context,
  message: WatchedMessage,
  channels: readonly Channel[],
): Promise<SettledAttempt[]> {
  const prices = await currentPrices(ctx.db);
  // What was held is what may be charged, whatever the prices are by now.
  const route = channels
    .map((channel) => ({ channel, price: message.is_test ? 0 : prices[channel] }))
    .filter((stop) => stop.price <= message.hold);
  const attempts: SettledAttempt[] = [];
  for (const { channel, price } of route) {
    const accepted = await findAccepted(ctx, message, { channel, attempt: attempts.length + 1 });
    attempts.push({
      channel,
      price,
      state: accepted === undefined ? 'unknown' : 'accepted',
      reason: accepted === undefined ? INTERRUPTED : null,
      providerId: accepted?.providerId ?? null,
      startedSecondsAgo: 0,
      settledSecondsAgo: 0,
    });
    if (accepted !== undefined) break;
  }
  return attempts;
}

async function findAccepted(
  ctx: Context,
  message: WatchedMessage,
  { channel, attempt }: { channel: Channel; attempt: number },
): Promise<Accepted | undefined> {
  const adapter = ctx.channels.adapter(channel, message.is_test);
  const question: AcceptanceQuestion = {
    ref: { companyId: message.company_id, messageId: message.id, attempt },
    isTest: message.is_test,
    to: { phone: message.recipient as Phone },
    load: message.kind !== 'otp' ? 'text' : message.slug === null ? 'code' : 'code_with_link',
  };
  return await askInTime(ctx, (signal) => adapter?.findAccepted?.(question, signal));
}

/**
 * A fallback of a message, which was claimed and not settled. Its caller was told of a success, so
 * the channel may be given it again where that can do no harm.
 */
export async function recoverFallback(
  ctx: Context,
  message: WatchedMessage,
): Promise<SettledAttempt | undefined> {
  const abandoned = await findAbandonedFallback(ctx.db, message);
  if (abandoned === undefined || message.kind === 'group') return undefined;
  const { channel, price } = abandoned;
  if (ctx.channels.adapter(channel, message.is_test)?.recover === undefined) return undefined;
  const key = await readKey(ctx.db, message.key_id);
  const { attempt } = message;
  const parcel = toParcel(ctx, { message, key, claim: abandoned, attempt });
  const { attempts } = await deliver(ctx, parcel, [{ channel, price }], 'recover');
  return attempts[0];
}
