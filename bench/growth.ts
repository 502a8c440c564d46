/**
 * `npm run bench -- --growth`: the same traffic on a small past and on a large one, both services up
 * at once and measured in turn. The last day has as many messages in both; ids of providers, gates,
 * codes, links and clicks are in proportion.
 */
import pino from 'pino';
import { systemClock } from '../server/src/clock.ts';
import { readConfig } from '../server/src/config/config.ts';
import { recordReceiptsById } from '../server/src/delivery/receipts/provider-id-store.ts';
import { recordReceipts } from '../server/src/delivery/receipts/receipt-store.ts';
import { listMessages } from '../server/src/history/list/list-messages.ts';
import { toQuery } from '../server/src/history/list/message-query.ts';
import { readOverview } from '../server/src/history/usage/read-overview.ts';
import { type MessageId, newId, timeOfId } from '../server/src/ids.ts';
import { removeOutdated } from '../server/src/jobs/remove-outdated.ts';
import { type Block, measure, median } from './measure.ts';
import type { LoadClient } from './processes.ts';
import { columns } from './report.ts';
import {
  type Client,
  createClients,
  prepareCodes,
  prepareHistory,
  prepareLinks,
  type Service,
  tidyUp,
} from './service.ts';

export const GROWTH_SIZES = [10_000, 2_000_000] as const;
const RATIO_MIN = 0.9;

const CODES = 200_000;
const CODES_FROM = 500_000_000;
const RECEIPTS_PER_BATCH = 64;
/** The newest messages, as receipts are about those. */
const MESSAGES_REPORTED = 1_024;
/** Of the gates, codes and ids, what a run of the cleaning finds outdated. */
const OUTDATED_SHARE = 0.02;

export type GrownSet = { service: Service; client: Client; messages: number; blocks: Block[] };

/** A service with so many messages behind it. */
export async function prepareSet(service: Service, messages: number): Promise<GrownSet> {
  const [client] = (await createClients(service.db, 1)) as [Client];
  await service.db.query(
    `update company set created_at = now() - interval '20 days' where id = $1`,
    [client.companyId],
  );
  await prepareHistory(service, client, messages);
  await prepareCodes(service, client, CODES_FROM, CODES);
  const slugs = await prepareLinks(service.db, client);
  const common = { port: service.port, connections: 64, keys: [client.key] };
  const blocks: Block[] = [
    { ...common, name: 'send', kind: 'send', numbers: { next: 1 } },
    { ...common, name: 'verify', kind: 'verify', numbers: { next: CODES_FROM } },
    { ...common, name: 'redirect', kind: 'redirect', slugs, numbers: { next: 1 } },
  ];
  const set = { service, client, messages, blocks };
  // The first page of the overview counts the past; that is done once, and in steps.
  while ((await overview(set)).hours_to_count > 0);
  return set;
}

type Options = {
  rounds: number;
  seconds: number;
  isChosen(name: string): boolean;
  say(line: string): void;
};
/** How many a second with each set, in the order of the sets. */
type Measure = (sets: readonly GrownSet[], seconds: number) => Promise<number[]>;

/** One table: how many a second with each set, and the ratio of the two. */
export async function measureGrowth(
  client: LoadClient,
  sets: readonly GrownSet[],
  { rounds, seconds, isChosen, say }: Options,
): Promise<string> {
  const load = (name: string) =>
    oneAfterAnother(async ({ service, blocks }, forSeconds) => {
      const block = blocks.find((one) => one.name === name) as Block;
      return (await measure(client, service, block, forSeconds)).perSecond;
    });
  const measures: Readonly<Record<string, Measure>> = {
    send: load('send'),
    verify: load('verify'),
    'receipt by reference': inTurns((set) => receipts(set, byReference)),
    'receipt by provider id': inTurns((set) => receipts(set, byProviderId)),
    redirect: load('redirect'),
    list: inTurns((set) => timed(1, () => list(set))),
    overview: inTurns((set) => timed(1, () => overview(set))),
    cleaning: oneAfterAnother(cleanedPerSecond),
  };
  const found = new Map<string, number[][]>();
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const [name, measureAll] of Object.entries(measures)) {
      if (!isChosen(name)) continue;
      const isForwards = round % 2 === 0;
      const row = await measureAll(isForwards ? sets : sets.toReversed(), seconds);
      if (!isForwards) row.reverse();
      say(`  ${name}: ${row.map((one) => Math.round(one).toLocaleString('en')).join(' and ')}/s`);
      if (round > 0) found.set(name, [...(found.get(name) ?? []), row]);
    }
  }
  return tableOf(found);
}

/** For what needs some time to get going. */
function oneAfterAnother(measureOne: (set: GrownSet, seconds: number) => Promise<number>): Measure {
  return async (sets, seconds) => {
    const row: number[] = [];
    for (const set of sets) {
      await Promise.all(sets.map(({ service }) => service.settleDown()));
      row.push(await measureOne(set, seconds));
    }
    return row;
  };
}

type Timed = { count: number; ms: number };

