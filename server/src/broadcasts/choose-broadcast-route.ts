import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Prices } from '@zhiber/contract/api/prices.ts';
import type { Context } from '../context.ts';
import { findSmsRefusal } from '../delivery/check-recipient.ts';
import type { Route } from '../delivery/choose-route.ts';
import { type Phone, parsePhone } from '../phone.ts';

/** The channels of a broadcast that can carry it to this phone, in order. Empty when none can. */
export function chooseBroadcastRoute(
  { channels, config }: Pick<Context, 'channels' | 'config'>,
  chosen: readonly Channel[],
  phone: Phone,
  prices: Prices,
): Route {
  const facts = parsePhone(`+${phone}`);
  const getsSms = facts !== undefined && findSmsRefusal(config, facts) === undefined;
  return chosen
    .filter((channel) => channels.adapter(channel, false)?.carries.has('broadcast'))
    .filter((channel) => channel !== 'sms' || getsSms)
    .map((channel) => ({ channel, price: prices[channel] }));
}
