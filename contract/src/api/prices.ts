import type { Channel } from './channel.ts';

/** One token is one tenge. */
export type PricedItem = Channel | 'group';
export type Prices = Record<PricedItem, number>;

/** What a message costs; an SMS as many times as its charged parts. */
export function messagePrice(prices: Readonly<Prices>, item: PricedItem, smsParts: number): number {
  return prices[item] * (item === 'sms' ? smsParts : 1);
}

/** The prices of a new installation; the operator changes them with `zhiber price set`. */
export const DEFAULT_PRICES = {
  whatsapp: 3,
  telegram: 3,
  sms: 8,
  group: 0,
} as const satisfies Record<PricedItem, number>;

export const WELCOME_BONUS = 50;
export const FIRST_TOPUP_BONUS = 1_000;
/** Smaller top-ups are refused, so that the first-top-up bonus cannot be farmed. A setting. */
export const TOPUP_MIN_DEFAULT = 1_000;
/** A larger price is a typing mistake. */
export const PRICE_MAX = 1_000_000;
