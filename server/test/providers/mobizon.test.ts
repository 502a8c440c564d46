import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type MobizonOptions, startMobizon } from '../../../simulators/mobizon.ts';
import type { Outcome } from '../../src/channels/channel.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { type MobizonSettings, openMobizon } from '../../src/channels/sms/mobizon.ts';
import { systemClock } from '../../src/clock.ts';
import { openCallbackDesk } from './http-provider-callbacks.ts';
import {
  close,
  message,
  openParrot,
  PHONE,
  sendTo,
  testFaults,
  testWords,
  UNCLEAR,
} from './http-provider-faults.ts';

const API_KEY = 'kz0123456789abcdef';
const SECRET = 'secret123';

async function together(
  settings: Partial<MobizonSettings> = {},
  options: Partial<MobizonOptions> = {},
) {
  const simulator = await startMobizon({ apiKey: API_KEY, ...options });
  const provider = openMobizon(
    { apiKey: API_KEY, callbackSecret: SECRET, ...settings, url: simulator.url },
    systemClock,
  );
  return { provider, simulator };
}

async function started(
  t: TestContext,
  settings: Partial<MobizonSettings> = {},
  options: Partial<MobizonOptions> = {},
) {
  const both = await together(settings, options);
  t.after(() => close(both));
  return both;
}

function ask(provider: Provider, providerId: string | undefined) {
  const { ref } = message();
  const question = { ref, providerId, to: PHONE, isTest: false, secondsAgo: 30 };
  return provider.readStatus?.(question, AbortSignal.timeout(5_000));
}

function idOf(outcome: Outcome): string {
  assert.ok(outcome.result === 'accepted', JSON.stringify(outcome));
  return outcome.providerId;
}

testFaults({
  together,
  provider: (url) => openMobizon({ apiKey: API_KEY, url }, systemClock),
});

testWords(
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
  (url) => openMobizon({ apiKey: API_KEY, url }, systemClock),
);

test('the status of another message says nothing of this one', async (t) => {
  const { url } = await openParrot(t, 200, { code: 0, data: [{ id: 170, status: 'DELIVRD' }] });
  const provider = openMobizon({ apiKey: API_KEY, url }, systemClock);
  t.after(() => provider.stop?.());
  assert.deepEqual(await ask(provider, '169'), { known: 'unclear' });
});

test('a code goes out with the shortest life there is, and its link as it is', async (t) => {
  const { provider, simulator } = await started(t, { sender: 'ZHIBER' });
  const text = 'Код 482913 https://zhbr.kz/a?b=1&c=+ қазақша';
  const id = idOf(await sendTo(provider, message({ load: 'code_with_link', text })));
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
  const { provider, simulator } = await started(t);
  idOf(await sendTo(provider, message({ load: 'text' })));
  assert.equal(simulator.journal.taken()[0]?.details?.from, undefined);
});

test('a group is not written to', async (t) => {
  const { provider, simulator } = await started(t);
  assert.equal((await sendTo(provider, message({ to: { group: '1' } }))).result, 'refused');
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
    const { provider, simulator } = await started(t);
    simulator.plans.add({ does: 'refuse', code });
    const outcome = await sendTo(provider, message());
    assert.equal(outcome.result, result);
    assert.ok(outcome.result !== 'accepted' && /^[А-Я][^\d]{10,}$/.test(outcome.reason));
    assert.equal(simulator.journal.taken().length, 0);
  });
}

test('a code that nobody knows is a refusal, and names itself', async (t) => {
  const { provider, simulator } = await started(t);
  simulator.plans.add({ does: 'refuse', code: 77 });
  assert.deepEqual(await sendTo(provider, message()), {
    result: 'refused',
    reason: 'Оператор SMS не принял сообщение (ошибка 77)',
  });
});

