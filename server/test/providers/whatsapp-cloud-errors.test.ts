import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../../src/channels/channel.ts';
import { type Answered, testAnswers } from './rig/answers.ts';
import { QUICK_FAULTS, testFaults } from './rig/faults.ts';
import { codeMessage, soon } from './rig/messages.ts';
import { openCloudRig, SECRETS } from './whatsapp-cloud-rig.ts';

type Result = Outcome['result'];

/** Every code that the fact sheet names, by what it has to come to. */
const CODES: Partial<Record<Result, readonly number[]>> = {
  unavailable: [
    0, 190, 3, 10, 200, 250, 299, 131005, 4, 80007, 130429, 131048, 133016, 33, 133010, 131045,
    131042, 131057, 131031, 368,
  ],
  refused: [
    100, 131008, 131009, 131021, 131026, 131047, 131049, 131050, 131051, 130497, 131062, 130472,
    132000, 132012, 132001, 132005, 132007, 132015, 132016, 135000, 131056,
  ],
  unknown: [1, 2, 131000, 131016, 133004],
};

describe("Meta's codes", () => {
  for (const [result, codes] of Object.entries(CODES)) {
    for (const code of codes) {
      test(`${code} is ${result}, with words for people`, async (t) => {
        const { provider, simulator } = await openCloudRig(t);
        simulator.plans.add({ does: 'refuse', code });
        const outcome = await provider.send(codeMessage(), soon());
        assert.equal(outcome.result, result);
        assert.ok(outcome.result !== 'accepted');
        assert.match(outcome.reason, /[а-я]/);
        assert.doesNotMatch(outcome.reason, /код \d|undefined|planned/);
        assert.deepEqual(simulator.journal.taken(), []);
      });
    }
  }

  const SAID: Record<number, string> = {
    190: 'WhatsApp не принимает ключ доступа',
    131042: 'Не оплачен аккаунт WhatsApp',
    131026: 'У этого номера нет WhatsApp, или он не может принять сообщение',
    132001: 'Нет одобренного шаблона WhatsApp на этом языке',
  };
  for (const [code, reason] of Object.entries(SAID)) {
    test(`${code} says «${reason}»`, async (t) => {
      const { provider, simulator } = await openCloudRig(t);
      simulator.plans.add({ does: 'refuse', code });
      const outcome = await provider.send(codeMessage(), soon());
      assert.equal('reason' in outcome && outcome.reason, reason);
    });
  }

  test('a code that nobody knows is a refusal that names it', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    simulator.plans.add({ does: 'refuse', code: 139999 });
    assert.deepEqual(await provider.send(codeMessage(), soon()), {
      result: 'refused',
      reason: 'WhatsApp отказал в отправке (код 139999)',
    });
  });

  test('a wrong token comes to nothing sent', async (t) => {
    const settings = { token: 'another' };
    const { provider, simulator } = await openCloudRig(t, { settings });
    assert.deepEqual(await provider.send(codeMessage(), soon()), {
      result: 'unavailable',
      reason: 'WhatsApp не принимает ключ доступа',
    });
    assert.deepEqual(simulator.journal.taken(), []);
  });
});

testFaults(openCloudRig, { 401: 'unknown', 403: 'unknown' });

describe('the way to Meta', () => {
  test('a slow answer in time is an answer', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    simulator.plans.add({ does: 'accept', delayMs: 200 });
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
  });

  test('no outcome tells the credentials', async (t) => {
    const { provider, simulator } = await openCloudRig(t);
    const told: Outcome[] = [];
    const refusals = [190, 100, 139999].map((code) => ({ does: 'refuse', code }) as const);
    for (const plan of [...QUICK_FAULTS, ...refusals]) {
      simulator.plans.add({ ...plan, times: 1 });
      told.push(await provider.send(codeMessage(), soon()));
    }
    for (const secret of Object.values(SECRETS)) {
      assert.ok(!JSON.stringify(told).includes(secret));
    }
  });
});

describe('answers that contradict themselves', () => {
  const sent = { messages: [{ id: 'wamid.X' }] };
  const ANSWERS: Answered[] = [
    [201, sent, 'accepted'],
    [302, sent, 'unknown'],
    [400, sent, 'unknown'],
    [500, sent, 'unknown'],
    [200, { error: { code: 131026 } }, 'unknown'],
    [200, { messages: [{ id: '' }] }, 'unknown'],
    [200, { messages: [{ id: 7 }] }, 'unknown'],
    [200, { messages: [null] }, 'unknown'],
    [200, { messages: {} }, 'unknown'],
    [500, { error: { code: 139999 } }, 'unknown'],
    [400, { error: { code: '131026' } }, 'unknown'],
    [400, { error: null }, 'unknown'],
    [400, '<html>', 'unknown'],
    [403, '<html>', 'unknown'],
    [429, { error: { code: 139999 } }, 'unavailable'],
  ];
  testAnswers(ANSWERS, openCloudRig);
});
