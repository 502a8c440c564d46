import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Outcome } from './channel.ts';
import type { CircuitState } from './circuit.ts';

/** What the operator sees of each provider: how much it gets, what comes of it, how long it takes. */
export type Figures = {
  attempt(provider: string, outcome: Outcome['result'], seconds: number): void;
  /** A message that was not given to the provider at all. */
  skip(provider: string, why: 'open circuit' | 'too many at once'): void;
  watch(provider: string, read: () => { circuit: CircuitState; inFlight: number }): void;
};

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export function createFigures(registry: Registry): Figures {
  const registers = [registry];
  const attempts = new Counter({
    name: 'zhiber_provider_attempts_total',
    help: 'Messages given to a provider, by outcome.',
    labelNames: ['provider', 'outcome'] as const,
    registers,
  });
  const duration = new Histogram({
    name: 'zhiber_provider_seconds',
    help: 'How long a provider takes to answer.',
    labelNames: ['provider'] as const,
    buckets: SECONDS,
    registers,
  });
  const skipped = new Counter({
    name: 'zhiber_provider_skipped_total',
    help: 'Messages not given to a provider, by reason.',
    labelNames: ['provider', 'reason'] as const,
    registers,
  });
  const watched = new Map<string, () => { circuit: CircuitState; inFlight: number }>();
  new Gauge({
    name: 'zhiber_provider_circuit_open',
    help: 'Whether messages are kept away from a provider.',
    labelNames: ['provider'] as const,
    registers,
    collect() {
      for (const [provider, read] of watched) this.set({ provider }, +(read().circuit === 'open'));
    },
  });
  new Gauge({
    name: 'zhiber_provider_in_flight',
    help: 'Messages a provider has not answered yet.',
    labelNames: ['provider'] as const,
    registers,
    collect() {
      for (const [provider, read] of watched) this.set({ provider }, read().inFlight);
    },
  });

  return {
    attempt(provider, outcome, seconds) {
      attempts.inc({ provider, outcome });
      duration.observe({ provider }, seconds);
    },
    skip: (provider, reason) => skipped.inc({ provider, reason }),
    watch: (provider, read) => watched.set(provider, read),
  };
}
