import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import type { PricedItem } from '@zhiber/contract/api/prices.ts';
import type { Channels, Load, Recipient } from '../channels/channel.ts';
import { Problem } from '../problem.ts';

export type Stop = { channel: Channel; price: number };

/**
 * The channels a message may take, in order, each with its price. A disabled channel cannot appear
 * in it.
 */
export type Route = readonly Stop[];

export type RouteRequest = {
  choice: ChannelChoice;
  load: Load;
  /** Whether SMS goes to the country of this phone. */
  canSms: boolean;
  isTest: boolean;
  enabled: readonly Channel[];
  channels: Channels;
  prices: Readonly<Record<PricedItem, number>>;
};

/** Chooses the route, or throws why there is none. An explicit channel is its own whole route. */
export function chooseRoute(request: RouteRequest): Route {
  const { choice, enabled } = request;
  if (choice !== 'auto') {
    if (!enabled.includes(choice)) throw new Problem('channel_disabled');
    if (choice === 'sms' && !request.canSms) throw new Problem('country_not_supported');
    if (!canCarry(request, choice)) throw new Problem('channel_unsuitable');
    return [toStop(request, choice)];
  }
  const route = enabled
    .filter((channel) => channel !== 'sms' || request.canSms)
    .filter((channel) => canCarry(request, channel))
    .map((channel) => toStop(request, channel));
  if (route.length === 0) throw new Problem('no_channel_available');
  return route;
}

/** The same without the channels by which this recipient cannot be written to now. */
export async function chooseReachable(request: RouteRequest & { to: Recipient }): Promise<Route> {
  const { to, load, channels, isTest, choice } = request;
  const route: Stop[] = [];
  for (const stop of chooseRoute(request)) {
    const adapter = channels.adapter(stop.channel, isTest);
    if (adapter?.canReach === undefined || (await adapter.canReach(to, load))) route.push(stop);
  }
  if (route.length > 0) return route;
  throw new Problem(choice === 'auto' ? 'no_channel_available' : 'channel_unsuitable');
}

function canCarry({ channels, isTest, load }: RouteRequest, channel: Channel): boolean {
  return channels.adapter(channel, isTest)?.carries.has(load) ?? false;
}

function toStop({ prices, isTest, load }: RouteRequest, channel: Channel): Stop {
  if (isTest) return { channel, price: 0 };
  return { channel, price: load === 'group' ? prices.group : prices[channel] };
}
