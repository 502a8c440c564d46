import type { Calls, LoadResult } from './load-plan.ts';
import { type LoadClient, processorSeconds, type SlowProvider } from './processes.ts';
import type { Service } from './service.ts';
import { startSignInFlood } from './sign-in-flood.ts';

/** A series of calls of one kind, each with a number that makes it unique. */
export type CallSeries = Omit<Calls, 'from'> & {
  /** Shared by all series of one kind. */
  numbers: { next: number };
};

/** One kind of load, measured repeatedly in turn with the others. */
export type Block = CallSeries & {
  name: string;
  port: number;
  connections: number;
  /** Open loop: calls per second of each kind. Absent: as fast as they are answered. */
  ratePerSecond?: number;
  /** Called at the same time, but not measured. */
  background?: CallSeries;
  /** Passwords are being guessed at the same time. */
  isFlooded?: boolean;
  /** The latency of each provider during this block. */
  providers?: readonly { provider: SlowProvider; delayMs: number }[];
};

export type Measured = LoadResult & {
  /** Processor time per call, in microseconds. */
  serverMicros: number;
  databaseMicros: number;
  /** The processor share of the busiest provider; near 1 the provider was the bottleneck. */
  providerShare: number;
};

/** Until the connections are open and no longer send in step. */
const LEAD_IN_SECONDS = 0.5;

export async function measure(
  client: LoadClient,
  service: Service,
  block: Block,
  seconds: number,
): Promise<Measured> {
  const { name, port, connections, ratePerSecond, background, providers = [] } = block;
  for (const { provider, delayMs } of providers) await provider.setDelay(delayMs);
  const series = background === undefined ? [block] : [block, background];
  const usedByProviders = () => providers.map(({ provider }) => processorSeconds(provider.pid));
  const flood = block.isFlooded ? startSignInFlood(port) : undefined;
  const before = { ...service.used(), providers: usedByProviders() };
  const results = await client.run({
    port,
    connections,
    seconds,
    leadInSeconds: LEAD_IN_SECONDS,
    ...(ratePerSecond !== undefined && { ratePerSecond: ratePerSecond * series.length }),
    calls: series.map(toCalls),
  });
  const after = { ...service.used(), providers: usedByProviders() };
  await flood?.stop();
  for (const [at, { callsSent }] of results.entries())
    (series[at] as CallSeries).numbers.next += callsSent;
  const [result] = results;
  if (result === undefined) throw new Error(`${name} was not measured`);
  assertExpectedAnswers(name, results);
  const callsSent = results.reduce((sum, one) => sum + one.callsSent, 0);
  const micros = (part: 'server' | 'database') => ((after[part] - before[part]) * 1e6) / callsSent;
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

function toCalls({ kind, keys, slugs = [], channel, secret, numbers }: CallSeries): Calls {
  return {
    kind,
    from: numbers.next,
    keys,
    slugs,
    ...(channel !== undefined && { channel }),
    ...(secret !== undefined && { secret }),
  };
}

function assertExpectedAnswers(name: string, results: readonly LoadResult[]): void {
  for (const { statuses } of results) {
    const unexpected = Object.keys(statuses).filter((status) => !['200', '302'].includes(status));
    if (unexpected.length > 0) {
      throw new Error(`${name}: unexpected answers ${JSON.stringify(statuses)}`);
    }
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
