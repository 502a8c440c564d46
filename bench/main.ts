/**
 * `npm run bench`: starts everything, measures in alternating blocks, and compares. Machines differ
 * and are noisy, so only the ratios within one run are meaningful.
 *
 *   --rounds N   how often each block is measured, after a warm-up round (5)
 *   --seconds N  how long a block takes (4)
 *   --only TEXT  only blocks whose name begins with one of these, separated by ;
 *   --quick      without the long history and the soak test
 *   --reads      only the cabinet's reads, for a company with a million messages and webhook events
 *   --growth     only the speed of everything with 2,000,000 messages, compared with 10,000
 *   --months     only the speed of everything with 20,000,000 messages in past months, compared with 1,000,000
 *   --broadcasts only broadcasts: their rate, their memory, and codes beside them
 *   --against D  only sends, verifications and redirects, in turn with the checkout in the folder D
 *   --snapshot   only sends of one company while somebody holds a snapshot of the database
 *   --bytes      only what a send and a verification write to the disk, by table
 *   --processes  only sends and redirects by 1, 2 and 4 processes on one port
 *   --webhooks   only what an endpoint of webhooks costs a send and a verification
 *   --json       one JSON object instead of the tables
 */
import { parseArgs } from 'node:util';
import { compareWith } from './against.ts';
import { measureBroadcasts } from './broadcasts.ts';
import { measureBytes } from './bytes.ts';
import { GROWTH_SIZES, type GrownSet, measureGrowth, prepareSet } from './growth.ts';
import { type Block, type Measured, measure } from './measure.ts';
import { MONTH_SETS, type MonthsSet, measureMonths, prepareMonths } from './months.ts';
import { measureProcessCounts } from './process-counts.ts';
import { endProcesses, type LoadClient, startBaseline, startLoadClient } from './processes.ts';
import { PROVIDER_BLOCK_NAMES, providerBlocks, startProviderService } from './provider-blocks.ts';
import { measureReads, prepareReads } from './reads.ts';
import { compare, formatReport, summarizeRounds } from './report.ts';
import {
  type Client,
  createClients,
  prepareCodes,
  prepareHistory,
  prepareLinks,
  type Service,
  startService,
} from './service.ts';
import { measureSnapshot } from './snapshot.ts';
import { soak } from './soak.ts';
import { measureWebhooks } from './webhooks.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    reads: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    months: { type: 'boolean', default: false },
    broadcasts: { type: 'boolean', default: false },
    against: { type: 'string' },
    snapshot: { type: 'boolean', default: false },
    bytes: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
    webhooks: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const COMPANIES = 200;
const CODES = 250_000;
const CODES_FROM = 500_000_000;
const SOAK_MINUTES = 5;

const say = (line: string) => process.stderr.write(`${line}\n`);
const listKeys = (clients: readonly Client[]) => clients.map((client) => client.key);
const services: Service[] = [];

async function start(more: Record<string, string> = {}): Promise<Service> {
  // The flood of sign-ins comes from many networks.
  const settings = {
    TRUST_PROXY: '127.0.0.1',
    // Deliveries are work of their own.
    ...(options.webhooks ? { ROLE: 'api' } : {}),
    ...more,
  };
  const service = await startService({ isWalFilled: true, settings });
  services.push(service);
  return service;
}

/** The service with simulated channels, and the baselines. */
async function mainBlocks(service: Service, companies: Client[], numbers: { next: number }) {
  const one = companies.slice(0, 1) as [Client];
  await prepareCodes(service, one[0], CODES_FROM, CODES);
  const slugs = await prepareLinks(service.db, one[0]);
  const echo = await startBaseline('echo-server.ts', { BENCH_KEYS: JSON.stringify(listKeys(one)) });
  const naive = await startBaseline('naive-server.ts', {
    BENCH_DATABASE: JSON.stringify(service.connection),
    BENCH_CLIENTS: JSON.stringify(companies),
  });
  const common = { port: service.port, connections: 64, keys: listKeys(one), numbers };
  const send = { ...common, kind: 'send' } as const;
  const blocks: Block[] = [
    { ...send, name: 'echo, 64 connections', port: echo.port },
    { ...send, name: 'send, 64 connections' },
    { ...send, name: 'send, 200 companies', keys: listKeys(companies) },
    { ...send, name: 'echo, 256 connections', port: echo.port, connections: 256 },
    { ...send, name: 'send, 256 connections', connections: 256 },
    {
      ...common,
      name: 'verify, 64 connections',
      kind: 'verify',
      numbers: { next: CODES_FROM },
    },
    { ...common, name: 'shorten, 64 connections', kind: 'shorten' },
    { ...common, name: 'redirect, 64 connections', kind: 'redirect', slugs },
    { ...send, name: 'naive, 64 connections', port: naive.port },
    { ...send, name: 'send, 500/s', ratePerSecond: 500 },
    { ...send, name: 'send, 500/s beside sign-ins', ratePerSecond: 500, isFlooded: true },
  ];
  return blocks.map((block) => ({ service, block }));
}

/** A service with a history of this many messages. */
async function historyBlocks(messages: number) {
  const service = await start();
  const [client] = (await createClients(service.db, 1)) as [Client];
  await prepareHistory(service, client, messages);
  await prepareCodes(service, client, CODES_FROM, CODES);
  const common = { port: service.port, connections: 64, keys: [client.key] };
  const past = `${messages.toLocaleString('en')} past`;
  const blocks: Block[] = [
    { ...common, name: `send, ${past}`, kind: 'send', numbers: { next: 1 } },
    { ...common, name: `verify, ${past}`, kind: 'verify', numbers: { next: CODES_FROM } },
  ];
  return blocks.map((block) => ({ service, block }));
}