/** A little with one set, a little with the other: whatever else the machine does, both feel it. */
function inTurns(work: (set: GrownSet) => Promise<Timed>): Measure {
  return async (sets, seconds) => {
    await Promise.all(sets.map(({ service }) => service.settleDown()));
    const sums = sets.map(() => ({ count: 0, ms: 0 }));
    while (sums.some(({ ms }) => ms < seconds * 1_000)) {
      for (const [at, set] of sets.entries()) {
        const { count, ms } = await work(set);
        const sum = sums[at] as Timed;
        sum.count += count;
        sum.ms += ms;
      }
    }
    return sums.map(({ count, ms }) => (count * 1_000) / ms);
  };
}

async function timed(count: number, work: () => Promise<unknown>): Promise<Timed> {
  const startedAt = performance.now();
  await work();
  return { count, ms: performance.now() - startedAt };
}

function tableOf(found: ReadonlyMap<string, readonly number[][]>): string {
  const sizes = GROWTH_SIZES.map((size) => `${size.toLocaleString('en')}`);
  const rows = [...found].map(([name, rounds]) => {
    const ratios = rounds.map(([small = Number.NaN, large = Number.NaN]) => large / small);
    const perSecond = GROWTH_SIZES.map((_, at) => median(rounds.map((row) => row[at] as number)));
    return [
      name,
      ...perSecond.map((one) => Math.round(one).toLocaleString('en')),
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
      median(ratios) >= RATIO_MIN ? 'reached' : 'MISSED',
    ];
  });
  return columns([
    ['a second, with messages:', ...sizes, 'ratio', 'min-max', `>= ${RATIO_MIN}`],
    ...rows,
  ]);
}

function list({ service, client }: GrownSet) {
  return listMessages(service.db, client.companyId, toQuery({}, new Date()));
}

function overview({ service, client }: GrownSet) {
  const ctx = { db: service.db, clock: systemClock };
  return readOverview(ctx, client.companyId, { range: '24h', isTest: undefined });
}

type Report = (set: GrownSet, ids: readonly MessageId[]) => Promise<unknown>;

const byReference: Report = ({ service, client }, ids) =>
  recordReceipts.run(
    service.db,
    ids.map((messageId) => ({
      ref: { companyId: client.companyId, messageId, attempt: 1 },
      receipt: 'delivered' as const,
    })),
  );

const byProviderId: Report = ({ service }, ids) =>
  recordReceiptsById.run(
    service.db,
    ids.map((id) => ({ providerId: `smsc:${id}`, receipt: 'delivered' as const })),
  );

/** Receipts in batches, as a group of them is written; each of them is news. */
async function receipts(set: GrownSet, report: Report): Promise<Timed> {
  const rows = await set.service.db.query<{ id: MessageId }>(
    `select id from message where company_id = $1 and provider_id = 'past' order by id desc limit $2`,
    [set.client.companyId, MESSAGES_REPORTED],
  );
  const ids = rows.map(({ id }) => id);
  await forgetReceipts(set, ids);
  return await timed(ids.length, async () => {
    for (let from = 0; from < ids.length; from += RECEIPTS_PER_BATCH) {
      await report(set, ids.slice(from, from + RECEIPTS_PER_BATCH));
    }
  });
}

async function forgetReceipts({ service, client }: GrownSet, ids: readonly MessageId[]) {
  await service.db.query(
    `update message set receipt = null, receipt_at = null, delivered_at = null
     where company_id = $1 and id = any ($2::uuid[])`,
    [client.companyId, ids],
  );
  await service.db.query('update provider_ref set receipt = null where provider_id = any ($1)', [
    ids.map((id) => `smsc:${id}`),
  ]);
}

const config = readConfig({});
const log = pino({ level: 'silent' });

/** Rows that are removed in a second, where the same share of the tables is outdated. */
async function cleanedPerSecond({ service, messages }: GrownSet): Promise<number> {
  // A run walks over a part of a large table, so those of the last time may still be there.
  const name = newId(Date.now());
  const count = messages * OUTDATED_SHARE;
  await service.db.maintain(async (own) => {
    await own.query(
      `insert into gate (company_id, recipient, kind, recent)
       select -$1::bigint, n, 'otp', array[now() - interval '25 hours'] from generate_series(1, $2::integer) as n`,
      [timeOfId(name).getTime(), count],
    );
    await own.query(
      `insert into code (key_id, phone, purpose, company_id, message_id, expires_at)
       select -1, n, $1::text, -1, $1::text::uuid, now() - interval '25 hours' from generate_series(1, $2::integer) as n`,
      [name, count],
    );
    await own.query(
      `insert into provider_ref (provider_id, created_at)
       select $1::text || n, now() - interval '8 days' from generate_series(1, $2::integer) as n`,
      [name, count],
    );
  });
  const startedAt = performance.now();
  const removed = await removeOutdated(
    { db: service.db, config, log },
    new AbortController().signal,
  );
  const took = performance.now() - startedAt;
  await tidyUp(service.connection);
  return (Object.values(removed).reduce((sum, one) => sum + one, 0) * 1_000) / took;
}
