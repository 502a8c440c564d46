/**
 * What every provider over HTTP comes to when its other side breaks, and what the simulator has
 * taken by then.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { HTTP_FORMS, type Plan } from '../../../../simulators/frame/plan.ts';
import type { Outcome } from '../../../src/channels/channel.ts';
import { nobodysUrl } from './local-server.ts';
import { codeMessage, soon, whenReached } from './messages.ts';
import type { Rig } from './open-rig.ts';

type Result = Outcome['result'];
type Fault = {
  plan: Plan;
  /** The outcomes that are true to what happened. */
  results: readonly Result[];
  /** How many messages the simulator believes to be on their way. */
  taken: number;
};

/** What never answers, or never to the end. */
const ENDLESS: Readonly<Record<string, Fault>> = {
  'no answer': { plan: { does: 'hang' }, results: ['unknown'], taken: 1 },
  'no answer, and nothing taken': {
    plan: { does: 'hang', isTaken: false },
    results: ['unknown'],
    taken: 0,
  },
  'an answer that drips': { plan: { does: 'drip' }, results: ['unknown'], taken: 1 },
};

/** What an error with a success's status means differs from provider to provider. */
const FORMS = HTTP_FORMS.filter((form) => form !== 'error_body');
const QUICK: Readonly<Record<string, Fault>> = {
  'a reset before the answer': { plan: { does: 'reset_before' }, results: ['unknown'], taken: 0 },
  'a reset within the answer': { plan: { does: 'reset_during' }, results: ['unknown'], taken: 1 },
  'a reset after the answer': {
    plan: { does: 'reset_after' },
    // The reset may overtake the answer.
    results: ['accepted', 'unknown'],
    taken: 1,
  },
  '500 although the message was taken': {
    plan: { does: 'fail', code: 500, isTaken: true },
    results: ['unknown'],
    taken: 1,
  },
  ...statusFaults({
    302: 'unknown',
    429: 'unavailable',
    500: 'unknown',
    502: 'unknown',
    503: 'unknown',
  }),
  ...Object.fromEntries(
    FORMS.map((form) => [
      `an answer of the form ${form}`,
      { plan: { does: 'malformed', form }, results: ['unknown'], taken: 1 } as const,
    ]),
  ),
};

/** Faults that are over at once. */
export const QUICK_FAULTS: readonly Plan[] = Object.values(QUICK).map(({ plan }) => plan);

function statusFaults(results: Readonly<Record<number, Result>>): Record<string, Fault> {
  const faults = Object.entries(results).map(([code, result]): [string, Fault] => {
    const plan: Plan = { does: 'fail', code: Number(code), retryAfter: 3 };
    return [code, { plan, results: [result], taken: 0 }];
  });
  return Object.fromEntries(faults);
}

type Open = (t: TestContext, changes?: { settings?: { url?: string } }) => Promise<Rig>;

/** `statuses` are those that not all providers understand alike. */
export function testFaults(open: Open, statuses: Readonly<Record<number, Result>> = {}): void {
  const testAll = (
    faults: Readonly<Record<string, Fault>>,
    giveUp: (rig: Rig) => AbortSignal = () => soon(),
  ) => {
    for (const [name, fault] of Object.entries(faults)) {
      test(`${name}: ${fault.results.join(' or ')}, ${fault.taken} taken`, async (t) =>
        tryFault(fault, await open(t), giveUp));
    }
  };
  // They wait and do not work, so that they can wait together.
  describe('a fault without an end', { concurrency: 3 }, () =>
    testAll(ENDLESS, ({ simulator }) => whenReached(simulator)),
  );

  describe('a fault on the way', () => {
    testAll({ ...QUICK, ...statusFaults(statuses) });

    test('nobody listening: unavailable', async (t) => {
      const { provider } = await open(t, { settings: { url: await nobodysUrl() } });
      assert.deepEqual(await provider.send(codeMessage(), soon()), {
        result: 'unavailable',
        reason: 'Провайдер недоступен',
      });
      const { ok, detail } = await provider.check(soon());
      assert.equal(ok, false);
      assert.match(detail, /could not be reached \(ECONNREFUSED\)\.$/);
    });

    test('called off before it began: unavailable, and not sent', async (t) => {
      const { provider, simulator } = await open(t);
      const before = simulator.journal.lines.length;
      const outcome = await provider.send(codeMessage(), AbortSignal.abort());
      assert.equal(outcome.result, 'unavailable');
      assert.equal(simulator.journal.lines.length, before);
    });

    test('a message after a fault goes out', async (t) => {
      const { provider, simulator } = await open(t);
      simulator.plans.add({ does: 'reset_during', times: 1, receipts: [] });
      assert.equal((await provider.send(codeMessage(), soon())).result, 'unknown');
      const next = await provider.send(codeMessage({ text: 'Код 112233' }), soon());
      assert.equal(next.result, 'accepted');
    });
  });
}

async function tryFault(
  { plan, results, taken }: Fault,
  rig: Rig,
  giveUp: (rig: Rig) => AbortSignal,
): Promise<void> {
  const { provider, simulator } = rig;
  const before = simulator.journal.taken().length;
  simulator.plans.add({ ...plan, receipts: [] });
  const outcome = await provider.send(codeMessage(), giveUp(rig));
  assert.ok(results.includes(outcome.result), JSON.stringify(outcome));
  const sent = simulator.journal.taken().slice(before);
  assert.equal(sent.length, taken);
  if (outcome.result === 'accepted') assert.equal(outcome.providerId, sent[0]?.id);
  else assert.match(outcome.reason, /[а-я]/);
}
