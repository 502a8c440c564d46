import type { Channel } from '@zhiber/contract/api/channel.ts';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CircuitState } from '../runtime/circuit.ts';
import type { Outcome } from './channel.ts';
import type { Provider, ReceiptCounts } from './provider.ts';
import type { ProviderState } from './provider-state.ts';

/** Metrics of each provider for the operator: attempts, outcomes and latency. */
export type ProviderMetrics = {
  attempt(provider: string, outcome: Result, seconds: number): void;
  /** Counts a message that was never handed to the provider. */
  skip(provider: string, why: SkipReason): void;
  watch(provider: Watched, read: () => LiveState): void;
  /** The same numbers as plain values, for every watched provider. */
  read(): ProviderMetricsRow[];
};

export type ProviderMetricsRow = LiveState & {
  name: string;
  channel: Channel;
  /** Counted since this process started, like all counters here. */
  attempts: Readonly<Record<Result, number>>;
  skipped: Readonly<Record<SkipReason, number>>;
  /** Over the newest 1,000 attempts; undefined before the first. */
  latency: { medianMs: number; p99Ms: number } | undefined;
};

type Watched = Pick<Provider, 'name' | 'channel'>;
type Result = Outcome['result'];
type SkipReason = 'open circuit' | 'too many at once';
type LiveState = {
  circuit: CircuitState;
  inFlight: number;
  /** Undefined for a provider that does not know without a message. */
  state?: ProviderState | undefined;
  /** Undefined for a provider whose receipts carry our reference, or that sends none. */
  receipts?: ReceiptCounts | undefined;
};

const BUCKET_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
/** With 1,000 samples the p99 still rests on ten of them. */
const LATENCIES_MAX = 1_000;

export function createProviderMetrics(registry: Registry): ProviderMetrics {
  const watched = new Map<string, { channel: Channel; read(): LiveState }>();
  const tallies = new Map<string, Tally>();
  const duration = createMetrics(registry, { watched, tallies });
  const tallyOf = (provider: string) => {
    const tally = tallies.get(provider) ?? createTally();
    tallies.set(provider, tally);
    return tally;
  };

  return {
    attempt(provider, outcome, seconds) {
      duration.observe({ provider }, seconds);
      const tally = tallyOf(provider);
      tally.attempts[outcome] += 1;
      tally.latencies.add(seconds);
    },
    skip(provider, reason) {
      tallyOf(provider).skipped[reason] += 1;
    },
    watch: ({ name, channel }, read) => watched.set(name, { channel, read }),
    read: () =>
      [...watched].map(([name, { channel, read }]) => {
        const { attempts, skipped, latencies } = tallyOf(name);
        return {
          name,
          channel,
          ...read(),
          attempts: { ...attempts },
          skipped: { ...skipped },
          latency: latencies.read(),
        };
      }),
  };
}

/**
 * The Prometheus metrics. Counters copy the tallies at each scrape; only durations are recorded
 * separately. Labels are provider names, outcomes and reasons: a few dozen lines at most.
 */
function createMetrics(
  registry: Registry,
  {
    watched,
    tallies,
  }: {
    watched: ReadonlyMap<string, { channel: Channel; read(): LiveState }>;
    tallies: ReadonlyMap<string, Tally>;
  },
): Histogram<'provider'> {
  const registers = [registry];
  new Counter({
    name: 'zhiber_provider_attempts_total',
    help: 'Messages given to a provider, by outcome.',
    labelNames: ['channel', 'provider', 'outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const [provider, { attempts }] of tallies) {
        const channel = watched.get(provider)?.channel ?? '';
        for (const [outcome, n] of Object.entries(attempts))
          if (n > 0) this.inc({ channel, provider, outcome }, n);
      }
    },
  });
  new Counter({
    name: 'zhiber_provider_skipped_total',
    help: 'Messages not given to a provider, by reason.',
    labelNames: ['provider', 'reason'] as const,
    registers,
    collect() {
      this.reset();
      for (const [provider, { skipped }] of tallies) {
        for (const [reason, n] of Object.entries(skipped))
          if (n > 0) this.inc({ provider, reason }, n);
      }
    },
  });
  new Gauge({
    name: 'zhiber_provider_circuit_open',
    aggregator: 'max',
    help: 'Whether messages are kept away from a provider.',
    labelNames: ['provider'] as const,
    registers,
    collect() {
      for (const [provider, { read }] of watched) {
        this.set({ provider }, +(read().circuit === 'open'));
      }
    },
  });
  new Gauge({
    name: 'zhiber_provider_up',
    // Of several processes one may hold the connections, and the others know nothing worse.
    aggregator: 'min',
    help: 'Whether a provider that knows it can carry messages: its link, or its account.',
    labelNames: ['provider'] as const,
    registers,
    collect() {
      for (const [provider, { read }] of watched) {
        const { state } = read();
        if (state !== undefined) this.set({ provider }, +state.isUp);
      }
    },
  });
  new Counter({
    name: 'zhiber_provider_receipts_total',
    help: 'Receipts by what came of them, of a provider that names messages by its own ids.',
    labelNames: ['provider', 'result'] as const,
    registers,
    collect() {
      this.reset();
      for (const [provider, { read }] of watched) {
        for (const [result, n] of Object.entries(read().receipts ?? {}))
          if (n > 0) this.inc({ provider, result }, n);
      }
    },
  });
  new Gauge({
    name: 'zhiber_provider_in_flight',
    help: 'Messages a provider has not answered yet.',
    labelNames: ['provider'] as const,
    registers,
    collect() {
      for (const [provider, { read }] of watched) this.set({ provider }, read().inFlight);
    },
  });
  return new Histogram({
    name: 'zhiber_provider_seconds',
    help: 'How long a provider takes to answer.',
    labelNames: ['provider'] as const,
    buckets: BUCKET_SECONDS,
    registers,
  });
}

type Tally = {
  attempts: Record<Result, number>;
  skipped: Record<SkipReason, number>;
  latencies: Latencies;
};

function createTally(): Tally {
  return {
    attempts: { accepted: 0, refused: 0, unavailable: 0, unknown: 0 },
    skipped: { 'open circuit': 0, 'too many at once': 0 },
    latencies: createLatencies(),
  };
}

type Latencies = { add(seconds: number): void; read(): ProviderMetricsRow['latency'] };

/** A ring buffer: each new sample replaces the oldest. */
function createLatencies(): Latencies {
  const newest: number[] = [];
  let count = 0;
  return {
    add(seconds) {
      newest[count % LATENCIES_MAX] = seconds;
      count += 1;
    },
    read() {
      const sorted = newest.toSorted((a, b) => a - b);
      const ms = (quantile: number) =>
        1_000 * (sorted[Math.ceil(quantile * sorted.length) - 1] as number);
      return sorted.length === 0 ? undefined : { medianMs: ms(0.5), p99Ms: ms(0.99) };
    },
  };
}
