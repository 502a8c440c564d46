import { almatyTime, HOUR_MS } from '../almaty.ts';
import type { Phone } from '../phone.ts';
import { addCode, newestCodes } from './codes.ts';
import { addLinkSend, addSharedVisits } from './links.ts';
import { addMessage } from './messages.ts';
import { createChance } from './random.ts';
import type { Send, Traffic, TrafficQuery } from './traffic-rows.ts';

const SEED = 'romashka';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const LATEST_MINUTES = [23, 11, 4];

/** Sends in each hour of a working day and of a day off, from midnight in Almaty. */
const WORKDAY = [
  1, 0.5, 0.3, 0.2, 0.2, 0.4, 1, 3, 6, 9, 11, 11, 10, 9, 9, 10, 10, 11, 13, 14, 13, 10, 6, 3,
];
const DAY_OFF = [
  2, 1, 0.5, 0.3, 0.2, 0.2, 0.5, 1, 2, 4, 7, 10, 11, 10, 9, 8, 8, 8, 8, 8, 7, 6, 4, 2,
];

/**
 * The traffic of a small flower shop in Almaty, hour by hour. Each hour has a seed of its own, so
 * that any part of the time can be made at any time, and comes out the same.
 */
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
  addSharedVisits(traffic, { hour, busy, chance, isIn });
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
