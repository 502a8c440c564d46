import { messagePrice } from '@zhiber/contract/api/prices.ts';

export type Prices = Record<'whatsapp' | 'telegram' | 'sms' | 'group', number>;

/** What a send costs at least and at most: `auto` is charged by the channel that took it. */
export function priceRange(
  prices: Prices,
  send: {
    isGroup: boolean;
    channel: string;
    channels: readonly (keyof Prices)[];
    /** How many times its price an SMS costs. */
    smsParts: number;
  },
): { from: number; to: number } {
  const named = send.channels.filter((channel) => channel === send.channel);
  const possible = send.isGroup ? ['group' as const] : named.length > 0 ? named : send.channels;
  const costs = possible.map((item) => messagePrice(prices, item, send.smsParts));
  return { from: Math.min(...costs), to: Math.max(...costs) };
}
