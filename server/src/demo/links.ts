import { HOUR_MS } from '../almaty.ts';
import { addMessage, phoneOf, ROUTES } from './messages.ts';
import type { Chance } from './random.ts';
import type { Send, Traffic, TrafficLink, TrafficQuery } from './traffic-rows.ts';
import { addVisit } from './visits.ts';

// No 0 O 1 l I, as in generated names.
const SLUG_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Links on paper, or in a post of a network: anybody opens them, at any time. */
const SHARED_LINKS = [
  {
    slug: 'Buket7mP',
    url: 'https://romashka.kz/sale?utm_source=instagram',
    perHour: 0.75,
    isPosted: true,
  },
  { slug: 'Kontakt4', url: 'https://romashka.kz/contacts', perHour: 0.3, isPosted: false },
  { slug: 'Otzyv2gs', url: 'https://romashka.kz/reviews', perHour: 0.2, isPosted: false },
] as const;

/** The links that exist from the first day on. */
export function sharedLinks(openedAt: Date): TrafficLink[] {
  return SHARED_LINKS.map(({ slug, url }, day) => ({
    slug,
    url,
    message_id: null,
    recipient: null,
    created_at: new Date(openedAt.getTime() + (day + 1) * 5 * HOUR_MS),
  }));
}

/** Visits to the shared links in one hour; `busy` is how many sends it has on average. */
export function addSharedVisits(
  traffic: Traffic,
  {
    hour,
    busy,
    chance,
    isIn,
  }: { hour: Date; busy: number; chance: Chance; isIn: (at: Date) => boolean },
): void {
  for (const { slug, perHour, isPosted } of SHARED_LINKS) {
    const opens = Math.floor((perHour * busy) / 6 + chance.next());
    for (let i = 0; i < opens; i++) {
      const at = new Date(hour.getTime() + Math.floor(chance.next() * HOUR_MS));
      const visit = { slug, message_id: null, recipient: null, at, is_robot: chance.is(0.22) };
      if (isIn(at)) addVisit(traffic, visit, isPosted ? 'post' : 'print');
    }
  }
}

export function addLinkSend(traffic: Traffic, query: TrafficQuery, { chance, at }: Send): void {
  const phone = phoneOf(chance);
  const slug = chance.text(SLUG_ALPHABET, 8);
  const order = chance.whole(2_400, 9_800);
  const url = `https://romashka.kz/orders/${order}`;
  const text = `Заказ № ${order} передан курьеру. Где он сейчас: :link`;
  const message = addMessage(traffic, query, {
    chance,
    at,
    key: 'site',
    kind: 'link',
    phone,
    route: ROUTES.site,
    slug,
    body: text.replace(':link', `${query.shortLinkBase}/${slug}`),
    asked: { url, text },
  });
  const ref = { slug, message_id: message.id, recipient: phone };
  traffic.links.push({ ...ref, url, created_at: at });
  if (message.delivered_at === null) return;
  const arrived = message.delivered_at.getTime();
  const open = (seconds: number, isRobot: boolean) =>
    addVisit(
      traffic,
      { ...ref, at: new Date(arrived + seconds * 1_000), is_robot: isRobot },
      'message',
    );
  // Messengers look at a link to show a preview of it.
  if (message.channel !== 'sms' && chance.is(0.45)) open(chance.whole(1, 2), true);
  if (!chance.is(0.68)) return;
  const first = Math.round(20 + chance.next() ** 3 * 7_200);
  open(first, false);
  if (chance.is(0.3)) open(first + chance.whole(600, 9_000), false);
}
