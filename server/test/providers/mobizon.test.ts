import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../../src/channels/channel.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { openMobizon } from '../../src/channels/sms/mobizon.ts';
import { systemClock } from '../../src/clock.ts';
import { openMobizonRig, SECRETS } from './mobizon-rig.ts';
import { testAnswers, UNCLEAR } from './rig/answers.ts';
import { testFaults } from './rig/faults.ts';
import { startParrot } from './rig/local-server.ts';
import { codeMessage, PHONE, soon } from './rig/messages.ts';

function ask(provider: Provider, providerId: string | undefined) {
  const { ref } = codeMessage();
  const question = { ref, providerId, to: PHONE, isTest: false, secondsAgo: 30 };
  return provider.readStatus?.(question, soon());
}

function idOf(outcome: Outcome): string {
  assert.ok(outcome.result === 'accepted', JSON.stringify(outcome));
  return outcome.providerId;
}

testFaults(openMobizonRig, { 401: 'unavailable', 403: 'unavailable' });

testAnswers(
  {
    'everything in texts': [
      200,
      { code: '0', data: { messageId: '169', status: '2' } },
      { result: 'accepted', providerId: '169' },
    ],
    'no sending': [200, { code: 0, data: { messageId: 169 } }, UNCLEAR],
    'an odd sending': [200, { code: 0, data: { messageId: 169, status: 3 } }, UNCLEAR],
    'no message': [200, { code: 0, data: { status: 2 } }, UNCLEAR],
    'an odd message': [200, { code: 0, data: { messageId: {}, status: 2 } }, UNCLEAR],
    'no content': [200, { code: 0, data: null }, UNCLEAR],
    'no code': [200, { data: { messageId: 169, status: 2 } }, UNCLEAR],
    'an odd code': [200, { code: { toString: 1 } }, UNCLEAR],
    'a code and the status 500': [500, { code: 1, data: '' }, UNCLEAR],
    'a field that says nothing': [
      200,
      { code: 1, data: { constructor: 'odd' } },
      { result: 'refused', reason: 'Оператор SMS не принял параметры сообщения' },
    ],
    'a sender that is not registered': [
      200,
      { code: 1, data: { from: 'odd' } },
      { result: 'refused', reason: 'Имя отправителя не зарегистрировано у оператора SMS' },
    ],
  },
  openMobizonRig,
);

test('the status of another message says nothing of this one', async (t) => {
  const { url } = await startParrot(t, 200, { code: 0, data: [{ id: 170, status: 'DELIVRD' }] });
  const { provider } = await openMobizonRig(t, { settings: { url } });
  assert.deepEqual(await ask(provider, '169'), { known: 'unclear' });
});

test('a code goes out with the shortest life there is, and its link as it is', async (t) => {
  const { provider, simulator } = await openMobizonRig(t, { settings: { sender: 'ZHIBER' } });
  const text = 'Код 482913 https://zhbr.kz/a?b=1&c=+ қазақша';
  const id = idOf(await provider.send(codeMessage({ load: 'code_with_link', text }), soon()));
  const [taken] = simulator.journal.taken();
  assert.ok(taken);
  assert.deepEqual(
    { id: taken.id, to: taken.to, text: taken.text, details: taken.details },
    {
      id,
      to: '77010000001',
      text,
      details: { from: 'ZHIBER', 'params[validity]': '60', 'params[shortenLinks]': '0' },
    },
  );
});

test('without a sender the account chooses one', async (t) => {
  const { provider, simulator } = await openMobizonRig(t);
  idOf(await provider.send(codeMessage({ load: 'text' }), soon()));
  assert.equal(simulator.journal.taken()[0]?.details?.from, undefined);
});

test('a group is not written to', async (t) => {
  const { provider, simulator } = await openMobizonRig(t);
  assert.equal(
    (await provider.send(codeMessage({ to: { group: '1' } }), soon())).result,
    'refused',
  );
  assert.equal(simulator.journal.lines.length, 0);
});

const CODES: Record<string, Outcome['result']> = {
  1: 'refused',
  2: 'refused',
  3: 'unknown',
  4: 'unavailable',
  5: 'unavailable',
  6: 'unavailable',
  8: 'unavailable',
  9: 'unavailable',
  10: 'unknown',
  11: 'refused',
  12: 'refused',
  13: 'unavailable',
  14: 'unavailable',
  15: 'unknown',
  30: 'unavailable',
  98: 'unknown',
  99: 'refused',
  100: 'unknown',
  999: 'unknown',
  moderation: 'unknown',
};
for (const [code, result] of Object.entries(CODES)) {
  test(`code ${code}: ${result}, with a reason in words`, async (t) => {
    const { provider, simulator } = await openMobizonRig(t);
    simulator.plans.add({ does: 'refuse', code });
    const outcome = await provider.send(codeMessage(), soon());
    assert.equal(outcome.result, result);
    assert.ok(outcome.result !== 'accepted' && /^[А-Я][^\d]{10,}$/.test(outcome.reason));
    assert.equal(simulator.journal.taken().length, 0);
  });
}

