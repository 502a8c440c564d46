import { CHANNELS, type Channel } from '../api/channel.ts';
import type { Prices } from '../api/prices.ts';

/** Whole per cents of each channel; together 100. */
export type Shares = Record<Channel, number>;
export type Estimate = {
  total: number;
  channels: Record<Channel, { count: number; cost: number }>;
};

export const ESTIMATE_MESSAGES_MAX = 100_000_000;

/**
 * What so many messages cost. Each message goes by one channel, so the counts add up to the messages:
 * what rounding down leaves over goes to the channels with the largest fractions.
 */
export function estimateCost(messages: number, shares: Shares, prices: Prices): Estimate {
  const exact = CHANNELS.map((channel) => ({ channel, part: (messages * shares[channel]) / 100 }));
  const counts = new Map(exact.map(({ channel, part }) => [channel, Math.floor(part)]));
  let left = messages - [...counts.values()].reduce((sum, count) => sum + count, 0);
  const byFraction = exact.toSorted((a, b) => (b.part % 1) - (a.part % 1));
  for (const { channel } of byFraction) {
    if (left === 0) break;
    counts.set(channel, (counts.get(channel) ?? 0) + 1);
    left -= 1;
  }
  const costOf = (channel: Channel) => {
    const count = counts.get(channel) ?? 0;
    return { count, cost: count * prices[channel] };
  };
  const channels = {
    whatsapp: costOf('whatsapp'),
    telegram: costOf('telegram'),
    sms: costOf('sms'),
  };
  return { total: CHANNELS.reduce((sum, name) => sum + channels[name].cost, 0), channels };
}
