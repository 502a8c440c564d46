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
const MESSAGES_REPORTED = 5_000;
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

type Options = { rounds: number; seconds: number; say(line: string): void };
/** How many a second. */
type Measure = (set: GrownSet, seconds: number) => Promise<number>;

/** One table: how many a second with each set, and the ratio of the two. */
export async function measureGrowth(
  client: LoadClient,
  sets: readonly GrownSet[],
  { rounds, seconds, say }: Options,
): Promise<string> {
  const loaded = (name: string): Measure => {
    return async (set, forSeconds) => {
      const block = set.blocks.find((one) => one.name === name) as Block;
      return (await measure(client, set.service, block, forSeconds)).perSecond;
    };
  };
  const measures: Readonly<Record<string, Measure>> = {
    send: loaded('send'),
    verify: loaded('verify'),
    'receipt by reference': (set, forSeconds) => receiptsPerSecond(set, forSeconds, byReference),
    'receipt by provider id': (set, forSeconds) => receiptsPerSecond(set, forSeconds, byProviderId),
    redirect: loaded('redirect'),
    list: (set, forSeconds) => inARow(() => list(set), forSeconds),
    overview: (set, forSeconds) => inARow(() => overview(set), forSeconds),
    cleaning: cleanedPerSecond,
  };
  const found = new Map<string, number[][]>();
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const [name, measureOne] of Object.entries(measures)) {
      const figures = new Map<GrownSet, number>();
      for (const set of round % 2 === 0 ? sets : sets.toReversed()) {
        await Promise.all(sets.map(({ service }) => service.settleDown()));
        figures.set(set, await measureOne(set, seconds));
      }
      const row = sets.map((set) => figures.get(set) as number);
      say(`  ${name}: ${row.map((one) => Math.round(one).toLocaleString('en')).join(' and ')}/s`);
      if (round > 0) found.set(name, [...(found.get(name) ?? []), row]);
    }
  }
  return tableOf(found);
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

async function inARow(work: () => Promise<unknown>, seconds: number): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    await work();
    count += 1;
  }
  return (count * 1_000) / (performance.now() - startedAt);
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
async function receiptsPerSecond(set: GrownSet, seconds: number, report: Report): Promise<number> {
  const { db } = set.service;
  const rows = await db.query<{ id: MessageId }>(
    `select id from message where company_id = $1 and provider_id = 'past' order by id desc limit $2`,
    [set.client.companyId, MESSAGES_REPORTED],
  );
  const ids = rows.map(({ id }) => id);
  let count = 0;
  let took = 0;
  while (took < seconds * 1_000) {
    await forgetReceipts(set, ids);
    const startedAt = performance.now();
    for (let from = 0; from < ids.length; from += RECEIPTS_PER_BATCH) {
      await report(set, ids.slice(from, from + RECEIPTS_PER_BATCH));
    }
    took += performance.now() - startedAt;
    count += ids.length;
  }
  return (count * 1_000) / took;
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
       select -1, n, $1, -1, $1::uuid, now() - interval '25 hours' from generate_series(1, $2::integer) as n`,
      [name, count],
    );
    await own.query(
      `insert into provider_ref (provider_id, created_at)
       select $1 || n, now() - interval '8 days' from generate_series(1, $2::integer) as n`,
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
