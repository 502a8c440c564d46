/** P3: a provider that goes on failing is left alone but for a probe a second, and then used again. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { codeIn, until } from './fault-service.ts';
import type { Line } from './lines.ts';
import type { Trial } from './trial.ts';

const FAILURES_MAX = 5;
const PROBE_EVERY_MS = 1_000;
/** So many are watched. */
const PROBES = 2;
const SEND_EVERY_MS = 50;

/** Counted by the journal, although nothing good is answered. */
const FAILS: Plan = { does: 'fail', code: 500, isTaken: true, receipts: [] };
/** ESME_RSYSERR, which says nothing of the message. */
const FAILS_FRAMED: Plan = { does: 'fail', code: 0x08 };

export const BREAKER: Trial = {
  column: 'P3',
  name: 'the circuit',
  async run(line) {
    const { send, isOpen } = watch(line);
    const { plans } = line.provider;
    plans.add(line.isFramed === true ? FAILS_FRAMED : FAILS);
    try {
      await assertLeftAlone(line);
    } finally {
      plans.clear();
    }
    await until(send, (status) => status === 200);
    assert.equal(await isOpen(), false);
    await line.sendWell();
  },
};

/** Nobody hears of the provider's failures but those who go there to see whether it works. */
async function assertLeftAlone(line: Line): Promise<void> {
  const { send, calls, isOpen } = watch(line);
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
  // When a call arrives says nothing of when it left: a busy machine may bring two together.
  const openMs = performance.now() - since;
  assert.ok(openMs >= PROBES * PROBE_EVERY_MS, `${PROBES} probes in ${openMs} ms`);
  assert.deepEqual(new Set(answers), new Set([502, 504]), 'the others are told at once');
  const arrived = calls().length - before - FAILURES_MAX;
  assert.equal(arrived, PROBES, 'every other send was kept away');
}

function watch({ service, provider, name, send }: Line) {
  return {
    send: async () => (await send()).status,
    isOpen: async () => (await service.figuresOf(name)).circuit === 'open',
    /** When messages came to the provider. */
    calls: () =>
      provider.journal.lines
        .filter(
          (one) =>
            one.event === 'refused' || (one.event === 'taken' && codeIn(one.text) !== undefined),
        )
        .map(({ at }) => Date.parse(at)),
  };
}
