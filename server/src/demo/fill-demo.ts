import { setTimeout as pause } from 'node:timers/promises';
import type { Lang } from '@zhiber/contract/languages.ts';
import { addDemoOwner } from '../accounts/person-store.ts';
import { almatyDay, HOUR_MS } from '../almaty.ts';
import { DEMO_BROADCASTS } from '../broadcasts/demo/demo-samples.ts';
import { fillDemoBroadcasts } from '../broadcasts/demo/fill-demo-broadcasts.ts';
import { readBroadcastKey } from '../broadcasts/run/broadcast-key.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId, KeyId, PersonId } from '../ids.ts';
import { demoPayment } from '../installation/demo-company.ts';
import {
  insertPastAuditEvents,
  insertPastPayments,
  type PastAuditEvent,
  type PastEntry,
  postPastEntries,
} from '../installation/demo-money-store.ts';
import { findFact, storeFact } from '../installation/fact-store.ts';
import { findKeyByName } from '../keys/key-store.ts';
import { createKey } from '../keys/manage-keys.ts';
import { Problem } from '../problem.ts';
import { readMoney } from '../topups/payment-store.ts';
import { insertEndpoint } from '../webhooks/endpoint-store.ts';
import { newWebhookSecret } from '../webhooks/webhook-secret.ts';
import {
  findDemoGroup,
  forgetCounts,
  insertAttempts,
  insertCalls,
  insertClicks,
  insertDeliveries,
  insertEndpointHours,
  insertLinks,
  insertMessages,
  insertTeam,
  lockDemo,
  putCodes,
  readDemoStart,
  setEndpointAge,
  setGroupAge,
  setKeyAge,
} from './history-store.ts';
import { sharedLinks } from './links.ts';
import { pastDeliveries } from './past-deliveries.ts';
import { planTopups } from './plan-topups.ts';
import { createChance } from './random.ts';
import { makeTraffic } from './traffic.ts';
import type { DemoKeyName, Traffic, TrafficQuery } from './traffic-rows.ts';
import { DEMO_WORDS, type DemoWords } from './words.ts';

type Ctx = Pick<
  Context,
  'db' | 'clock' | 'keys' | 'prices' | 'urls' | 'secrets' | 'channels' | 'demo'
>;

/** Until when the demo company has traffic, as ISO text; absent until the first visit. */
const HISTORY_FACT = 'demo_history';
/** Of earlier releases, whose demo had a day of traffic, broadcasts and a webhook. */
const EARLIER_FACT = 'demo_samples';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const DEMO_OWNER_NAME = 'Демо';
const HISTORY_DAYS = 30;
/** A history that is older than this at a visit is continued up to now. */
const OUTDATED_MS = DAY_MS;
/** The newest message is a few seconds old, and has its receipt. */
const SETTLED_MS = 5_000;
const WAIT_MS = 100;
const WAIT_MS_MAX = 30_000;

const INCIDENT_DAYS_AGO = 8;
/** From 18:05 to 20:10. */
const INCIDENT = { fromMs: 18 * HOUR_MS + 300_000, toMs: 20 * HOUR_MS + 600_000 };

const DEMO_EVENTS = [
  'message.delivered',
  'message.failed',
  'otp.verified',
  'link.clicked',
] as const;

const KEYS = {
  site: { isTest: false, channels: ['whatsapp', 'sms'], brand: 'Ромашка' },
  app: { isTest: false, channels: ['telegram', 'whatsapp', 'sms'], brand: 'Ромашка' },
  tests: { isTest: true, channels: ['whatsapp', 'telegram', 'sms'], brand: undefined },
} as const;
const KEY_NAMES = Object.keys(KEYS) as DemoKeyName[];

/**
 * Gives the demo company a month of history on the first visit, and continues it up to now on a
 * visit after a day or more. It is one transaction: nobody sees half of it, and one that was cut off
 * has left nothing behind. Whoever comes meanwhile, on any node, waits for it.
 */
