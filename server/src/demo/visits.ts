import { createChance } from './random.ts';
import type { Traffic, Visit, Visitor } from './traffic-rows.ts';

/** Where a link was found: in a message, in a post of a network, on paper. */
type Place = 'message' | 'post' | 'print';

/** Of a hundred people; of the others only the country is known. */
const CITIES: Shares<string> = [
  ['Almaty', 58],
  ['Astana', 11],
  ['Shymkent', 6],
  ['Karaganda', 4],
  ['Taldykorgan', 3],
  ['Aktobe', 2],
  ['Taraz', 2],
  ['Pavlodar', 2],
  ['Ust-Kamenogorsk', 2],
  ['Atyrau', 1],
  ['Kostanay', 1],
  ['Aktau', 1],
];

/** Of a hundred people: on what they open a link. */
const DEVICES: Shares<Pick<Visitor, 'device' | 'system' | 'browser'>> = [
  [{ device: 'phone', system: 'android', browser: 'chrome' }, 38],
  [{ device: 'phone', system: 'ios', browser: 'safari' }, 27],
  [{ device: 'phone', system: 'android', browser: 'samsung' }, 11],
  [{ device: 'phone', system: 'android', browser: 'yandex' }, 4],
  [{ device: 'phone', system: 'ios', browser: 'chrome' }, 4],
  [{ device: 'tablet', system: 'ios', browser: 'safari' }, 2],
  [{ device: 'computer', system: 'windows', browser: 'chrome' }, 8],
  [{ device: 'computer', system: 'macos', browser: 'safari' }, 3],
  [{ device: 'computer', system: 'windows', browser: 'edge' }, 2],
];

/** Of a hundred visits from posts: the page with the link. */
const REFERRERS: Shares<string> = [
  ['instagram.com', 54],
  ['facebook.com', 9],
  ['2gis.kz', 6],
];

const NOBODY: Visitor = {
  country: null,
  city: null,
  device: null,
  system: null,
  browser: null,
  referrer: null,
  is_scan: false,
};

/** A customer opens all links in one city and on one device, and of robots nothing is known. */
export function addVisit(traffic: Traffic, visit: Visit, place: Place): void {
  traffic.clicks.push({ ...visit, ...(visit.is_robot ? NOBODY : visitorOf(visit, place)) });
}

function visitorOf({ recipient, at }: Visit, place: Place): Visitor {
  const person = recipient ?? at.getTime();
  // Drawn from seeds of their own: they change nothing else.
  const draw = (what: string) => createChance(`romashka ${what} ${person}`).whole(0, 99);
  const device = itemAt(DEVICES, draw('device')) ?? NOBODY;
  return {
    ...NOBODY,
    ...device,
    country: 'KZ',
    city: itemAt(CITIES, draw('city')) ?? null,
    referrer: place === 'post' ? (itemAt(REFERRERS, draw('referrer')) ?? null) : null,
    // Paper is scanned with a phone.
    is_scan: place === 'print' && device.device === 'phone' && draw('scan') < 70,
  };
}

/** How many of a hundred have which. */
type Shares<Item> = readonly (readonly [item: Item, share: number])[];

function itemAt<Item>(shares: Shares<Item>, place: number): Item | undefined {
  let before = 0;
  for (const [item, share] of shares) {
    before += share;
    if (place < before) return item;
  }
  return undefined;
}
