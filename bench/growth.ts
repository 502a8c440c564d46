/**
 * `npm run bench -- --growth`: the same traffic on a small and on a large history, with both
 * services up at once and measured in turn. Both have the same number of messages in the last day;
 * provider ids, recent sends, codes, links and clicks are in proportion to the history.
 */
import pino from 'pino';
import { readConfig } from '../server/src/config/config.ts';
import { recordReceiptsById } from '../server/src/delivery/provider-id-store.ts';
import { recordReceipts } from '../server/src/delivery/receipt-store.ts';
import { type MessageId, newId, timeOfId } from '../server/src/ids.ts';
import { removeOutdated } from '../server/src/jobs/remove-outdated.ts';
import { listMessages } from '../server/src/messages/list-messages.ts';
import { toQuery } from '../server/src/messages/message-query.ts';
import { readOverview } from '../server/src/messages/read-overview.ts';
import { type Block, measure, median } from './measure.ts';
import type { LoadClient } from './processes.ts';
import { overviewContext } from './reads.ts';
import { columns } from './report.ts';
import {
  type Client,
  createClients,
  prepareCodes,
  prepareHistory,
  prepareLinks,
  type Service,
  vacuumTables,
} from './service.ts';

export const GROWTH_SIZES = [10_000, 2_000_000] as const;
const RATIO_MIN = 0.9;

const CODES = 200_000;
const CODES_FROM = 500_000_000;
const RECEIPTS_PER_BATCH = 64;
/** Receipts arrive for the newest messages. */
const MESSAGES_REPORTED = 1_024;
/** The share of recent sends, codes and provider ids that one cleanup run finds outdated. */
const OUTDATED_SHARE = 0.02;

export type GrownSet = { service: Service; client: Client; messages: number; blocks: Block[] };

/** Prepares a service with this many past messages. */
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
  // The first overviews count the history, once and in steps; that must not be measured.
  while ((await overview(set)).hours_to_count > 0);
  return set;
}

type Options = {
  rounds: number;
  seconds: number;
  isChosen(name: string): boolean;
  say(line: string): void;
};
/** Operations per second on each set, in the order of the sets. */
type Measure = (sets: readonly GrownSet[], seconds: number) => Promise<number[]>;

/** One table: operations per second on each set, and the ratio of the two. */
export async function measureGrowth(
  client: LoadClient,
  sets: readonly GrownSet[],
  { rounds, seconds, isChosen, say }: Options,
): Promise<string> {
  const load = (name: string) =>
    sequentially(async ({ service, blocks }, forSeconds) => {
      const block = blocks.find((one) => one.name === name) as Block;
      return (await measure(client, service, block, forSeconds)).perSecond;
    });
  const measures: Readonly<Record<string, Measure>> = {
    send: load('send'),
    verify: load('verify'),
    'receipt by reference': interleaved((set) => receipts(set, byReference)),
    'receipt by provider id': interleaved((set) => receipts(set, byProviderId)),
    redirect: load('redirect'),
    list: interleaved((set) => timed(1, () => list(set))),
    overview: interleaved((set) => timed(1, () => overview(set))),
    cleaning: sequentially(cleanupPerSecond),
  };
  const results = new Map<string, number[][]>();
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const [name, measureAll] of Object.entries(measures)) {
      if (!isChosen(name)) continue;
      const isForwards = round % 2 === 0;
      const row = await measureAll(isForwards ? sets : sets.toReversed(), seconds);
      if (!isForwards) row.reverse();
      say(`  ${name}: ${row.map((one) => Math.round(one).toLocaleString('en')).join(' and ')}/s`);
      if (round > 0) results.set(name, [...(results.get(name) ?? []), row]);
    }
  }
  return formatTable(results);
}

/** Measures the sets one after another, for loads that need time to warm up. */
function sequentially(measureOne: (set: GrownSet, seconds: number) => Promise<number>): Measure {
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

/** Alternates between the sets in small steps, so that noise of the machine affects both. */
function interleaved(work: (set: GrownSet) => Promise<Timed>): Measure {
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

function formatTable(results: ReadonlyMap<string, readonly number[][]>): string {
  const sizes = GROWTH_SIZES.map((size) => `${size.toLocaleString('en')}`);
  const rows = [...results].map(([name, rounds]) => {
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
  const ctx = overviewContext(service.db);
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

/** Records receipts in batches, as group commit does. Each one changes its message. */
async function receipts(set: GrownSet, report: Report): Promise<Timed> {
  const rows = await set.service.db.query<{ id: MessageId }>(
    `select id from message where company_id = $1 and provider_id = 'past' order by id desc limit $2`,
    [set.client.companyId, MESSAGES_REPORTED],
  );
  const ids = rows.map(({ id }) => id);
  await resetReceipts(set, ids);
  return await timed(ids.length, async () => {
    for (let from = 0; from < ids.length; from += RECEIPTS_PER_BATCH) {
      await report(set, ids.slice(from, from + RECEIPTS_PER_BATCH));
    }
  });
}

async function resetReceipts({ service, client }: GrownSet, ids: readonly MessageId[]) {
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

/** Rows removed per second, with the same share of the tables outdated in each set. */
async function cleanupPerSecond({ service, messages }: GrownSet): Promise<number> {
  // A run covers only part of a large table, so rows of earlier rounds may remain. Hence a unique
  // name per round.
  const name = newId(Date.now());
  const count = messages * OUTDATED_SHARE;
  await service.db.maintain(async (own) => {
    await own.query(
      `insert into recent_sends (company_id, recipient, kind, recent)
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
  await vacuumTables(service.connection);
  return (Object.values(removed).reduce((sum, one) => sum + one, 0) * 1_000) / took;
}
