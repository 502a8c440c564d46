import type { Calls, LoadResult } from './load-plan.ts';
import type { LoadClient } from './processes.ts';
import type { Service } from './service.ts';

/** One kind of load that is measured again and again, in turn with the others. */
export type Block = {
  name: string;
  port: number;
  connections: number;
  kind: Calls['kind'];
  keys: readonly string[];
  slugs?: readonly string[];
  /** Numbers that make its calls different from all before; blocks of one kind share it. */
  numbers: { next: number };
};

export type Measured = LoadResult & {
  /** Processor time for each call, in microseconds. */
  serverMicros: number;
  databaseMicros: number;
};

/** Until the connections are open and no longer ask in step. */
const LEAD_IN_SECONDS = 0.5;

export async function measure(
  client: LoadClient,
  service: Service,
  { numbers, ...block }: Block,
  seconds: number,
): Promise<Measured> {
  await service.settleDown();
  const before = service.used();
  const [result] = await client.run({
    port: block.port,
    connections: block.connections,
    seconds,
    leadInSeconds: LEAD_IN_SECONDS,
    calls: [{ kind: block.kind, from: numbers.next, keys: block.keys, slugs: block.slugs ?? [] }],
  });
  if (result === undefined) throw new Error(`${block.name} was not measured`);
  const after = service.used();
  numbers.next += result.asked;
  const odd = Object.keys(result.statuses).filter((status) => !['200', '302'].includes(status));
  if (odd.length > 0) {
    throw new Error(`${block.name}: unexpected answers ${JSON.stringify(result.statuses)}`);
  }
  const micros = (part: 'server' | 'database') =>
    ((after[part] - before[part]) * 1e6) / result.asked;
  return { ...result, serverMicros: micros('server'), databaseMicros: micros('database') };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
