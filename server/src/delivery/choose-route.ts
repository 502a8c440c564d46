import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import { messagePrice, type PricedItem } from '@zhiber/contract/api/prices.ts';
import type { Channels, ContentKind, Recipient } from '../channels/channel.ts';
import { Problem } from '../problem.ts';
import type { SmsRefusal } from './check-recipient.ts';

export type RouteStep = { channel: Channel; price: number };

/** The channels that a message may try, in order, with prices. Disabled ones are never in it. */
export type Route = readonly RouteStep[];

export type RouteRequest = {
  choice: ChannelChoice;
  /** Undefined for a channel in which the recipient has no address. */
  recipientIn(channel: Channel): Recipient | undefined;
  content: ContentKind;
  /** Why this recipient gets no SMS. */
  smsRefusal: SmsRefusal | undefined;
  /** How many times the price an SMS of this text costs. */
  smsParts: number;
  isTest: boolean;
  enabled: readonly Channel[];
  channels: Channels;
  prices: Readonly<Record<PricedItem, number>>;
};

/** Chooses the route, or throws why there is none. An explicit channel is the whole route. */
export function chooseRoute(request: RouteRequest): Route {
  const { choice, enabled } = request;
  if (choice !== 'auto') {
    if (!enabled.includes(choice)) throw new Problem('channel_disabled');
    if (!isConnected(request, choice)) throw new Problem('channel_not_connected');
    if (choice === 'sms' && request.smsRefusal !== undefined) throw refusedSms(request.smsRefusal);
    if (!canCarry(request, choice)) throw new Problem('channel_unsuitable');
    return [toStep(request, choice)];
  }
  const route = enabled
    .filter((channel) => channel !== 'sms' || request.smsRefusal === undefined)
    .filter((channel) => canCarry(request, channel))
    .map((channel) => toStep(request, channel));
  if (route.length === 0) throw new Problem('no_channel_available');
  return route;
}

/** The same, without the channels that cannot reach this recipient now. */
export async function chooseReachable(request: RouteRequest): Promise<Route> {
  const { content, channels, isTest, choice } = request;
  const route: RouteStep[] = [];
  for (const step of chooseRoute(request)) {
    const adapter = channels.adapter(step.channel, isTest);
    const to = request.recipientIn(step.channel);
    // A group was checked when it was linked.
    const isCheckable = adapter?.canReach !== undefined && to !== undefined && !('group' in to);
    if (!isCheckable || (await adapter.canReach?.(to, content))) route.push(step);
  }
  if (route.length > 0) return route;
  throw new Problem(choice === 'auto' ? 'no_channel_available' : 'channel_unsuitable');
}

/**
 * The route of a broadcast to a phone: its channels in order, without those that cannot carry it
 * there. Empty when none can.
 */
export function chooseBroadcastRoute(
  request: Pick<RouteRequest, 'smsRefusal' | 'isTest' | 'channels' | 'prices'> & {
    /** The channels of the broadcast, in the order they are tried. */
    wanted: readonly Channel[];
  },
): Route {
  const { wanted, smsRefusal, isTest, channels, prices } = request;
  return wanted
    .filter((channel) => channel !== 'sms' || smsRefusal === undefined)
    .filter((channel) => channels.adapter(channel, isTest)?.carries.has('broadcast'))
    .map((channel) => ({ channel, price: isTest ? 0 : prices[channel] }));
}

const NO_SMS = 'Этот номер не принимает SMS: выберите мессенджер или auto';

function refusedSms(refusal: SmsRefusal): Problem {
  return new Problem(refusal, refusal === 'invalid_phone' ? { errors: { phone: [NO_SMS] } } : {});
}

function isConnected({ channels, isTest }: RouteRequest, channel: Channel): boolean {
  return channels.adapter(channel, isTest) !== undefined;
}

function canCarry(request: RouteRequest, channel: Channel): boolean {
  if (request.recipientIn(channel) === undefined) return false;
  const adapter = request.channels.adapter(channel, request.isTest);
  return adapter?.carries.has(request.content) ?? false;
}

function toStep({ prices, isTest, content, smsParts }: RouteRequest, channel: Channel): RouteStep {
  if (isTest) return { channel, price: 0 };
  const item = content === 'group' ? 'group' : channel;
  return { channel, price: messagePrice(prices, item, smsParts) };
}