test('a code that nobody knows is a refusal, and names itself', async (t) => {
  const { provider, simulator } = await openMobizonRig(t);
  simulator.plans.add({ does: 'refuse', code: 77 });
  assert.deepEqual(await provider.send(codeMessage(), soon()), {
    result: 'refused',
    reason: 'Оператор SMS не принял сообщение (ошибка 77)',
  });
});

test('a wrong number is called so', async (t) => {
  const { provider, simulator } = await openMobizonRig(t);
  simulator.plans.add({ does: 'refuse', code: 1 });
  const outcome = await provider.send(codeMessage(), soon());
  assert.deepEqual(outcome, { result: 'refused', reason: 'Неверный номер телефона' });
});

test('the answer that a person looks at the message says so', async (t) => {
  const { provider, simulator } = await openMobizonRig(t);
  simulator.plans.add({ does: 'refuse', code: 'moderation' });
  assert.deepEqual(await provider.send(codeMessage(), soon()), {
    result: 'unknown',
    reason: 'Оператор SMS проверяет сообщение вручную',
  });
});

const STATUSES: Record<string, [receipt: string | undefined, reason?: RegExp]> = {
  NEW: [undefined],
  ENQUEUD: [undefined],
  ACCEPTD: [undefined],
  PDLIVRD: [undefined],
  DELIVRD: ['delivered'],
  UNDELIV: ['failed', /не доставлено/],
  REJECTD: ['failed', /отклонил/],
  EXPIRED: ['failed', /вовремя/],
  DELETED: ['failed', /удалил/],
};
for (const [status, [receipt, reason]] of Object.entries(STATUSES)) {
  test(`status ${status}: ${receipt ?? 'nothing final'}`, async (t) => {
    const { provider, simulator } = await openMobizonRig(t);
    simulator.plans.add({ does: 'accept', receipts: [] });
    const id = idOf(await provider.send(codeMessage(), soon()));
    await simulator.report(id, 'failed', { failure: status });
    const known = await ask(provider, id);
    assert.ok(known?.known === 'accepted');
    assert.deepEqual([known.providerId, known.receipt], [id, receipt]);
    assert.match(known.reason ?? '', reason ?? /^$/);
  });
}

test('what it does not know, does not say, or says in words of its own is unclear', async (t) => {
  const { provider, simulator } = await openMobizonRig(t);
  assert.deepEqual(await ask(provider, '1'), { known: 'unclear' });
  assert.deepEqual(await ask(provider, undefined), { known: 'unclear' });
  simulator.plans.add({ does: 'accept', receipts: [] });
  const id = idOf(await provider.send(codeMessage(), soon()));
  for (const failure of ['SOMETHING', 'constructor']) {
    await simulator.report(id, 'failed', { failure });
    assert.deepEqual(await ask(provider, id), { known: 'unclear' });
  }
  await simulator.close();
  assert.deepEqual(await ask(provider, id), { known: 'unclear' });
});

test('a webhook names a message to ask about, and the truth is asked for', async (t) => {
  const { provider, simulator, desk } = await openMobizonRig(t);
  simulator.plans.add({ does: 'accept', receipts: [] });
  const id = idOf(await provider.send(codeMessage(), soon()));
  assert.deepEqual(await simulator.report(id, 'delivered', { copies: 2 }), [200, 200]);
  assert.deepEqual(await simulator.report(id, 'failed', { isForged: true }), [403]);
  assert.deepEqual(desk.contents, Array(2).fill({ reports: [], unproven: [id] }));
  const known = await ask(provider, id);
  assert.deepEqual(known, { known: 'accepted', providerId: id, receipt: 'delivered' });
});

test('a check tells the balance', async (t) => {
  const { provider, simulator } = await openMobizonRig(t, { simulator: { balance: '120.5000' } });
  assert.deepEqual(await provider.check(soon()), {
    ok: true,
    detail: 'Mobizon works; the balance is 120.5000 KZT.',
  });
  assert.equal(simulator.journal.taken().length, 0);
});

test('a wrong key is found by a check, sends nothing, and is told to nobody', async (t) => {
  const { provider, simulator } = await openMobizonRig(t, { settings: { apiKey: 'wrong-key' } });
  const check = await provider.check(soon());
  const outcome = await provider.send(codeMessage(), soon());
  assert.deepEqual(check, { ok: false, detail: 'Mobizon did not accept the API key.' });
  assert.equal(outcome.result, 'unavailable');
  assert.equal(simulator.journal.taken().length, 0);
  const said = JSON.stringify([check, outcome, await ask(provider, '1')]);
  for (const secret of [...Object.values(SECRETS), 'wrong-key']) assert.ok(!said.includes(secret));
});

test('a check of an address where something else answers fails', async (t) => {
  const { simulator } = await openMobizonRig(t);
  const elsewhere = openMobizon({ ...SECRETS, url: `${simulator.url}/other` }, systemClock);
  t.after(() => elsewhere.stop?.());
  const { ok, detail } = await elsewhere.check(soon());
  assert.equal(ok, false);
  assert.ok(!detail.includes(SECRETS.apiKey));
});
