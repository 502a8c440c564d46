import pg from 'pg';
import { type Block, measure } from './measure.ts';
import type { LoadClient } from './processes.ts';
import { columns } from './report.ts';
import { createClients, type Service } from './service.ts';

const BLOCKS_HELD = 6;

/** Sends of one company before, while and after somebody holds a snapshot of the database. */
export async function measureSnapshot(
  client: LoadClient,
  service: Service,
  { seconds, say }: { seconds: number; say(line: string): void },
): Promise<string> {
  const [company] = await createClients(service.db, 1);
  if (company === undefined) throw new Error('no company');
  const block: Block = {
    name: 'send',
    kind: 'send',
    port: service.port,
    connections: 64,
    keys: [company.key],
    numbers: { next: 1 },
  };
  const rows: string[][] = [];
  const send = async (name: string) => {
    const { perSecond, p50, p99, databaseMicros } = await measure(client, service, block, seconds);
    const cells = [perSecond, p50, p99, databaseMicros].map((one) => one.toFixed(0));
    say(`  ${name}: ${cells.join(' ')}`);
    rows.push([name, ...cells]);
  };
  await send('warming up');
  await send('no snapshot');
  const holder = new pg.Client(service.connection);
  await holder.connect();
  await holder.query('begin isolation level repeatable read');
  await holder.query('select txid_current_snapshot()');
  for (let at = 1; at <= BLOCKS_HELD; at++) await send(`held for ${at * seconds} s`);
  await holder.end();
  await send('just ended');
  await send('afterwards');
  return columns([
    ['sends of one company', 'a second', 'p50 ms', 'p99 ms', 'database µs'],
    ...rows,
  ]);
}
