import type { Calls, LoadResult } from './load-plan.ts';
import { type LoadClient, processorSeconds, type SlowProvider } from './processes.ts';
import type { Service } from './service.ts';

/** Calls of one kind, each with a number that makes it different from all before. */
export type Asking = Omit<Calls, 'from'> & {
  /** Askings of one kind share it. */
  numbers: { next: number };
};

/** One kind of load that is measured again and again, in turn with the others. */
export type Block = Asking & {
  name: string;
  port: number;
  connections: number;
  /** Calls a second of each kind, whatever the answers do; absent: as fast as they are answered. */
  ratePerSecond?: number;
  /** Asked at the same time, and not measured. */
  beside?: Asking;
  /** How long which provider takes during this block. */
  providers?: readonly { provider: SlowProvider; delayMs: number }[];
};

export type Measured = LoadResult & {
  /** Processor time for each call, in microseconds. */
  serverMicros: number;
  databaseMicros: number;
  /** How much of a processor the busiest provider has used; near 1 it is what was measured. */
  providerShare: number;
};

/** Until the connections are open and no longer ask in step. */
const LEAD_IN_SECONDS = 0.5;

export async function measure(
  client: LoadClient,
  service: Service,
  block: Block,
  seconds: number,
): Promise<Measured> {
  const { name, port, connections, ratePerSecond, beside, providers = [] } = block;
  for (const { provider, delayMs } of providers) await provider.setDelay(delayMs);
  const askings = beside === undefined ? [block] : [block, beside];
  const usedByProviders = () => providers.map(({ provider }) => processorSeconds(provider.pid));
  const before = { ...service.used(), providers: usedByProviders() };
  const results = await client.run({
    port,
    connections,
    seconds,
    leadInSeconds: LEAD_IN_SECONDS,
    ...(ratePerSecond !== undefined && { ratePerSecond: ratePerSecond * askings.length }),
    calls: askings.map(toCalls),
  });
  const after = { ...service.used(), providers: usedByProviders() };
  for (const [at, { asked }] of results.entries()) (askings[at] as Asking).numbers.next += asked;
  const [result] = results;
  if (result === undefined) throw new Error(`${name} was not measured`);
  refuseOddAnswers(name, results);
  const asked = results.reduce((sum, one) => sum + one.asked, 0);
  const micros = (part: 'server' | 'database') => ((after[part] - before[part]) * 1e6) / asked;
  const shares = after.providers.map(
    (used, at) => (used - (before.providers[at] ?? 0)) / (seconds + LEAD_IN_SECONDS),
  );
  return {
    ...result,
    serverMicros: micros('server'),
    databaseMicros: micros('database'),
    providerShare: Math.max(0, ...shares),
  };
}

function toCalls({ kind, keys, slugs = [], channel, secret, numbers }: Asking): Calls {
  return {
    kind,
    from: numbers.next,
    keys,
    slugs,
    ...(channel !== undefined && { channel }),
    ...(secret !== undefined && { secret }),
  };
}

function refuseOddAnswers(name: string, results: readonly LoadResult[]): void {
  for (const { statuses } of results) {
    const odd = Object.keys(statuses).filter((status) => !['200', '302'].includes(status));
    if (odd.length > 0) throw new Error(`${name}: unexpected answers ${JSON.stringify(statuses)}`);
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
