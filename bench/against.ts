/**
 * Compares this checkout with another one, such as the commit before. Both services are up at once,
 * each with its own data, and measured in turn in short blocks: a machine that is slow for a while is
 * slow for both. The other checkout's own code starts and fills its service.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Block, type Measured, measure, median } from './measure.ts';
import type { LoadClient } from './processes.ts';
import * as own from './service.ts';

/** A slowdown of up to 2 % is within the noise. */
const RATIO_MIN = 0.98;
const CODES_FROM = 500_000_000;
/** More than can be verified in the time of a round. */
const CODES_PER_SECOND = 14_000;

type Side = { service: own.Service; blocks: Block[] };
type Options = {
  rounds: number;
  seconds: number;
  isChosen(name: string): boolean;
  say(line: string): void;
};

export async function compareWith(
  load: LoadClient,
  folder: string,
  options: Options & { onStart(service: own.Service): void },
): Promise<string> {
  const file = path.resolve(folder, 'bench/service.ts');
  const other = (await import(pathToFileURL(file).href)) as typeof own;
  const sides: Side[] = [];
  for (const [name, tools] of Object.entries({ here: own, there: other })) {
    options.say(`preparing ${name}`);
    const service = await tools.startService({ isWalFilled: true });
    options.onStart(service);
    sides.push({ service, blocks: await prepareBlocks(tools, service, options) });
    await mixRequests(service.port);
  }
  const [here, there] = sides as [Side, Side];
  const lines: string[] = [];
  for (const [at, { name }] of here.blocks.entries()) {
    if (!options.isChosen(name)) continue;
    const rounds = await measureBoth(load, { here, there }, at, options);
    lines.push(describe(name, rounds));
  }
  return lines.join('\n');
}

/**
 * Requests of every kind, as a real service gets them all the time: V8 would make code that has only
 * ever seen one kind of request faster than it can be in use.
 */
async function mixRequests(port: number): Promise<void> {
  const site = `http://127.0.0.1:${port}`;
  const paths = [
    '/',
    '/login',
    '/api/health',
    '/s/no-such-link',
    '/api/docs/openapi.json',
    '/nowhere',
  ];
  for (let i = 0; i < 50; i++) {
    for (const path of paths) {
      for (const method of ['GET', 'HEAD']) {
        await (await fetch(`${site}${path}`, { method, redirect: 'manual' })).arrayBuffer();
      }
    }
  }
}

async function prepareBlocks(
  tools: typeof own,
  service: own.Service,
  { rounds, seconds }: Options,
): Promise<Block[]> {
  const [client] = (await tools.createClients(service.db, 1)) as [own.Client];
  const codes = CODES_PER_SECOND * seconds * (rounds + 1);
  await tools.prepareCodes(service, client, CODES_FROM, codes);
  const slugs = await tools.prepareLinks(service.db, client);
  const common = { port: service.port, connections: 64, keys: [client.key] };
  return [
    { ...common, name: 'send', kind: 'send', numbers: { next: 1 } },
    { ...common, name: 'verify', kind: 'verify', numbers: { next: CODES_FROM } },
    { ...common, name: 'redirect', kind: 'redirect', slugs, numbers: { next: 1 } },
  ];
}

type Rounds = { here: Measured[]; there: Measured[] };

async function measureBoth(
  load: LoadClient,
  sides: { here: Side; there: Side },
  at: number,
  { rounds, seconds, say }: Options,
): Promise<Rounds> {
  const measured: Rounds = { here: [], there: [] };
  for (let round = 0; round <= rounds; round++) {
    const names = ['here', 'there'] as const;
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { service, blocks } = sides[name];
      // Both: what one has left to do would slow the other.
      await Promise.all(Object.values(sides).map((side) => side.service.settleDown()));
      const block = blocks[at] as Block;
      const result = await measure(load, service, block, seconds);
      say(`${block.name} ${name}: ${Math.round(result.perSecond)}/s`);
      // The first round warms up.
      if (round > 0) measured[name].push(result);
    }
  }
  return measured;
}

function describe(name: string, { here, there }: Rounds): string {
  const ratioOf = (read: (one: Measured) => number) =>
    median(here.map((one, i) => read(one) / read(there[i] as Measured)));
  const ratio = ratioOf(({ perSecond }) => perSecond);
  const speed = (side: readonly Measured[]) => Math.round(median(side.map((one) => one.perSecond)));
  return (
    `${name}: ${speed(here)}/s here, ${speed(there)}/s there, ratio ${ratio.toFixed(3)}; processor ` +
    `time of the server ${ratioOf(({ serverMicros }) => serverMicros).toFixed(3)}, of the database ` +
    `${ratioOf(({ databaseMicros }) => databaseMicros).toFixed(3)}` +
    `${ratio >= RATIO_MIN ? '' : `  MISSED ${RATIO_MIN}`}`
  );
}
