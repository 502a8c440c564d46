/**
 * Goes a way again on which the process of a message died, as far as that can do no harm: each
 * provider on it is asked whether it has the message, or sent it once more where it knows a repeat
 * for what it is. Undefined when there is no such provider, or nothing left to send.
 */
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { currentPrices } from '../billing/price-store.ts';
import type { Context } from '../context.ts';
import { readKey } from '../keys/find-key.ts';
import type { Route } from './choose-route.ts';
import { deliver } from './deliver.ts';
import { toParcel } from './fall-back.ts';
import { toSettlement } from './send-message.ts';
import type { SettledAttempt, Settlement } from './settle-store.ts';
import { type Abandoned, findAbandoned, type WatchedMessage } from './watch-store.ts';

/** The first way of a message, which was not settled. */
export async function recoverSend(
  ctx: Context,
  message: WatchedMessage,
): Promise<Settlement | undefined> {
  const channels = message.route.split(',') as Channel[];
  const abandoned = await findRecoverable(ctx, message, channels);
  if (abandoned === undefined) return undefined;
  const prices = await currentPrices(ctx.db);
  // What was held is what may be charged, whatever the prices are by now.
  const route = channels
    .map((channel) => ({ channel, price: message.is_test ? 0 : prices[channel] }))
    .filter((stop) => stop.price <= abandoned.hold);
  const { key, delivery } = await goAgain(ctx, { message, abandoned, route, attempt: 1 });
  return toSettlement({ key, messageId: message.id, route, fallsBack: true }, delivery);
}

/** A fallback of a message, which was claimed and not settled. */
export async function recoverFallback(
  ctx: Context,
  message: WatchedMessage,
): Promise<SettledAttempt | undefined> {
  const abandoned = await findAbandoned(ctx.db, message);
  const { fallback_channel: channel, fallback_price: price } = abandoned ?? {};
  if (!abandoned || !channel || !canRecover(ctx, message, channel)) return undefined;
  const route = [{ channel, price: price ?? 0 }];
  const { attempt } = message;
  const { delivery } = await goAgain(ctx, { message, abandoned, route, attempt });
  return delivery.attempts[0];
}

async function findRecoverable(
  ctx: Context,
  message: WatchedMessage,
  channels: readonly Channel[],
): Promise<Abandoned | undefined> {
  const isHopeless = !channels.some((channel) => canRecover(ctx, message, channel));
  return isHopeless ? undefined : await findAbandoned(ctx.db, message);
}

function canRecover(ctx: Context, message: WatchedMessage, channel: Channel): boolean {
  const adapter = ctx.channels.adapter(channel, message.is_test);
  return message.kind !== 'group' && adapter?.recover !== undefined;
}

async function goAgain(
  ctx: Context,
  parts: { message: WatchedMessage; abandoned: Abandoned; route: Route; attempt: number },
) {
  const { message, abandoned, route, attempt } = parts;
  const key = await readKey(ctx.db, message.key_id);
  const parcel = toParcel(ctx, { message, key, claim: abandoned, attempt });
  return { key, delivery: await deliver(ctx, parcel, route, 'recover') };
}
