import { type Block, measure, median } from './measure.ts';
import type { LoadClient } from './processes.ts';
import { type Client, createClients, prepareLinks, type Service } from './service.ts';

/** How many processes of the service are compared, each with a database of its own. */
export const PROCESS_COUNTS = [1, 2, 4];

type Options = { rounds: number; seconds: number; say(line: string): void };

/**
 * The same load for one process and for several on one port. The load client, the processes and
 * PostgreSQL share the cores of this machine, so the ratios say what more processes gain here.
 */
export async function measureProcessCounts(
  load: LoadClient,
  start: (settings: Record<string, string>) => Promise<Service>,
  { rounds, seconds, say }: Options,
): Promise<string> {
  const sets: { count: number; service: Service; blocks: Block[]; speeds: Map<Block, number[]> }[] =
    [];
  for (const count of PROCESS_COUNTS) {
    const service = await start({ PROCESSES: String(count) });
    const blocks = await blocksOf(service);
    sets.push({ count, service, blocks, speeds: new Map(blocks.map((block) => [block, []])) });
  }
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const { count, service, blocks, speeds } of round % 2 === 0 ? sets : sets.toReversed()) {
      for (const block of blocks) {
        await service.settleDown();
        const { perSecond, p99 } = await measure(load, service, block, seconds);
        if (round > 0) speeds.get(block)?.push(perSecond);
        say(`  ${count}: ${block.name}: ${Math.round(perSecond)}/s, p99 ${p99.toFixed(1)} ms`);
      }
    }
  }
  const [single, ...others] = sets.map(({ count, blocks, speeds }) =>
    blocks.map((block) => ({
      count,
      name: block.name,
      perSecond: median(speeds.get(block) ?? []),
    })),
  );
  return (single ?? [])
    .map(({ name, perSecond }, i) => {
      const more = others.map((blocks) => {
        const other = blocks[i];
        const ratio = (other?.perSecond ?? Number.NaN) / perSecond;
        return `${other?.count} processes ${Math.round(other?.perSecond ?? 0)}/s (${ratio.toFixed(2)})`;
      });
      return `${name}: 1 process ${Math.round(perSecond)}/s, ${more.join(', ')}`;
    })
    .join('\n');
}

async function blocksOf(service: Service): Promise<Block[]> {
  const [client] = (await createClients(service.db, 1)) as [Client];
  const slugs = await prepareLinks(service.db, client);
  const common = { port: service.port, keys: [client.key], numbers: { next: 1 } };
  return [
    { ...common, name: 'send, 64 connections', kind: 'send', connections: 64 },
    { ...common, name: 'send, 256 connections', kind: 'send', connections: 256 },
    { ...common, name: 'redirect, 64 connections', kind: 'redirect', connections: 64, slugs },
  ];
}
