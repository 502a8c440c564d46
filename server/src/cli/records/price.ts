import { DEFAULT_PRICES, type PricedItem } from '@zhiber/contract/api/prices.ts';
import { setPrice } from '../../billing/price-store.ts';
import type { Command } from '../grammar/command.ts';
import { oneOf, wholeNumber } from '../grammar/values.ts';
import { withStorage } from '../with-storage.ts';

const ITEMS = Object.keys(DEFAULT_PRICES) as PricedItem[];
/** A larger price is a typing mistake. */
const PRICE = { min: 0, max: 1_000_000 };

export const priceSet: Command = {
  name: 'price set',
  usage: `${ITEMS.join('|')} N`,
  summary: {
    en: 'Sets the price of one message, within a second',
    ru: 'Задаёт цену одного сообщения, за секунду',
  },
  operands: ['CHANNEL', 'N'],
  async run({ given, env, texts }) {
    const [channel, number] = given.operands as [string, string];
    const item = oneOf('CHANNEL', channel, ITEMS);
    const tokens = wholeNumber('N', number, PRICE);
    await withStorage(env, ({ db }) => setPrice(db, item, tokens));
    return { facts: { channel: item, tokens }, lines: [texts.priceSet(item, tokens)] };
  },
};
