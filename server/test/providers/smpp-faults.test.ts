/** Faults of the connection around one message: what is told of it, and whether it was taken. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import type { SmppSimulator } from '../../../simulators/smpp/smpp.ts';
import { nobodysPort } from './rig/local-server.ts';
import { soon } from './rig/messages.ts';
import { message, openTo, SIDE_BY_SIDE, startCentre, startRig, until } from './smpp-rig.ts';

const QUICK = { responseTimeoutMs: 500 };
const UNKNOWN = { result: 'unknown', reason: 'Оператор SMS не ответил' };
const LOST = { ...UNKNOWN, isLinkLost: true };
const CROWDED = { result: 'refused', reason: 'Оператор SMS не успевает принимать сообщения' };
const UNAVAILABLE = { result: 'unavailable', reason: 'Нет связи с оператором SMS' };

const textsTaken = ({ journal }: SmppSimulator) => journal.taken().map(({ text }) => text);

/** The plan, whether the message reaches the phone, and whether the link is lost. */
const faults: Record<string, [Plan, number, boolean]> = {
  'no response, taken': [{ does: 'hang' }, 1, false],
  'no response, not taken': [{ does: 'hang', isTaken: false }, 0, false],
  'a reset before the message is taken': [{ does: 'reset_before' }, 0, true],
  'a reset within the response': [{ does: 'reset_during' }, 1, true],
  'a response that drips': [{ does: 'drip' }, 1, true],
  'garbage for a response': [{ does: 'malformed', form: 'garbage' }, 1, true],
  'a response to another message': [{ does: 'malformed', form: 'wrong_sequence' }, 1, false],
  'a response to another question': [{ does: 'malformed', form: 'wrong_command' }, 1, true],
  'a response of four gigabytes': [{ does: 'malformed', form: 'huge_length' }, 1, true],
  'a response without a body': [{ does: 'malformed', form: 'empty' }, 1, false],
  'a response with an empty id': [{ does: 'malformed', form: 'no_id' }, 1, false],
  'a response with an id that does not end': [{ does: 'malformed', form: 'unended_id' }, 1, true],
  'a response that is too late': [{ does: 'accept', delayMs: 900 }, 1, false],
};

describe('one message', SIDE_BY_SIDE, () => {
  for (const [what, [plan, takenCount, isLost]] of Object.entries(faults)) {
    test(`${what}: unknown, never repeated, and the next one goes through`, async (t) => {
      const { centre, provider } = await startRig(t, { settings: QUICK });
      centre.plans.add({ ...plan, times: 1 });
      // One that drips is given up before its link is.
      const outcome = isLost && plan.does !== 'drip' ? LOST : UNKNOWN;
      assert.deepEqual(await provider.send(message('код 1'), soon()), outcome);
      assert.equal(centre.journal.taken().length, takenCount);

      if (isLost) await until(() => centre.figures().binds === 2);
      assert.equal((await provider.send(message('код 2'), soon())).result, 'accepted');
      assert.deepEqual(textsTaken(centre), takenCount === 1 ? ['код 1', 'код 2'] : ['код 2']);
      assert.equal(centre.figures().binds, isLost ? 2 : 1);
    });
  }

  test('an end of the connection after the response changes nothing', async (t) => {
    const { centre, provider } = await startRig(t);
    centre.plans.add({ does: 'reset_after', times: 1 });
    const outcome = await provider.send(message('код'), soon());
    assert.deepEqual(outcome, { result: 'accepted', providerId: '180092929' });
    await until(() => centre.figures().binds === 2);
  });

  test('a full window: refused while there is time to ask somebody else, and not sent later', async (t) => {
    const { centre, provider } = await startRig(t, { settings: { window: 1 } });
    centre.plans.add({ does: 'hang', times: 1 });
    const first = provider.send(message('код 1'), soon());
    const signal = soon();
    assert.deepEqual(await provider.send(message('код 2'), signal), CROWDED);
    assert(!signal.aborted);
    assert.deepEqual(await first, UNKNOWN);
    await until(() => centre.figures().binds === 2);
    assert.equal((await provider.send(message('код 3'), soon())).result, 'accepted');
    assert.deepEqual(textsTaken(centre), ['код 1', 'код 3']);
  });

  test('no time left for the response: unknown at once', async (t) => {
    // Nothing but the end of the sender's time can end the wait.
    const { centre, provider } = await startRig(t, { settings: { responseTimeoutMs: 600_000 } });
    centre.plans.add({ does: 'hang' });
    const time = new AbortController();
    const sending = provider.send(message('код'), time.signal);
    await until(() => centre.journal.taken().length === 1);
    time.abort();
    assert.deepEqual(await sending, UNKNOWN);
  });

  test('a link lost between two parts: unknown', async (t) => {
    const { centre, provider } = await startRig(t);
    centre.plans.add({ does: 'reset_before' });
    centre.plans.add({ does: 'accept', times: 1 });
    const outcome = await provider.send(message('я'.repeat(100)), soon());
    assert.equal(outcome.result, 'unknown');
  });
});

