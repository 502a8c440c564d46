import type { Channel } from '@zhiber/contract/api/channel.ts';

export type UsualCost = {
  /** Of the first channel, which carries most messages. */
  price: number;
  /** The cheapest of the others, where the first one costs more. */
  instead: number | null;
  first: Channel;
};

/** What a message by `auto` usually costs in this order; undefined without a channel. */
export function usualCost(
  channels: readonly Channel[],
  prices: Record<Channel, number>,
): UsualCost | undefined {
  const [first] = channels;
  if (first === undefined) return undefined;
  const price = prices[first];
  const cheapest = Math.min(...channels.map((channel) => prices[channel]));
  return { first, price, instead: cheapest < price ? cheapest : null };
}