test('a wrong number is called so', async (t) => {
  const { provider, simulator } = await started(t);
  simulator.plans.add({ does: 'refuse', code: 1 });
  const outcome = await sendTo(provider, message());
  assert.deepEqual(outcome, { result: 'refused', reason: 'Неверный номер телефона' });
});

test('the answer that a person looks at the message says so', async (t) => {
  const { provider, simulator } = await started(t);
  simulator.plans.add({ does: 'refuse', code: 'moderation' });
  assert.deepEqual(await sendTo(provider, message()), {
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
    const { provider, simulator } = await started(t);
    simulator.plans.add({ does: 'accept', receipts: [] });
    const id = idOf(await sendTo(provider, message()));
    await simulator.report(id, 'failed', { failure: status });
    const known = await ask(provider, id);
    assert.ok(known?.known === 'accepted');
    assert.deepEqual([known.providerId, known.receipt], [id, receipt]);
    assert.match(known.reason ?? '', reason ?? /^$/);
  });
}

test('what it does not know, does not say, or says in words of its own is unclear', async (t) => {
  const { provider, simulator } = await started(t);
  assert.deepEqual(await ask(provider, '1'), { known: 'unclear' });
  assert.deepEqual(await ask(provider, undefined), { known: 'unclear' });
  simulator.plans.add({ does: 'accept', receipts: [] });
  const id = idOf(await sendTo(provider, message()));
  for (const failure of ['SOMETHING', 'constructor']) {
    await simulator.report(id, 'failed', { failure });
    assert.deepEqual(await ask(provider, id), { known: 'unclear' });
  }
  await simulator.close();
  assert.deepEqual(await ask(provider, id), { known: 'unclear' });
});

test('a webhook names a message to ask about, and the truth is asked for', async (t) => {
  const desk = await openCallbackDesk();
  t.after(() => desk.close());
  const { provider, simulator } = await started(
    t,
    {},
    { callbackUrl: desk.url, callbackSecret: SECRET },
  );
  desk.serve(provider);
  simulator.plans.add({ does: 'accept', receipts: [] });
  const id = idOf(await sendTo(provider, message()));
  assert.deepEqual(await simulator.report(id, 'delivered', { copies: 2 }), [200, 200]);
  assert.deepEqual(await simulator.report(id, 'failed', { isForged: true }), [403]);
  assert.deepEqual(desk.contents, Array(2).fill({ reports: [], unproven: [id] }));
  const known = await ask(provider, id);
  assert.deepEqual(known, { known: 'accepted', providerId: id, receipt: 'delivered' });
});

test('a check tells the balance', async (t) => {
  const { provider, simulator } = await started(t, {}, { balance: '120.5000' });
  assert.deepEqual(await provider.check(AbortSignal.timeout(5_000)), {
    ok: true,
    detail: 'Mobizon works; the balance is 120.5000 KZT.',
  });
  assert.equal(simulator.journal.taken().length, 0);
});

test('a wrong key is found by a check, sends nothing, and is told to nobody', async (t) => {
  const { provider, simulator } = await started(t, { apiKey: 'wrong-key' });
  const check = await provider.check(AbortSignal.timeout(5_000));
  const outcome = await sendTo(provider, message());
  assert.deepEqual(check, { ok: false, detail: 'Mobizon did not accept the API key.' });
  assert.equal(outcome.result, 'unavailable');
  assert.equal(simulator.journal.taken().length, 0);
  const said = JSON.stringify([check, outcome, await ask(provider, '1')]);
  for (const secret of [API_KEY, 'wrong-key', SECRET]) assert.ok(!said.includes(secret));
});

test('a check of an address where something else answers fails', async (t) => {
  const { simulator } = await started(t);
  const elsewhere = openMobizon({ apiKey: API_KEY, url: `${simulator.url}/other` }, systemClock);
  t.after(() => elsewhere.stop?.());
  const { ok, detail } = await elsewhere.check(AbortSignal.timeout(5_000));
  assert.equal(ok, false);
  assert.ok(!detail.includes(API_KEY));
});
