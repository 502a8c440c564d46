import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { usualCost } from './usual-cost.ts';

export type AutoWords = {
  seconds: (count: number) => string;
  most: (price: string) => string;
  dearFirst: (price: string, instead: string, channel: string) => string;
  free: string;
  nothing: string;
};

/**
 * Describes `auto`: the channels in order, the delays and the highest price. When the first channel is
 * not the cheapest, it also says what that usually costs.
 */
export function autoSentence(
  route: {
    /** The enabled channels that support codes, in their order. */
    channels: readonly Channel[];
    fallbackSeconds: number;
    /** Null for a test key, which costs nothing. */
    prices: Record<Channel, number> | null;
  },
  words: AutoWords,
  money: (tokens: number) => string,
): string {
  const { channels, fallbackSeconds, prices } = route;
  if (channels.length === 0) return words.nothing;
  const titles = channels.map((channel) => CHANNEL_TITLES[channel]);
  const path = titles.join(` → ${words.seconds(fallbackSeconds)} → `);
  if (prices === null) return `auto: ${path}. ${words.free}`;
  // A message is charged once, at the price of the channel that delivered it.
  const most = words.most(money(Math.max(...channels.map((channel) => prices[channel]))));
  const usual = usualCost(channels, prices);
  if (usual === undefined || usual.instead === null) return `auto: ${path}. ${most}`;
  const { price, instead, first } = usual;
  const dear = words.dearFirst(money(price), money(instead), CHANNEL_TITLES[first]);
  return `auto: ${path}. ${dear} ${most}`;
}
