import type { Logger } from 'pino';
import { createCircuit } from '../runtime/circuit.ts';
import type { Outcome } from './channel.ts';
import type { Provider, ProviderStatus } from './provider.ts';
import type { ProviderMetrics } from './provider-metrics.ts';

export type CircuitBreakerTools = { metrics: ProviderMetrics; log: Logger };

/** Messages in flight per provider. Any more would only wait behind the others. */
const IN_FLIGHT_MAX = 256;
const UNCLEAR: ProviderStatus = { known: 'unclear' };

/**
 * Wraps a provider in a circuit breaker and an in-flight limit. Sends and status queries have a
 * circuit each, because one may fail while the other works.
 */
export function withCircuitBreaker(
  provider: Provider,
  { metrics, log }: CircuitBreakerTools,
): Provider {
  const circuit = createCircuit(() => performance.now());
  const statusCircuit = createCircuit(() => performance.now());
  const { readStatus } = provider;
  let inFlight = 0;
  metrics.watch(provider, () => ({ circuit: circuit.state(), inFlight }));

  /** A refusal counts as a success: the provider answered. */
  const recordOutcome = (outcome: Outcome) => {
    if (outcome.result === 'unknown' && outcome.isConnectionLost) return;
    const before = circuit.state();
    circuit.record(outcome.result === 'accepted' || outcome.result === 'refused');
    if (circuit.state() === before) return;
    const fields = { provider: provider.name, ...('reason' in outcome && { why: outcome.reason }) };
    if (before === 'open') log.warn(fields, 'circuit closed: provider works again');
    else log.error(fields, 'circuit opened: provider fails, one probe a second');
  };

  return {
    ...provider,
    async send(message, signal) {
      if (inFlight >= IN_FLIGHT_MAX) {
        metrics.skip(provider.name, 'too many at once');
        return { result: 'unavailable', reason: 'Провайдер перегружен' };
      }
      if (!circuit.admits()) {
        metrics.skip(provider.name, 'open circuit');
        return { result: 'unavailable', reason: 'Провайдер временно отключён из-за сбоев' };
      }
      const startedMs = performance.now();
      inFlight += 1;
      try {
        const outcome = await provider.send(message, signal);
        recordOutcome(outcome);
        metrics.attempt(provider.name, outcome.result, (performance.now() - startedMs) / 1_000);
        return outcome;
      } finally {
        inFlight -= 1;
      }
    },
    ...(readStatus && {
      async readStatus(question, signal) {
        if (!statusCircuit.admits()) return UNCLEAR;
        const status = await readStatus(question, signal);
        statusCircuit.record(status.known !== 'unclear');
        return status;
      },
    }),
  };
}
