import type { Channel } from '@zhiber/contract/api/channel.ts';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Outcome } from './channel.ts';
import type { CircuitState } from './circuit.ts';
import type { Provider } from './provider.ts';

/** What the operator sees of each provider: how much it gets, what comes of it, how long it takes. */
export type Figures = {
  attempt(provider: string, outcome: Result, seconds: number): void;
  /** A message that was not given to the provider at all. */
  skip(provider: string, why: SkipReason): void;
  watch(provider: Watched, read: () => Present): void;
  /** The same as plain values, of every watched provider. */
  read(): ProviderFigures[];
};

export type ProviderFigures = Present & {
  name: string;
  channel: Channel;
  /** Since the start of this process, as everything that is counted here. */
  attempts: Readonly<Record<Result, number>>;
  skipped: Readonly<Record<SkipReason, number>>;
  /** Of the newest attempts; undefined before the first. */
  latency: { medianMs: number; p99Ms: number } | undefined;
};

type Watched = Pick<Provider, 'name' | 'channel'>;
type Result = Outcome['result'];
type SkipReason = 'open circuit' | 'too many at once';
type Present = { circuit: CircuitState; inFlight: number };

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
/** Enough for the slowest hundredth to mean something. */
const LATENCIES_MAX = 1_000;

export function createFigures(registry: Registry): Figures {
  const watched = new Map<string, { channel: Channel; read(): Present }>();
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
 * For Prometheus, which reads what is counted here anyway; only the durations are counted for it. The
 * labels are names of providers, outcomes and reasons: a few dozen lines at most.
 */
function createMetrics(
  registry: Registry,
  {
    watched,
    tallies,
  }: {
    watched: ReadonlyMap<string, { read(): Present }>;
    tallies: ReadonlyMap<string, Tally>;
  },
): Histogram<'provider'> {
  const registers = [registry];
  new Counter({
    name: 'zhiber_provider_attempts_total',
    help: 'Messages given to a provider, by outcome.',
    labelNames: ['provider', 'outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const [provider, { attempts }] of tallies) {
        for (const [outcome, n] of Object.entries(attempts))
          if (n > 0) this.inc({ provider, outcome }, n);
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
    buckets: SECONDS,
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

type Latencies = { add(seconds: number): void; read(): ProviderFigures['latency'] };

/** Only so many are kept, each in the place of the oldest. */
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
      const ms = (share: number) =>
        1_000 * (sorted[Math.ceil(share * sorted.length) - 1] as number);
      return sorted.length === 0 ? undefined : { medianMs: ms(0.5), p99Ms: ms(0.99) };
    },
  };
}
