/** P3: a provider that goes on failing is left alone but for a probe a second, and then used again. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { codeIn, until } from './fault-service.ts';
import type { Line } from './lines.ts';
import type { Trial } from './trial.ts';

const FAILURES_MAX = 5;
const PROBE_EVERY_MS = 1_000;
const WATCHED_MS = 2_300;
const SEND_EVERY_MS = 50;
/** Between the clocks of two processes. */
const TOLERANCE_MS = 50;

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
  for (let failures = 0; failures < FAILURES_MAX; failures++) assert.equal(await send(), 504);
  assert.equal(await isOpen(), true);
  assert.equal(calls().length, before + FAILURES_MAX);

  const answers: number[] = [];
  for (const end = performance.now() + WATCHED_MS; performance.now() < end; ) {
    answers.push(await send());
    await pause(SEND_EVERY_MS);
  }
  const probes = answers.filter((status) => status === 504).length;
  assert.ok(probes >= 1 && probes <= WATCHED_MS / PROBE_EVERY_MS, `${probes} probes`);
  assert.deepEqual(new Set(answers), new Set([502, 504]), 'the others are told at once');
  assertApart(calls().slice(before + FAILURES_MAX - 1), probes + 1);
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

function assertApart(times: readonly number[], count: number): void {
  assert.equal(times.length, count, 'every other send was kept away');
  for (const [i, time] of times.entries()) {
    const gapMs = time - (times[i - 1] ?? 0);
    assert.ok(gapMs >= PROBE_EVERY_MS - TOLERANCE_MS, `two calls within ${gapMs} ms`);
  }
}
