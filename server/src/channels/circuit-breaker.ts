import type { Logger } from 'pino';
import { createCircuit } from '../runtime/circuit.ts';
import { createBulkRoom } from './bulk-room.ts';
import type { Outcome, OutgoingMessage } from './channel.ts';
import type { Provider, ProviderStatus } from './provider.ts';
import type { ProviderMetrics } from './provider-metrics.ts';

export type CircuitBreakerTools = { metrics: ProviderMetrics; log: Logger };

/** Messages in flight per provider. Any more would only wait behind the others. */
export const IN_FLIGHT_MAX = 256;
const UNCLEAR: ProviderStatus = { known: 'unclear' };

/**
 * Wraps a provider in a circuit breaker and an in-flight limit, of which bulk messages get what
 * others leave. Sends and status queries have a
 * circuit each, because one may fail while the other works.
 */
export function withCircuitBreaker(
  provider: Provider,
  { metrics, log }: CircuitBreakerTools,
): Provider {
  const circuit = createCircuit(() => performance.now());
  const statusCircuit = createCircuit(() => performance.now());
  const { readStatus } = provider;
  const room = createBulkRoom(Math.min(IN_FLIGHT_MAX, provider.inFlightMax ?? IN_FLIGHT_MAX));
  metrics.watch(provider, () => ({
    circuit: circuit.state(),
    inFlight: room.inFlight,
    state: provider.state?.(),
    receipts: provider.receipts?.(),
  }));

  /** A refusal by the provider counts as a success: it answered. */
  const recordOutcome = (outcome: Outcome, { isBulk }: OutgoingMessage) => {
    if (outcome.result === 'unknown' && outcome.isConnectionLost) return;
    if ('isNotOffered' in outcome && outcome.isNotOffered) return;
    // A limit that bulk messages have reached must not keep codes away from the provider.
    if (outcome.result === 'unavailable' && isBulk) return;
    const before = circuit.state();
    circuit.record(outcome.result === 'accepted' || outcome.result === 'refused');
    if (circuit.state() === before) return;
    const fields = { provider: provider.name, ...('reason' in outcome && { why: outcome.reason }) };
    if (before === 'open') log.warn(fields, 'circuit closed: provider works again');
    else log.error(fields, 'circuit opened: provider fails, one probe a second');
  };

  return {
    ...provider,
    get carries() {
      return provider.carries;
    },
    async send(message, signal) {
      if (message.isBulk && !(await room.enterBulk(signal))) {
        metrics.skip(provider.name, 'too many at once');
        return { result: 'unavailable', reason: 'Провайдер занят более срочными сообщениями' };
      }
      if (!message.isBulk) {
        if (room.inFlight >= IN_FLIGHT_MAX) {
          metrics.skip(provider.name, 'too many at once');
          return { result: 'unavailable', reason: 'Провайдер перегружен' };
        }
        room.enter();
      }
      try {
        if (!circuit.admits()) {
          metrics.skip(provider.name, 'open circuit');
          return { result: 'unavailable', reason: 'Провайдер временно отключён из-за сбоев' };
        }
        const startedMs = performance.now();
        const outcome = await provider.send(message, signal);
        recordOutcome(outcome, message);
        metrics.attempt(provider.name, outcome.result, (performance.now() - startedMs) / 1_000);
        return outcome;
      } finally {
        room.leave(message);
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
