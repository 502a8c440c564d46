import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Prices } from '@zhiber/contract/api/prices.ts';
import { almatyTime, HOUR_MS } from '../almaty.ts';
import { maskPhone, type Phone } from '../phone.ts';
import { type Delivery, deliver, type Receipt } from './deliveries.ts';
import { type Chance, createChance } from './random.ts';

/**
 * The traffic of a small flower shop in Almaty, hour by hour. Each hour has a seed of its own, so
 * that any part of the time can be made at any time, and comes out the same.
 */
export type TrafficQuery = {
  from: Date;
  to: Date;
  /** The shop grows from here on. */
  openedAt: Date;
  /** When WhatsApp confirmed nothing; there may be no such time. */
  incident: { from: Date; to: Date } | undefined;
  keys: Record<DemoKeyName, number>;
  groupId: number | undefined;
  prices: Prices;
  shortLinkBase: string;
};
export type DemoKeyName = 'site' | 'app' | 'tests';

export type TrafficMessage = {
  id: string;
  key_id: number;
  kind: 'otp' | 'link' | 'group';
  is_test: boolean;
  recipient: string;
  state: 'sent' | 'failed';
  receipt: Receipt | null;
  channel: Channel;
  attempt: number;
  charged: number;
  created_at: Date;
  settled_at: Date;
  receipt_at: Date | null;
  delivered_at: Date | null;
  purpose: string | null;
  reason: string | null;
  slug: string | null;
  body: string | null;
  request_id: string;
};
export type TrafficAttempt = {
  message_id: string;
  number: number;
  channel: Channel;
  state: 'accepted' | 'refused';
  reason: string | null;
  receipt: Receipt | null;
  price: number;
  started_at: Date;
  settled_at: Date;
  receipt_at: Date | null;
  delivered_at: Date | null;
};
export type TrafficCode = {
  key_id: number;
  phone: string;
  purpose: string;
  message_id: string;
  expires_at: Date;
  verified_at: Date | null;
  wrong: number;
};
export type TrafficCall = {
  at: Date;
  key_id: number;
  request_id: string;
  path: string;
  status: number;
  error_code: string | null;
  duration_ms: number;
  phone: string | null;
  channel: string | null;
  message_id: string | null;
};
export type TrafficLink = {
  slug: string;
  url: string;
  message_id: string | null;
  recipient: string | null;
  created_at: Date;
};
export type TrafficClick = {
  slug: string;
  message_id: string | null;
  recipient: string | null;
  at: Date;
  is_robot: boolean;
  country: string | null;
  /** As a database of cities has it, in English. */
  city: string | null;
};
export type TrafficCharge = {
  kind: 'charge' | 'charge_moved';
  cause: string;
  at: Date;
  amount: number;
  messages: number;
};
export type Traffic = {
  messages: TrafficMessage[];
  attempts: TrafficAttempt[];
  codes: TrafficCode[];
  calls: TrafficCall[];
  links: TrafficLink[];
  clicks: TrafficClick[];
  charges: TrafficCharge[];
};

const SEED = 'romashka';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
/** By then every message has its outcome: the silence of the last channel takes ten minutes. */
const OUTCOME_MS = 12 * MINUTE_MS;
const LATEST_MINUTES = [23, 11, 4];
const CODE_TTL_MS = 5 * MINUTE_MS;

/** Sends in each hour of a working day and of a day off, from midnight in Almaty. */
const WORKDAY = [
  1, 0.5, 0.3, 0.2, 0.2, 0.4, 1, 3, 6, 9, 11, 11, 10, 9, 9, 10, 10, 11, 13, 14, 13, 10, 6, 3,
];
const DAY_OFF = [
  2, 1, 0.5, 0.3, 0.2, 0.2, 0.5, 1, 2, 4, 7, 10, 11, 10, 9, 8, 8, 8, 8, 8, 7, 6, 4, 2,
];
const CUSTOMERS = 1_400;
const OPERATORS = ['701', '702', '705', '707', '747', '771', '775', '777', '778'];
// No 0 O 1 l I, as in generated names.
const SLUG_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const REQUEST_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';

