import type { Logger } from 'pino';
import type { Outcome } from './channel.ts';
import { createCircuit } from './circuit.ts';
import type { Figures } from './figures.ts';
import type { Provider, ProviderStatus } from './provider.ts';

export type ProtectTools = { figures: Figures; log: Logger };

/** More than a provider can have under way; what comes on top would only wait for the others. */
const IN_FLIGHT_MAX = 256;
const UNCLEAR: ProviderStatus = { known: 'unclear' };

/**
 * The same provider, which is left alone while it does not work, and never given too much. Messages
 * and questions have a circuit each: one may work while the other does not.
 */
export function protect(provider: Provider, { figures, log }: ProtectTools): Provider {
  const circuit = createCircuit(() => performance.now());
  const questions = createCircuit(() => performance.now());
  const { readStatus } = provider;
  let inFlight = 0;
  figures.watch(provider, () => ({ circuit: circuit.state(), inFlight }));

  /** A provider that says no to a message works. */
  const note = (outcome: Outcome) => {
    if (outcome.result === 'unknown' && outcome.isLinkLost) return;
    const before = circuit.state();
    circuit.record(outcome.result === 'accepted' || outcome.result === 'refused');
    if (circuit.state() === before) return;
    const facts = { provider: provider.name, ...('reason' in outcome && { why: outcome.reason }) };
    if (before === 'open') log.warn(facts, 'a provider works again');
    else log.error(facts, 'a provider does not work, and is left alone but for a try a second');
  };

  return {
    ...provider,
    async send(message, signal) {
      if (inFlight >= IN_FLIGHT_MAX) {
        figures.skip(provider.name, 'too many at once');
        return { result: 'unavailable', reason: 'Провайдер перегружен' };
      }
      if (!circuit.admits()) {
        figures.skip(provider.name, 'open circuit');
        return { result: 'unavailable', reason: 'Провайдер временно отключён из-за сбоев' };
      }
      const startedMs = performance.now();
      inFlight += 1;
      try {
        const outcome = await provider.send(message, signal);
        note(outcome);
        figures.attempt(provider.name, outcome.result, (performance.now() - startedMs) / 1_000);
        return outcome;
      } finally {
        inFlight -= 1;
      }
    },
    ...(readStatus && {
      async readStatus(question, signal) {
        if (!questions.admits()) return UNCLEAR;
        const status = await readStatus(question, signal);
        questions.record(status.known !== 'unclear');
        return status;
      },
    }),
  };
}