export async function fillDemo(ctx: Ctx, lang: Lang): Promise<void> {
  const companyId = ctx.demo?.companyId;
  if (companyId === undefined || !ctx.channels.isSandbox) return;
  if (!isOutdated(await findFact(ctx.db, HISTORY_FACT), ctx.clock.now())) return;
  const broadcastKey = await readBroadcastKey(ctx, companyId);
  for (let waited = 0; waited < WAIT_MS_MAX; waited += WAIT_MS) {
    const isDone = await ctx.db.transaction(async (tx) => {
      if (!(await lockDemo(tx))) return false;
      const until = await findFact(tx, HISTORY_FACT);
      const now = new Date(ctx.clock.now().getTime() - SETTLED_MS);
      if (!isOutdated(until, now)) return true;
      const filling = { companyId, now, words: DEMO_WORDS[lang], lang };
      await (until === undefined
        ? startHistory(ctx, tx, { ...filling, broadcastKeyId: broadcastKey.id })
        : continueHistory(ctx, tx, { ...filling, until: new Date(until) }));
      await storeFact(tx, HISTORY_FACT, now.toISOString());
      return true;
    });
    if (isDone) return;
    await pause(WAIT_MS);
  }
  throw new Problem('service_unavailable', { retry_after: 1 });
}

function isOutdated(until: string | undefined, now: Date): boolean {
  return until === undefined || now.getTime() - Date.parse(until) > OUTDATED_MS;
}

type Filling = { companyId: CompanyId; now: Date; words: DemoWords; lang: Lang };

async function startHistory(
  ctx: Ctx,
  tx: Transaction,
  { companyId, now, words, lang, broadcastKeyId }: Filling & { broadcastKeyId: KeyId },
): Promise<void> {
  const openedAt = await readDemoStart(tx, companyId);
  const isNew = (await findFact(tx, EARLIER_FACT)) === undefined;
  const from = new Date(Math.max(firstDay(now).getTime(), openedAt.getTime() + HOUR_MS));
  const owner = await addDemoOwner(tx, companyId);
  await insertTeam(tx, companyId, teamOf(words, openedAt));
  const keys = await openKeys(tx, { companyId, owner, words });
  for (const keyId of Object.values(keys)) {
    await setKeyAge(tx, { keyId, createdAt: openedAt, usedAt: new Date(now.getTime() - HOUR_MS) });
  }
  const postedAt = new Date(now.getTime() - 3 * HOUR_MS);
  const createdAt = new Date(openedAt.getTime() + DAY_MS);
  const group = await setGroupAge(tx, companyId, { createdAt, postedAt });
  const incident = incidentBefore(now);
  const query = { from, to: now, openedAt, incident, keys, groupId: group?.id };
  const traffic = makeTraffic({ ...query, ...(await pricesAndLinks(ctx, companyId)) });
  traffic.links.push(...sharedLinks(from));
  const broadcasts = isNew
    ? await fillDemoBroadcasts(ctx, tx, { companyId, keyId: broadcastKeyId, lang })
    : [];
  const charges = broadcasts.map((charge) => ({ ...charge, kind: 'charge' as const }));
  const topups = await insertTraffic(tx, { companyId, traffic, charges, now });
  if (isNew) await addWebhook(ctx, tx, { companyId, owner, words, openedAt, traffic, now });
  const url = healthUrl(ctx.urls);
  const team = { words, owner, group: group?.name, url, lang };
  const events = [...teamEvents(team, { openedAt, now }), ...topups];
  const inOrder = events.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  await insertPastAuditEvents(tx, companyId, inOrder);
}

async function continueHistory(
  ctx: Ctx,
  tx: Transaction,
  { companyId, now, words, until }: Filling & { until: Date },
): Promise<void> {
  const owner = await addDemoOwner(tx, companyId);
  const keys = await openKeys(tx, {
    companyId,
    owner,
    words: await wordsInUse(tx, companyId, words),
  });
  const from = new Date(Math.max(until.getTime(), firstDay(now).getTime()));
  const traffic = makeTraffic({
    from,
    to: now,
    openedAt: await readDemoStart(tx, companyId),
    incident: undefined,
    keys,
    groupId: await findDemoGroup(tx, companyId),
    ...(await pricesAndLinks(ctx, companyId)),
  });
  const topups = await insertTraffic(tx, { companyId, traffic, charges: [], now });
  await insertPastAuditEvents(tx, companyId, topups);
}

