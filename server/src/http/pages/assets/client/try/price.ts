import type { LiveTexts } from '../../../texts/try-texts-ru.ts';
import { chosen } from '../dom.ts';
import { fill, tokens } from '../format.ts';
import { currentKind } from './request-form.ts';
import type { Session } from './server.ts';

/**
 * What the request in the form would cost. `auto` is charged by the channel that took the message.
 */
export function priceText(texts: LiveTexts, prices: Session['prices']): string {
  const kind = currentKind();
  if (kind === 'shorten') return texts.free;
  if (chosen('mode') === 'test') return texts.freeTest;
  const possible = kind === 'group' ? [prices.group] : channelPrices(prices);
  const from = Math.min(...possible);
  const to = Math.max(...possible);
  if (to === 0) return texts.free;
  if (from === to) return fill(texts.price, { price: tokens(from) });
  return fill(texts.priceRange, { from: tokens(from), to: tokens(to) });
}

function channelPrices({ whatsapp, telegram, sms }: Session['prices']): number[] {
  const byName: Record<string, number> = { whatsapp, telegram, sms };
  const price = byName[chosen('channel')];
  return price === undefined ? Object.values(byName) : [price];
}