/** Sends through HTTP providers. */
async function startProviderBlocks(): Promise<ServiceBlock[]> {
  const started = await startProviderService();
  services.push(started.service);
  return providerBlocks(started).map((block) => ({ service: started.service, block }));
}

type ServiceBlock = { service: Service; block: Block };

function isChosen(name: string): boolean {
  return options.only.split(';').some((word) => name.startsWith(word));
}

/** Measures the blocks in turn, back and forth, so that no block always follows the same one. */
async function measureAlternating(client: LoadClient, blocks: readonly ServiceBlock[]) {
  const chosen = blocks.filter(({ block }) => isChosen(block.name));
  const rounds = new Map<string, Measured[]>(chosen.map(({ block }) => [block.name, []]));
  for (let round = 0; round <= Number(options.rounds); round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${options.rounds}`);
    for (const { service, block } of round % 2 === 0 ? chosen : chosen.toReversed()) {
      // Pending work of another service would slow this one down.
      await Promise.all(services.map((one) => one.settleDown()));
      const result = await measure(client, service, block, Number(options.seconds));
      if (round > 0) rounds.get(block.name)?.push(result);
      say(`  ${block.name}: ${Math.round(result.perSecond)}/s, p99 ${result.p99.toFixed(1)} ms`);
    }
  }
  return rounds;
}

async function bench() {
  const client = startLoadClient();
  const service = await start();
  const companies = await createClients(service.db, COMPANIES);
  const numbers = { next: 1 };
  const rounds = await measureAlternating(client, [
    ...(await mainBlocks(service, companies, numbers)),
    ...(PROVIDER_BLOCK_NAMES.some(isChosen) ? await startProviderBlocks() : []),
  ]);
  const soaked = options.quick
    ? undefined
    : await soak(client, service, companies[0] as Client, numbers, SOAK_MINUTES);
  if (!options.quick) {
    say('preparing a history of 1,000,000 messages');
    const past = [...(await historyBlocks(10_000)), ...(await historyBlocks(1_000_000))];
    for (const [name, measured] of await measureAlternating(client, past))
      rounds.set(name, measured);
  }
  if (options.json) {
    console.log(
      JSON.stringify({
        figures: summarizeRounds(rounds),
        ratios: compare(rounds),
        soak: soaked ?? null,
      }),
    );
    return;
  }
  console.log(`\n${formatReport(rounds)}`);
  if (soaked !== undefined) {
    console.log(
      `\n${soaked.minutes} minutes of sends, ${Math.round(soaked.perSecond)}/s: memory ` +
        `${soaked.earlyMegabytes.toFixed(0)} MB in the second minute, ` +
        `${soaked.lateMegabytes.toFixed(0)} MB in the last, ratio ${soaked.ratio.toFixed(2)}`,
    );
  }
}

async function benchReads() {
  const service = await start();
  const [client] = (await createClients(service.db, 1)) as [Client];
  say('preparing a history of 1,000,000 messages');
  await prepareReads(service, client);
  console.log(await measureReads(service.db, client));
}

async function benchGrowth() {
  const client = startLoadClient();
  const sets: GrownSet[] = [];
  for (const messages of GROWTH_SIZES) {
    say(`preparing ${messages.toLocaleString('en')} messages`);
    sets.push(await prepareSet(await start(), messages));
  }
  const rounds = Number(options.rounds);
  const seconds = Number(options.seconds);
  console.log(await measureGrowth(client, sets, { rounds, seconds, isChosen, say }));
}

async function benchMonths() {
  const client = startLoadClient();
  const sets: MonthsSet[] = [];
  for (const size of MONTH_SETS) {
    say(`preparing ${(size.months * size.perMonth).toLocaleString('en')} messages`);
    sets.push(await prepareMonths(await start(), size, say));
  }
  const rounds = Number(options.rounds);
  const seconds = Number(options.seconds);
  console.log(await measureMonths(client, sets, { rounds, seconds, say }));
}

async function benchBroadcasts() {
  const rounds = Number(options.rounds);
  const seconds = Number(options.seconds);
  console.log(await measureBroadcasts(startLoadClient(), { rounds, seconds, say }));
}

async function benchSnapshot() {
  const seconds = Number(options.seconds);
  console.log(await measureSnapshot(startLoadClient(), await start(), { seconds, say }));
}

async function benchWebhooks() {
  const rounds = Number(options.rounds);
  const seconds = Number(options.seconds);
  console.log(await measureWebhooks(startLoadClient(), await start(), { rounds, seconds, say }));
}

async function benchProcessCounts() {
  const rounds = Number(options.rounds);
  const seconds = Number(options.seconds);
  console.log(await measureProcessCounts(startLoadClient(), start, { rounds, seconds, say }));
}

async function benchAgainst(folder: string) {
  const rounds = Number(options.rounds);
  const seconds = Number(options.seconds);
  const onStart = (service: Service) => void services.push(service);
  const load = startLoadClient();
  console.log(await compareWith(load, folder, { rounds, seconds, isChosen, say, onStart }));
}

try {
  if (options.against !== undefined) await benchAgainst(options.against);
  else if (options.growth) await benchGrowth();
  else if (options.months) await benchMonths();
  else if (options.broadcasts) await benchBroadcasts();
  else if (options.snapshot) await benchSnapshot();
  else if (options.bytes) console.log(await measureBytes(startLoadClient(), await start(), say));
  else if (options.processes) await benchProcessCounts();
  else if (options.webhooks) await benchWebhooks();
  else await (options.reads ? benchReads() : bench());
} finally {
  endProcesses();
  for (const service of services) await service.stop();
}
