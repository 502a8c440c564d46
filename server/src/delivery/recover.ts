import type { Channel } from '@zhiber/contract/api/channel.ts';
import { currentPrices } from '../billing/price-store.ts';
import type { Context } from '../context.ts';
import { readKey } from '../keys/find-key.ts';
import { deliver } from './deliver.ts';
import { toParcel } from './fall-back.ts';
import { toSettlement } from './send-message.ts';
import type { Settlement } from './settle-store.ts';
import { findAbandoned, type WatchedMessage } from './watch-store.ts';

/**
 * Goes the way of a message again whose process died on it, as far as that can do no harm: each
 * provider on it is asked whether it has the message, or sent it once more where it knows a repeat
 * for what it is. Undefined when there is no such provider, or nothing left to send.
 */
export async function recover(
  ctx: Context,
  message: WatchedMessage,
): Promise<Settlement | undefined> {
  const channels = message.route.split(',') as Channel[];
  const first = channels[0] && ctx.channels.adapter(channels[0], message.is_test);
  if (!first || first.recover === undefined || message.kind === 'group') return undefined;
  const abandoned = await findAbandoned(ctx.db, message);
  if (abandoned === undefined) return undefined;

  const key = await readKey(ctx.db, message.key_id);
  const prices = await currentPrices(ctx.db);
  // What was held is what may be charged, whatever the prices are by now.
  const route = channels
    .map((channel) => ({ channel, price: message.is_test ? 0 : prices[channel] }))
    .filter((stop) => stop.price <= abandoned.hold);
  const parcel = toParcel(ctx, { message, key, claim: abandoned, attempt: 1 });
  const delivery = await deliver(ctx, parcel, route, 'recover');
  return toSettlement({ key, messageId: message.id, route, fallsBack: true }, delivery);
}
