import type { LiveTexts } from '../../../texts/try-texts-ru.ts';
import { chosen } from '../dom.ts';
import { fill, tokens } from '../format.ts';
import { priceRange } from '../price-range.ts';
import { currentKind } from './request-form.ts';
import type { Session } from './server.ts';

const CHANNELS = ['whatsapp', 'telegram', 'sms'] as const;

/** What the request in the form would cost. */
export function priceText(texts: LiveTexts, prices: Session['prices']): string {
  const kind = currentKind();
  if (kind === 'shorten') return texts.free;
  if (chosen('mode') === 'test') return texts.freeTest;
  const send = { isGroup: kind === 'group', channel: chosen('channel'), channels: CHANNELS };
  const { from, to } = priceRange(prices, send);
  if (to === 0) return texts.free;
  if (from === to) return fill(texts.price, { price: tokens(from) });
  return fill(texts.priceRange, { from: tokens(from), to: tokens(to) });
}