/** The keys were named by the first visitor; their names may be of another language than this one's. */
async function wordsInUse(
  tx: Transaction,
  companyId: CompanyId,
  otherwise: DemoWords,
): Promise<DemoWords> {
  for (const words of Object.values(DEMO_WORDS)) {
    const key = { companyId, name: words.keys.site, isTest: KEYS.site.isTest };
    if ((await findKeyByName(tx, key)) !== undefined) return words;
  }
  return otherwise;
}

async function pricesAndLinks(
  ctx: Ctx,
  companyId: CompanyId,
): Promise<Pick<TrafficQuery, 'prices' | 'shortLinkBase'>> {
  return {
    prices: await ctx.prices.read(companyId),
    shortLinkBase: ctx.urls.shortLinkBase,
  };
}

/** A month ago, or the first day of last month: older months have no partitions. */
function firstDay(now: Date): Date {
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
  return new Date(Math.max(almatyDay(now, -HISTORY_DAYS).getTime(), month));
}

/** An evening of a working day in which WhatsApp took everything and confirmed nothing. */
function incidentBefore(now: Date): { from: Date; to: Date } {
  let day = almatyDay(now, -INCIDENT_DAYS_AGO);
  // Noon of the day in UTC is the same day in Almaty.
  while ([0, 6].includes(new Date(day.getTime() + 12 * HOUR_MS).getUTCDay())) {
    day = almatyDay(day, -1);
  }
  return {
    from: new Date(day.getTime() + INCIDENT.fromMs),
    to: new Date(day.getTime() + INCIDENT.toMs),
  };
}

async function openKeys(
  tx: Transaction,
  { companyId, owner, words }: { companyId: CompanyId; owner: PersonId; words: DemoWords },
): Promise<Record<DemoKeyName, KeyId>> {
  const keys = {} as Record<DemoKeyName, KeyId>;
  for (const key of KEY_NAMES) {
    const settings = { companyId, name: words.keys[key], ...KEYS[key] };
    const known = await findKeyByName(tx, settings);
    keys[key] = known ?? (await createKey(tx, { ...settings, createdBy: owner })).keyId;
  }
  return keys;
}

function teamOf({ people }: DemoWords, openedAt: Date) {
  return people.map((person, place) => ({
    ...person,
    email: `${person.id.replace('demo-', '')}@romashka.example`,
    joinedAt: joinedAt(openedAt, place),
  }));
}

/** Writes the rows of some traffic, and pays for it. Returns what the audit log says of payments. */
async function insertTraffic(
  tx: Transaction,
  {
    companyId,
    traffic,
    charges,
    now,
  }: {
    companyId: CompanyId;
    traffic: Traffic;
    charges: readonly PastEntry[];
    now: Date;
  },
): Promise<PastAuditEvent[]> {
  await insertMessages(tx, companyId, traffic.messages);
  await insertAttempts(tx, companyId, traffic.attempts);
  await putCodes(tx, companyId, traffic.codes);
  await insertCalls(tx, companyId, traffic.calls);
  await insertLinks(tx, companyId, traffic.links);
  await insertClicks(tx, companyId, traffic.clicks);
  const firstAt = traffic.messages[0]?.created_at ?? now;
  await forgetCounts(tx, companyId, new Date(Math.floor(firstAt.getTime() / HOUR_MS) * HOUR_MS));

  const spent = [...traffic.charges, ...charges].sort((a, b) => a.at.getTime() - b.at.getTime());
  const { balance, held, debt } = await readMoney(tx, companyId);
  const topups = planTopups(balance - held - debt, spent, now).map(({ at, amount }) => {
    const id = createChance(`topup ${at.getTime()}`).id(at);
    return demoPayment({ id, at, amount, bonus: 0 });
  });
  await postPastEntries(tx, companyId, [
    ...topups.map(({ id, at, amount }) => {
      return { kind: 'topup' as const, cause: id, at, amount, messages: 0 };
    }),
    ...spent.map((charge) => ({ ...charge, amount: -charge.amount })),
  ]);
  if (topups.length > 0) await insertPastPayments(tx, companyId, topups);
  return topups.map(({ at, amount, document }) => ({
    at,
    personId: null,
    personName: null,
    action: 'balance.topped_up',
    object: document,
    after: { amount, bonus: 0, provider: 'terminal' },
  }));
}

