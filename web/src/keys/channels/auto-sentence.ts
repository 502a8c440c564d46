import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';

export type AutoWords = {
  seconds: (count: number) => string;
  most: (price: string) => string;
  free: string;
  nothing: string;
};

/** Describes `auto` in one sentence: the channels in order, the delays and the highest price. */
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
  // A message is charged once, at the price of the channel that delivered it.
  const cost =
    prices === null
      ? words.free
      : words.most(money(Math.max(...channels.map((channel) => prices[channel]))));
  return `auto: ${path}. ${cost}`;
}