describe('the window', SIDE_BY_SIDE, () => {
  test('who gets no place in time has sent nothing', async (t) => {
    const { centre, provider } = await startRig(t, { settings: { window: 2 } });
    centre.plans.add({ does: 'hang' });
    const time = new AbortController();
    const held = [1, 2].map(() => provider.send(message('код'), time.signal));
    await until(() => centre.journal.taken().length === 2);
    assert.deepEqual(await provider.send(message('лишний'), soon(150)), UNAVAILABLE);
    time.abort();
    assert.deepEqual(await Promise.all(held), [UNKNOWN, UNKNOWN]);
    assert.equal(centre.journal.taken().length, 2);
    assert.equal(centre.figures().windowPeak, 2);
  });

  test('a message whose answer is late keeps its place until it comes', async (t) => {
    const { centre, provider } = await startRig(t, {
      centre: { window: 2 },
      // So far apart that a busy machine does not make the prompt answers late as well.
      settings: { window: 2, responseTimeoutMs: 2_000 },
    });
    centre.plans.add({ does: 'accept', delayMs: 5_000, times: 1 });
    assert.deepEqual(await provider.send(message('поздний'), soon()), UNKNOWN);
    centre.plans.add({ does: 'accept', delayMs: 20 });
    const sends = Array.from({ length: 12 }, () => provider.send(message('код'), soon()));
    const results = (await Promise.all(sends)).map(({ result }) => result);
    assert.deepEqual([...new Set(results)], ['accepted']);
    assert.deepEqual([centre.figures().windowPeak, centre.figures().windowBreaches], [2, 0]);
  });

  test('when nobody in it is answered, the link is opened again', async (t) => {
    const settings = { window: 3, responseTimeoutMs: 2_000 };
    const { centre, provider } = await startRig(t, { settings });
    centre.plans.add({ does: 'hang', times: 3 });
    const sends = Array.from({ length: 3 }, () => provider.send(message('код'), soon()));
    assert.deepEqual(await Promise.all(sends), [UNKNOWN, UNKNOWN, UNKNOWN]);
    await until(() => centre.figures().binds === 2);
    assert.equal((await provider.send(message('код'), soon())).result, 'accepted');
  });

  test('who waits when the link is lost has sent nothing, and goes over the next one', async (t) => {
    const { centre, provider } = await startRig(t, { settings: { window: 1 } });
    centre.plans.add({ does: 'hang', times: 1 });
    const sends = ['первый', 'второй'].map((text) => provider.send(message(text), soon()));
    await until(() => centre.journal.taken().length === 1);
    centre.dropConnections();
    const [first, second] = await Promise.all(sends);
    assert.deepEqual([first, second?.result], [LOST, 'accepted']);
    assert.deepEqual(textsTaken(centre), ['первый', 'второй']);
  });

  test('who waits when the link is lost for good is told so, and not one by one', async (t) => {
    const { centre, provider } = await startRig(t, { settings: { window: 1, ratePerSecond: 1 } });
    centre.plans.add({ does: 'hang', times: 1 });
    const first = provider.send(message('первый'), soon());
    await until(() => centre.journal.taken().length === 1);
    // One by one they would have a turn each, a second apart.
    const turns: string[] = [];
    const tick = setInterval(() => turns.push('a second'), 1_000);
    t.after(() => clearInterval(tick));
    const others = Array.from({ length: 5 }, async () => {
      const outcome = await provider.send(message('другой'), soon());
      turns.push('told');
      return outcome;
    });
    await centre.close();
    assert.deepEqual(await first, LOST);
    assert.deepEqual(await Promise.all(others), Array(5).fill(UNAVAILABLE));
    assert.ok(turns.join().includes(Array(5).fill('told').join()), `${turns}`);
  });
});

describe('no link', SIDE_BY_SIDE, () => {
  test('nobody listens: unavailable at once', async (t) => {
    const provider = openTo(await nobodysPort());
    provider.start?.(async () => undefined);
    t.after(() => provider.stop?.());
    const time = new AbortController();
    assert.deepEqual(await provider.send(message('код'), time.signal), UNAVAILABLE);
  });

  test('a wrong password: unavailable, and nothing is submitted', async (t) => {
    const centre = await startCentre(t);
    const provider = openTo(centre.port, { password: 'wrong' });
    provider.start?.(async () => undefined);
    t.after(() => provider.stop?.());
    assert.deepEqual(await provider.send(message('код'), soon()), UNAVAILABLE);
    assert.deepEqual(centre.journal.lines, []);
  });

  test('not started, and stopped: unavailable', async (t) => {
    const centre = await startCentre(t);
    const provider = openTo(centre.port);
    assert.deepEqual(await provider.send(message('код'), soon()), UNAVAILABLE);
    provider.start?.(async () => undefined);
    await until(() => centre.figures().binds === 1);
    await provider.stop?.();
    assert.deepEqual(await provider.send(message('код'), soon()), UNAVAILABLE);
  });

  test('a link that is lost for a moment is waited for', async (t) => {
    const { centre, provider } = await startRig(t);
    centre.dropConnections();
    const outcomes = await Promise.all([
      provider.send(message('код 1'), soon()),
      until(() => centre.figures().binds === 2).then(() => provider.send(message('код 2'), soon())),
    ]);
    assert.equal(outcomes[1].result, 'accepted');
    assert.ok(outcomes.every(({ result }) => result !== 'refused'));
  });
});