async function addWebhook(
  { urls, secrets }: Ctx,
  tx: Transaction,
  {
    companyId,
    owner,
    words,
    openedAt,
    traffic,
    now,
  }: {
    companyId: CompanyId;
    owner: PersonId;
    words: DemoWords;
    openedAt: Date;
    traffic: Traffic;
    now: Date;
  },
): Promise<void> {
  // The health endpoint takes any POST, so the demo needs no server of its own.
  const url = healthUrl(urls);
  const secret = newWebhookSecret();
  const endpointId = await insertEndpoint(tx, {
    companyId,
    url,
    events: [...DEMO_EVENTS],
    description: words.webhook,
    showsPhones: false,
    secret: secrets.seal(secret),
    createdBy: owner,
  });
  await setEndpointAge(tx, { endpointId, createdAt: new Date(openedAt.getTime() + 2 * DAY_MS) });
  const { hours, ...deliveries } = pastDeliveries(traffic, { now, secret });
  await insertDeliveries(tx, { companyId, endpointId, url }, deliveries);
  await insertEndpointHours(tx, { companyId, endpointId }, hours);
}

const healthUrl = ({ publicUrl }: Context['urls']) => `${publicUrl}/api/health`;

/** How the company came about, as its audit log tells it: first tests, then the team, then the rest. */
function teamEvents(
  {
    words,
    owner,
    group,
    url,
    lang,
  }: {
    words: DemoWords;
    owner: PersonId;
    group: string | undefined;
    url: string;
    lang: Lang;
  },
  { openedAt, now }: { openedAt: Date; now: Date },
): PastAuditEvent[] {
  const on = (day: number, hour: number, minute: number) =>
    new Date(almatyDay(openedAt, day).getTime() + hour * HOUR_MS + minute * MINUTE_MS);
  const [manager, developer, accountant, marketer] = words.people.map(({ id, name }) => ({
    personId: id,
    personName: name,
  })) as [Author, Author, Author, Author];
  const byOwner = { personId: owner as string, personName: DEMO_OWNER_NAME };
  const keyCreated = (key: DemoKeyName, at: Date, author: Author): PastAuditEvent => ({
    ...author,
    at,
    action: 'key.created',
    object: words.keys[key],
    after: { mode: KEYS[key].isTest ? 'test' : 'live', channels: KEYS[key].channels },
  });
  const joined = words.people.flatMap(({ id, name, role }, place): PastAuditEvent[] => {
    const invited = { ...byOwner, at: on(0, 14, place * 6 + 3), action: 'member.invited' };
    const at = joinedAt(openedAt, place);
    const person = { personId: id, personName: name, at };
    return [
      { ...invited, object: name, after: { role } },
      { ...person, action: 'member.joined', object: name, after: { role } },
    ];
  });
  const channel = { channel: 'telegram' };
  const broadcasts = DEMO_BROADCASTS.flatMap(({ name, started }): PastAuditEvent[] => {
    const startedAt = almatyDay(now, -started.daysAgo).getTime() + started.hour * HOUR_MS;
    const at = (minutes: number) => new Date(startedAt + (started.minute + minutes) * MINUTE_MS);
    return [
      { ...marketer, at: at(-20), action: 'broadcast.created', object: name[lang] },
      { ...marketer, at: at(0), action: 'broadcast.started', object: name[lang] },
    ];
  });
  return [
    keyCreated('tests', on(0, 11, 24), byOwner),
    ...joined,
    keyCreated('site', on(2, 10, 12), byOwner),
    ...(group === undefined
      ? []
      : [{ ...manager, at: on(2, 10, 40), action: 'group.linked', object: group, after: channel }]),
    keyCreated('app', on(2, 15, 5), developer),
    {
      ...developer,
      at: on(2, 16, 31),
      action: 'webhook.created',
      object: url,
      after: { events: DEMO_EVENTS, shows_phones: false },
    },
    { ...accountant, at: on(9, 17, 20), action: 'ledger.exported', object: 'csv' },
    ...broadcasts,
  ];
}

type Author = { personId: string; personName: string };

/** The people join on the afternoon of the first day, one after the other. */
function joinedAt(openedAt: Date, place: number): Date {
  return new Date(almatyDay(openedAt).getTime() + 15 * HOUR_MS + place * 37 * MINUTE_MS);
}
