/** `npm run bench`: everything is started here, measured in alternating blocks, and compared. */
import { parseArgs } from 'node:util';
import type { Calls, LoadPlan, LoadResult } from './load-plan.ts';
import { endProcesses, processorSeconds, startBaseline, startLoadClient } from './processes.ts';
import { createClients, prepareCodes, prepareLinks, startService } from './service.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});

const say = (line: string) => process.stderr.write(`${line}\n`);
const service = await startService();
const companies = await createClients(service.db, 200);
const one = companies.slice(0, 1);
const keysOf = (list: typeof companies) => list.map((client) => client.key);
say('preparing');
await prepareCodes(service.db, one[0]!, 500_000_000, 300_000);
const slugs = await prepareLinks(service.db, one[0]!);
const echo = await startBaseline('echo-server.ts', { BENCH_KEYS: JSON.stringify(keysOf(one)) });
const naive = await startBaseline('naive-server.ts', {
  BENCH_DATABASE: JSON.stringify(service.connection),
  BENCH_CLIENTS: JSON.stringify(companies),
});
const client = startLoadClient();
const froms: Record<string, number> = { send: 1, verify: 500_000_000, shorten: 1, redirect: 0 };
type Block = {
  name: string;
  port: number;
  connections: number;
  kind: Calls['kind'];
  keys: string[];
};
const blocks: Block[] = [
  { name: 'echo 64', port: echo.port, connections: 64, kind: 'send', keys: keysOf(one) },
  { name: 'send 64', port: service.port, connections: 64, kind: 'send', keys: keysOf(one) },
  {
    name: 'send 64 c200',
    port: service.port,
    connections: 64,
    kind: 'send',
    keys: keysOf(companies),
  },
  { name: 'echo 256', port: echo.port, connections: 256, kind: 'send', keys: keysOf(one) },
  { name: 'send 256', port: service.port, connections: 256, kind: 'send', keys: keysOf(one) },
  { name: 'verify 64', port: service.port, connections: 64, kind: 'verify', keys: keysOf(one) },
  { name: 'shorten 64', port: service.port, connections: 64, kind: 'shorten', keys: keysOf(one) },
  { name: 'redirect 64', port: service.port, connections: 64, kind: 'redirect', keys: keysOf(one) },
  { name: 'naive 64', port: naive.port, connections: 64, kind: 'send', keys: keysOf(one) },
];
/** Receipts come seconds after a send; the next block must not pay for the last one's. */
async function drain() {
  for (let tries = 0; tries < 40; tries++) {
    const before = processorSeconds([service.pid, service.postmaster]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (processorSeconds([service.pid, service.postmaster]) - before < 0.04) return;
  }
}
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const block of blocks) {
      if (options.only && !options.only.split(',').some((n) => block.name.startsWith(n))) continue;
      const plan: LoadPlan = {
        port: block.port,
        connections: block.connections,
        seconds: Number(options.seconds),
        calls: [{ kind: block.kind, from: froms[block.kind]!, keys: block.keys, slugs }],
      };
      await drain();
      const s0 = processorSeconds([service.pid]);
      const p0 = processorSeconds([service.postmaster]);
      const [r] = (await client.run(plan)) as [LoadResult];
      froms[block.kind]! += r.asked;
      const cpu = ((processorSeconds([service.pid]) - s0) * 1e6) / r.good;
      const cpuPg = ((processorSeconds([service.postmaster]) - p0) * 1e6) / r.good;
      say(
        `${block.name.padEnd(14)} ${r.perSecond.toFixed(0).padStart(7)}/s p50 ${r.p50.toFixed(1)} p99 ${r.p99.toFixed(1)} cpu µs node ${cpu.toFixed(0)} pg ${cpuPg.toFixed(0)} ${JSON.stringify(r.statuses)}`,
      );
    }
  }
} finally {
  endProcesses();
  await service.stop();
}