const ROUTES: Record<DemoKeyName, readonly Channel[]> = {
  site: ['whatsapp', 'sms'],
  app: ['telegram', 'whatsapp', 'sms'],
  tests: ['whatsapp', 'sms'],
};
const PURPOSES: Record<DemoKeyName, readonly string[]> = {
  site: [
    'login',
    'login',
    'login',
    'login',
    'registration',
    'registration',
    'order',
    'order',
    'order',
  ],
  app: ['login', 'login', 'login', 'login', 'login', 'registration', 'order', 'order', 'password'],
  tests: ['login', 'registration'],
};

/** Links that are printed and posted: anybody opens them, at any time. */
const SHARED_LINKS = [
  { slug: 'Buket7mP', url: 'https://romashka.kz/sale?utm_source=instagram', perHour: 0.75 },
  { slug: 'Kontakt4', url: 'https://romashka.kz/contacts', perHour: 0.3 },
  { slug: 'Otzyv2gs', url: 'https://romashka.kz/reviews', perHour: 0.2 },
] as const;

/** Of a hundred people; of the others only the country is known. */
const CITIES: readonly (readonly [city: string, people: number])[] = [
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

export function makeTraffic(query: TrafficQuery): Traffic {
  const traffic: Traffic = {
    messages: [],
    attempts: [],
    codes: [],
    calls: [],
    links: [],
    clicks: [],
    charges: [],
  };
  const firstHour = Math.floor(query.from.getTime() / HOUR_MS) * HOUR_MS;
  for (let hour = firstHour; hour < query.to.getTime(); hour += HOUR_MS) {
    addHour(traffic, query, new Date(hour));
  }
  addLatest(traffic, query);
  // What would only be known later has not happened yet.
  const until = query.to;
  traffic.clicks = traffic.clicks.filter(({ at }) => at < until);
  traffic.calls = traffic.calls.filter(({ at }) => at < until);
  traffic.codes = newestCodes(traffic.codes, until);
  return traffic;
}

/** At night too the newest message is minutes old: a visitor wants to see that something goes on. */
function addLatest(traffic: Traffic, query: TrafficQuery): void {
  for (const minutes of LATEST_MINUTES) {
    const at = new Date(query.to.getTime() - minutes * MINUTE_MS);
    const isQuiet = !traffic.messages.some(({ created_at: sentAt }) => sentAt >= at);
    const chance = createChance(`${SEED} latest ${at.getTime()}`);
    if (isQuiet && at >= query.from) addCode(traffic, query, { chance, at, key: 'site' });
  }
}

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

function addHour(traffic: Traffic, query: TrafficQuery, hour: Date): void {
  const chance = createChance(`${SEED} ${hour.getTime()}`);
  const { from, to } = query;
  const busy = busynessOf(hour, query.openedAt);
  const isIn = (at: Date) => at >= from && at < to;
  const sends = Math.floor(busy * (0.75 + chance.next() * 0.5) + chance.next());
  for (let i = 0; i < sends; i++) {
    const at = new Date(hour.getTime() + Math.floor(chance.next() * HOUR_MS));
    // Drawn from a seed of its own: a send that is left out changes no other.
    const own = createChance(`${SEED} ${hour.getTime()} ${i}`);
    if (isIn(at)) addSend(traffic, query, { chance: own, at });
  }
  for (const { slug, perHour } of SHARED_LINKS) {
    const opens = Math.floor((perHour * busy) / 6 + chance.next());
    for (let i = 0; i < opens; i++) {
      const at = new Date(hour.getTime() + Math.floor(chance.next() * HOUR_MS));
      const isRobot = chance.is(0.22);
      const click = { slug, message_id: null, recipient: null, at, is_robot: isRobot };
      if (isIn(at)) addClick(traffic, click);
    }
  }
}

/** A customer opens all links in one city, and robots are in none. */
function addClick(traffic: Traffic, click: Omit<TrafficClick, 'country' | 'city'>): void {
  // Drawn from a seed of its own: it changes nothing else.
  const chance = createChance(`${SEED} city ${click.recipient ?? click.at.getTime()}`);
  const where = click.is_robot
    ? { country: null, city: null }
    : { country: 'KZ', city: cityOf(chance.whole(0, 99)) };
  traffic.clicks.push({ ...click, ...where });
}

function cityOf(person: number): string | null {
  let before = 0;
  for (const [city, people] of CITIES) {
    before += people;
    if (person < before) return city;
  }
  return null;
}

/** How many sends an hour has on average. */
function busynessOf(hour: Date, openedAt: Date): number {
  const local = almatyTime(hour);
  const weekday = new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay();
  const isDayOff = weekday === 0 || weekday === 6;
  const days = Math.max(0, (hour.getTime() - openedAt.getTime()) / DAY_MS);
  const growth = Math.min(1.15, 0.75 + days * 0.012);
  const byHour = isDayOff ? DAY_OFF : WORKDAY;
  return (byHour[Number(local.slice(11, 13))] ?? 0) * growth * (weekday === 0 ? 0.9 : 1);
}

type Send = { chance: Chance; at: Date };

function addSend(traffic: Traffic, query: TrafficQuery, { chance, at }: Send): void {
  const luck = chance.next();
  const localHour = Number(almatyTime(at).slice(11, 13));
  const isAtWork = localHour >= 10 && localHour < 19;
  if (isAtWork && luck < 0.015 && query.groupId !== undefined) {
    addGroupPost(traffic, query, { chance, at });
    return;
  }
  if (isAtWork && luck < 0.1) {
    addLinkSend(traffic, query, { chance, at });
    return;
  }
  const key = isAtWork && luck > 0.97 ? 'tests' : luck < 0.65 ? 'site' : 'app';
  addCode(traffic, query, { chance, at, key });
}

function addCode(
  traffic: Traffic,
  query: TrafficQuery,
  { chance, at, key }: Send & { key: DemoKeyName },
): void {
  const phone = phoneOf(chance);
  const keyId = query.keys[key];
  const call = { at, key_id: keyId, path: '/api/otp/send', channel: 'auto', message_id: null };
  if (chance.is(0.004)) {
    traffic.calls.push({ ...call, ...refusalOf(chance, 422, 'invalid_phone'), phone: null });
    return;
  }
  // A person who wants the code by SMS says so.
  const isSmsWanted = chance.is(0.035);
  const route: readonly Channel[] = isSmsWanted ? ['sms'] : ROUTES[key];
  const purpose = chance.pick(PURPOSES[key]);
  const message = addMessage(traffic, query, {
    chance,
    at,
    key,
    kind: 'otp',
    phone,
    route,
    purpose,
  });
  if (message.state === 'failed') return;
  const isWaitingLong = message.attempt > 1;
  if (chance.is(isWaitingLong ? 0.12 : 0.008)) {
    const again = new Date(at.getTime() + chance.whole(12, 50) * 1_000);
    const refusal = refusalOf(chance, 429, 'send_rate_limited');
    traffic.calls.push({ ...call, ...refusal, at: again, phone: maskPhone(phone) });
  }
  addVerification(traffic, query, { chance, message, phone, purpose });
}

/** How the person enters the code: right, wrong at first, too late, or not at all. */
function addVerification(
  traffic: Traffic,
  query: TrafficQuery,
  {
    chance,
    message,
    phone,
    purpose,
  }: { chance: Chance; message: TrafficMessage; phone: Phone; purpose: string },
): void {
  const { id, key_id: keyId, created_at: createdAt, delivered_at: deliveredAt } = message;
  const expiresAt = new Date(createdAt.getTime() + CODE_TTL_MS);
  const code: TrafficCode = {
    key_id: keyId,
    phone,
    purpose,
    message_id: id,
    expires_at: expiresAt,
    verified_at: null,
    wrong: 0,
  };
  traffic.codes.push(code);
  if (deliveredAt === null) return;
  const enter = (at: Date, error: string | null) =>
    traffic.calls.push({
      ...(error === null ? acceptanceOf(chance) : refusalOf(chance, 422, error)),
      at,
      key_id: keyId,
      path: '/api/otp/verify',
      phone: maskPhone(phone),
      channel: null,
      message_id: null,
    });
  const luck = chance.next();
  const enteredAt = new Date(deliveredAt.getTime() + chance.whole(6, 55) * 1_000);
  if (luck < 0.055) return;
  if (luck < 0.062) {
    enter(new Date(expiresAt.getTime() + chance.whole(5, 240) * 1_000), 'code_expired');
    return;
  }
  if (luck < 0.105) {
    code.wrong = 1;
    enter(new Date(enteredAt.getTime() - 4_000), 'invalid_code');
  }
  if (enteredAt >= query.to) return;
  code.verified_at = enteredAt;
  enter(enteredAt, null);
}

function addLinkSend(traffic: Traffic, query: TrafficQuery, { chance, at }: Send): void {
  const phone = phoneOf(chance);
  const slug = chance.text(SLUG_ALPHABET, 8);
  const order = chance.whole(2_400, 9_800);
  const message = addMessage(traffic, query, {
    chance,
    at,
    key: 'site',
    kind: 'link',
    phone,
    route: ROUTES.site,
    slug,
    body: `Заказ № ${order} передан курьеру. Где он сейчас: ${query.shortLinkBase}/${slug}`,
  });
  const ref = { slug, message_id: message.id, recipient: phone };
  traffic.links.push({ ...ref, url: `https://romashka.kz/orders/${order}`, created_at: at });
  if (message.delivered_at === null) return;
  const arrived = message.delivered_at.getTime();
  const open = (seconds: number, isRobot: boolean) =>
    addClick(traffic, { ...ref, at: new Date(arrived + seconds * 1_000), is_robot: isRobot });
  // Messengers look at a link to show a preview of it.
  if (message.channel !== 'sms' && chance.is(0.45)) open(chance.whole(1, 2), true);
  if (!chance.is(0.68)) return;
  const first = Math.round(20 + chance.next() ** 3 * 7_200);
  open(first, false);
  if (chance.is(0.3)) open(first + chance.whole(600, 9_000), false);
}

const POSTS = [
  'Новый заказ на 12 400 ₸: 25 роз, доставка до 18:00',
  'Новый заказ на 8 900 ₸: хризантемы, самовывоз',
  'Заказ на завтра: 51 тюльпан, доставка к 9:00',
  'Склад: осталось меньше 40 пионов',
] as const;

function addGroupPost(traffic: Traffic, query: TrafficQuery, { chance, at }: Send): void {
  addMessage(traffic, query, {
    chance,
    at,
    key: 'site',
    kind: 'group',
    phone: String(query.groupId) as Phone,
    route: ['telegram'],
    body: chance.pick(POSTS),
  });
}

type MessageFacts = Send & {
  key: DemoKeyName;
  kind: TrafficMessage['kind'];
  phone: Phone;
  route: readonly Channel[];
  purpose?: string;
  slug?: string;
  body?: string;
};

function addMessage(traffic: Traffic, query: TrafficQuery, facts: MessageFacts): TrafficMessage {
  const { chance, at, key, kind, phone, purpose = null, slug = null, body = null } = facts;
  const { incident } = query;
  const isWhatsappDown = incident !== undefined && at >= incident.from && at < incident.to;
  const delivery = withoutFuture(
    kind === 'group'
      ? acceptedPost(chance)
      : deliver(chance, { route: facts.route, isWhatsappDown }),
    { at, to: query.to },
  );
  const last = delivery.at(-1) as Delivery[number];
  const isSent = delivery.some(({ state }) => state === 'accepted');
  const isTest = key === 'tests';
  const priceOf = (channel: Channel) => query.prices[kind === 'group' ? 'group' : channel];
  const after = (seconds: number) => new Date(at.getTime() + Math.round(seconds * 1_000));
  const afterOrNull = (seconds: number | null) => (seconds === null ? null : after(seconds));
  const paid = chargesOf(delivery, { priceOf, isTest });
  // A channel that refused after another had accepted leaves the message with the one that accepted.
  const shown = isSent ? (delivery.findLast(({ state }) => state === 'accepted') ?? last) : last;
  const message: TrafficMessage = {
    id: chance.id(at),
    key_id: query.keys[key],
    kind,
    is_test: isTest,
    recipient: phone,
    state: isSent ? 'sent' : 'failed',
    receipt: shown.receipt,
    channel: shown.channel,
    attempt: delivery.length,
    charged: paid.reduce((sum, { amount }) => sum + amount, 0),
    created_at: at,
    settled_at: after(shown.settledSeconds),
    receipt_at: afterOrNull(shown.receiptSeconds),
    delivered_at: afterOrNull(shown.deliveredSeconds),
    purpose,
    reason: shown.reason,
    slug,
    body,
    request_id: `req_${chance.text(REQUEST_ALPHABET, 16)}`,
  };
  traffic.messages.push(message);
  if (delivery.length > 1) {
    traffic.attempts.push(
      ...delivery.map((attempt, place) => ({
        message_id: message.id,
        number: place + 1,
        channel: attempt.channel,
        state: attempt.state,
        reason: attempt.reason,
        receipt: attempt.receipt,
        price: priceOf(attempt.channel),
        started_at: after(attempt.startedSeconds),
        settled_at: after(attempt.settledSeconds),
        receipt_at: afterOrNull(attempt.receiptSeconds),
        delivered_at: afterOrNull(attempt.deliveredSeconds),
      })),
    );
  }
  for (const { kind: entry, seconds, amount } of paid) {
    const entryAt = after(seconds);
    const messages = entry === 'charge' ? 1 : 0;
    traffic.charges.push({ kind: entry, cause: chance.id(entryAt), at: entryAt, amount, messages });
  }
  if (!isSent) {
    traffic.calls.push({
      ...refusalOf(chance, 502, 'delivery_failed'),
      at: message.settled_at,
      key_id: message.key_id,
      request_id: message.request_id,
      path: kind === 'otp' ? '/api/otp/send' : '/api/link/send',
      phone: maskPhone(phone),
      channel: 'auto',
      message_id: message.id,
    });
  }
  return message;
}

type Paid = { kind: TrafficCharge['kind']; seconds: number; amount: number };

/** The first channel that accepts is charged; the charge moves to the one that delivers. */
function chargesOf(
  delivery: Delivery,
  { priceOf, isTest }: { priceOf: (channel: Channel) => number; isTest: boolean },
): Paid[] {
  const accepted = delivery.filter(({ state }) => state === 'accepted');
  const first = accepted[0];
  if (first === undefined || isTest) return [];
  const price = priceOf(first.channel);
  const paid: Paid[] = [{ kind: 'charge', seconds: first.settledSeconds, amount: price }];
  const delivered = accepted.find(({ deliveredSeconds }) => deliveredSeconds !== null);
  if (delivered !== undefined && delivered !== first) {
    const amount = priceOf(delivered.channel) - price;
    paid.push({ kind: 'charge_moved', seconds: delivered.deliveredSeconds as number, amount });
  }
  return paid.filter(({ amount }) => amount !== 0);
}

/** A post to a group is accepted, and there are no receipts for it. */
function acceptedPost(chance: Chance): Delivery {
  return [
    {
      channel: 'telegram',
      state: 'accepted',
      reason: null,
      receipt: null,
      startedSeconds: 0,
      settledSeconds: 0.2 + chance.next() * 0.3,
      receiptSeconds: null,
      deliveredSeconds: null,
    },
  ];
}

/** A message of the last minutes is delivered at once: its fallback would still be ahead. */
function withoutFuture(delivery: Delivery, { at, to }: { at: Date; to: Date }): Delivery {
  if (at.getTime() + OUTCOME_MS < to.getTime()) return delivery;
  const [first] = delivery as [Delivery[number]];
  if (first.receipt === null && first.state === 'accepted') return delivery;
  const deliveredSeconds = first.startedSeconds + 2.5;
  return [
    {
      ...first,
      state: 'accepted',
      reason: null,
      receipt: 'delivered',
      settledSeconds: first.startedSeconds + 0.3,
      receiptSeconds: deliveredSeconds,
      deliveredSeconds,
    },
  ];
}

function refusalOf(chance: Chance, status: number, code: string) {
  return {
    request_id: `req_${chance.text(REQUEST_ALPHABET, 16)}`,
    status,
    error_code: code,
    duration_ms: chance.whole(2, 14),
  };
}

function acceptanceOf(chance: Chance) {
  return {
    request_id: `req_${chance.text(REQUEST_ALPHABET, 16)}`,
    status: 200,
    error_code: null,
    duration_ms: chance.whole(4, 22),
  };
}

/** Few customers come often, most of them seldom. */
function phoneOf(chance: Chance): Phone {
  const customer = Math.floor(chance.next() ** 1.6 * CUSTOMERS);
  const operator = OPERATORS[customer % OPERATORS.length] as string;
  return `7${operator}555${String((customer * 7_919) % 10_000).padStart(4, '0')}` as Phone;
}

/** A key keeps one code per phone and purpose: the newest. */
function newestCodes(codes: readonly TrafficCode[], now: Date): TrafficCode[] {
  const newest = new Map<string, TrafficCode>();
  const byAge = codes.toSorted((a, b) => a.expires_at.getTime() - b.expires_at.getTime());
  for (const code of byAge) newest.set([code.key_id, code.phone, code.purpose].join(' '), code);
  // Outdated codes are removed a day after their end, as the upkeep does.
  return [...newest.values()].filter(
    ({ expires_at: expiresAt }) => expiresAt.getTime() > now.getTime() - DAY_MS,
  );
}
