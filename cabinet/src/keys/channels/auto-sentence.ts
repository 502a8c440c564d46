import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';

export type AutoWords = {
  seconds: (count: number) => string;
  most: (price: string) => string;
  free: string;
  nothing: string;
};

/** The way of a code through the channels, as one sentence: where it goes, when, and for how much. */
export function autoSentence(
  way: {
    /** Those that are on and can carry a code, in their order. */
    channels: readonly Channel[];
    fallbackSeconds: number;
    /** Null for a test key, which costs nothing. */
    prices: Record<Channel, number> | null;
  },
  words: AutoWords,
  money: (tokens: number) => string,
): string {
  const { channels, fallbackSeconds, prices } = way;
  if (channels.length === 0) return words.nothing;
  const titles = channels.map((channel) => CHANNEL_TITLES[channel]);
  const path = titles.join(` → ${words.seconds(fallbackSeconds)} → `);
  // One message is charged once, by the channel that carried it.
  const cost =
    prices === null
      ? words.free
      : words.most(money(Math.max(...channels.map((channel) => prices[channel]))));
  return `auto: ${path}. ${cost}`;
}
