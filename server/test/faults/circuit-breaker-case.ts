/** P3: a failing provider gets only one probe a second, and is used again when it recovers. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { findCode, waitFor } from './fault-service.ts';
import type { FaultCase, TestedProvider } from './tested-provider.ts';

const FAILURES_MAX = 5;
const PROBE_EVERY_MS = 1_000;
/** How many probes to observe. */
const PROBES = 2;
const SEND_EVERY_MS = 50;

/** `isTaken`, so that the journal counts the calls. */
const FAILS: Plan = { does: 'fail', code: 500, isTaken: true, receipts: [] };
/** ESME_RSYSERR does not say whether the message was sent. */
const SMPP_FAILS: Plan = { does: 'fail', code: 0x08 };

export const CIRCUIT_BREAKER: FaultCase = {
  faultClass: 'P3',
  name: 'the circuit breaker',
  async run(tested) {
    const { send, isOpen } = observe(tested);
    const { plans } = tested.provider;
    plans.add(tested.isSmpp === true ? SMPP_FAILS : FAILS);
    try {
      await assertCircuitOpens(tested);
    } finally {
      plans.clear();
    }
    await waitFor(send, (status) => status === 200);
    assert.equal(await isOpen(), false);
    await tested.sendSuccessfully();
  },
};

/** While the circuit is open, only the probes reach the provider. */
async function assertCircuitOpens(tested: TestedProvider): Promise<void> {
  const { send, calls, isOpen } = observe(tested);
  assert.equal(await isOpen(), false);
  const before = calls().length;
  const since = performance.now();
  for (let failures = 0; failures < FAILURES_MAX; failures++) assert.equal(await send(), 504);
  assert.equal(await isOpen(), true);
  assert.equal(calls().length, before + FAILURES_MAX);

  const answers: number[] = [];
  const probes = () => answers.filter((status) => status === 504).length;
  while (probes() < PROBES) {
    answers.push(await send());
    await pause(SEND_EVERY_MS);
  }
  // Arrival times are not compared: on a busy machine two probes may arrive together.
  const openMs = performance.now() - since;
  assert.ok(openMs >= PROBES * PROBE_EVERY_MS, `${PROBES} probes in ${openMs} ms`);
  assert.deepEqual(
    new Set(answers),
    new Set([502, 504]),
    'sends between the probes must fail at once',
  );
  const arrived = calls().length - before - FAILURES_MAX;
  assert.equal(arrived, PROBES, 'only the probes may reach the provider');
}

function observe({ service, provider, name, send }: TestedProvider) {
  return {
    send: async () => (await send()).status,
    isOpen: async () => (await service.readProviderStats(name)).circuit === 'open',
    /** When messages arrived at the provider. */
    calls: () =>
      provider.journal.lines
        .filter(
          (entry) =>
            entry.event === 'refused' ||
            (entry.event === 'taken' && findCode(entry.text) !== undefined),
        )
        .map(({ at }) => Date.parse(at)),
  };
}
