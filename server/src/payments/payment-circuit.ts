import type { Logger } from 'pino';
import { createCircuit } from '../runtime/circuit.ts';
import type { PaymentProvider } from './payment.ts';

/**
 * Wraps a provider in a circuit breaker, so that neither people nor the checks of orders wait for
 * one that is down. While it is open, a refund is not sent and can be tried again.
 */
export function withCircuit(provider: PaymentProvider, log: Logger): PaymentProvider {
  const circuit = createCircuit(() => performance.now());
  const { create, readStatus, refund } = provider;

  const record = (isGood: boolean, why: string | undefined) => {
    const before = circuit.state();
    circuit.record(isGood);
    if (circuit.state() === before) return;
    const fields = { provider: provider.name, why };
    if (before === 'open') log.warn(fields, 'circuit closed: payment provider works again');
    else log.error(fields, 'circuit opened: payment provider fails, one probe a second');
  };
  const reason = 'Провайдер временно отключён из-за сбоев';

  return {
    ...provider,
    circuit: circuit.state,
    async create(order, signal) {
      if (!circuit.admits()) return { result: 'unavailable', reason };
      const created = await create(order, signal);
      const isGood = created.result !== 'unavailable';
      record(isGood, 'reason' in created ? created.reason : undefined);
      return created;
    },
    ...(readStatus && {
      async readStatus(order, signal) {
        if (!circuit.admits()) return { state: 'unclear', reason };
        const status = await readStatus(order, signal);
        const isGood = status.state !== 'unclear' || status.hasAnswered === true;
        record(isGood, 'reason' in status ? status.reason : undefined);
        return status;
      },
    }),
    ...(refund && {
      async refund(request, signal) {
        if (!circuit.admits()) return { result: 'unclear', reason };
        const outcome = await refund(request, signal);
        record(outcome.result !== 'unclear', 'reason' in outcome ? outcome.reason : undefined);
        return outcome;
      },
    }),
  };
}
