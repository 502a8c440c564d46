import type { Outcome } from './channel.ts';
import { type Circuit, createCircuit } from './circuit.ts';
import type { Figures } from './figures.ts';
import type { Provider } from './provider.ts';

/** More than a provider can have under way; what comes on top would only wait for the others. */
const IN_FLIGHT_MAX = 256;

/** The same provider, which is left alone while it does not work, and never given too much. */
export function guard(provider: Provider, figures: Figures): Provider {
  const circuit = createCircuit(() => performance.now());
  let inFlight = 0;
  figures.watch(provider.name, () => ({ circuit: circuit.state(), inFlight }));

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
        note(circuit, outcome);
        figures.attempt(provider.name, outcome.result, (performance.now() - startedMs) / 1_000);
        return outcome;
      } finally {
        inFlight -= 1;
      }
    },
  };
}

/** A provider that says no to a message works. */
function note(circuit: Circuit, { result }: Outcome): void {
  circuit.record(result === 'accepted' || result === 'refused');
}
