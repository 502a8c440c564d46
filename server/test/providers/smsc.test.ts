import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { AttemptRef, Outcome } from '../../src/channels/channel.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { openSmsc, type SmscSettings } from '../../src/channels/sms/smsc.ts';
import { smscId } from '../../src/channels/sms/smsc-id.ts';
import { systemClock } from '../../src/clock.ts';
import { testAnswers, UNCLEAR } from './rig/answers.ts';
import { testFaults } from './rig/faults.ts';
import { serve } from './rig/local-server.ts';
import { codeMessage, PHONE, soon, whenReached } from './rig/messages.ts';
import { ACCOUNT, API_KEY, openSmscRig, SECRET, STATUSES } from './smsc-rig.ts';

const SECRETS = [ACCOUNT.login, ACCOUNT.password, API_KEY, SECRET];

function ask(provider: Provider, ref: AttemptRef, providerId?: string) {
  const question = { ref, providerId, to: PHONE, isTest: false, secondsAgo: 30 };
  return provider.readStatus?.(question, soon());
}

testFaults(openSmscRig, { 401: 'unavailable', 403: 'unavailable' });

testAnswers(
  {
    'an id that SMSC chose, in texts': [
      200,
      { id: '1001', cnt: '1' },
      { result: 'accepted', providerId: '1001' },
    ],
    'an error in texts': [
      200,
      { error: 'invalid number', error_code: '7' },
      { result: 'refused', reason: 'Неверный номер телефона' },
    ],
    'no message in it': [200, { id: 1001, cnt: 0 }, UNCLEAR],
    'no count': [200, { id: 1001 }, UNCLEAR],
    'no id': [200, { cnt: 1 }, UNCLEAR],
    'an id that is none': [200, { id: 0, cnt: 1 }, UNCLEAR],
    'an odd id': [200, { id: { toString: 1 }, cnt: 1 }, UNCLEAR],
    'an error without a code': [200, { error: 'trouble' }, UNCLEAR],
    'an error and the status 500': [500, { error: 'no', error_code: 7 }, UNCLEAR],
    'success and the status 302': [302, { id: 1001, cnt: 1 }, UNCLEAR],
  },
  openSmscRig,
);

test('a code goes out under its own reference and no longer than it lives', async (t) => {
  const { provider, simulator } = await openSmscRig(t, { settings: { sender: 'ZHIBER' } });
  const sent = codeMessage({ ttlSeconds: 299 });
  assert.deepEqual(await provider.send(sent, soon()), {
    result: 'accepted',
    providerId: smscId(sent.ref),
  });
  const [taken] = simulator.journal.taken();
  assert.ok(taken);
  assert.deepEqual(
    { id: taken.id, to: taken.to, text: taken.text, details: taken.details },
    {
      id: smscId(sent.ref),
      to: '77010000001',
      text: sent.text,
      details: { sender: 'ZHIBER', valid: '00:04', maxsms: '2', tinyurl: '0', translit: '0' },
    },
  );
});

const LIVES: Record<string, number> = {
  '00:01': 20,
  '00:15': 900,
  '01:30': 5_400,
  '24:00': 1_000_000,
};
for (const [valid, ttlSeconds] of Object.entries(LIVES)) {
  test(`what lives ${ttlSeconds} seconds is valid for ${valid}`, async (t) => {
    const { provider, simulator } = await openSmscRig(t);
    assert.equal((await provider.send(codeMessage({ ttlSeconds }), soon())).result, 'accepted');
    assert.equal(simulator.journal.taken()[0]?.details?.valid, valid);
  });
}

test('a text with a link has no life, and its link stays as it is', async (t) => {
  const { provider, simulator } = await openSmscRig(t, { settings: { ...ACCOUNT } });
  const text = 'Сіздің сілтемеңіз: https://zhbr.kz/abc?a=1&b=2+3 ~%';
  const sent = codeMessage({ load: 'text', text, code: undefined, ttlSeconds: undefined });
  assert.equal((await provider.send(sent, soon())).result, 'accepted');
  const [taken] = simulator.journal.taken();
  assert.equal(taken?.text, text);
  assert.equal(taken?.details?.valid, undefined);
});

test('an API key takes the place of the login and the password', async (t) => {
  const { provider, simulator } = await openSmscRig(t, {
    settings: { login: undefined, password: undefined, apiKey: API_KEY },
  });
  assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
  assert.equal(simulator.journal.taken().length, 1);
});

test('a group is not written to', async (t) => {
  const { provider, simulator } = await openSmscRig(t);
  assert.equal(
    (await provider.send(codeMessage({ to: { group: '1' } }), soon())).result,
    'refused',
  );
  assert.equal(simulator.journal.lines.length, 0);
});

const ERRORS: Record<number, Outcome['result']> = {
  1: 'refused',
  2: 'unavailable',
  3: 'unavailable',
  4: 'unavailable',
  5: 'refused',
  6: 'refused',
  7: 'refused',
  8: 'refused',
  9: 'refused',
};
for (const [code, result] of Object.entries(ERRORS)) {
  test(`error ${code}: ${result}, with a reason in words`, async (t) => {
    const { provider, simulator } = await openSmscRig(t);
    simulator.plans.add({ does: 'refuse', code });
    const outcome = await provider.send(codeMessage(), soon());
    assert.equal(outcome.result, result);
    assert.ok(outcome.result !== 'accepted' && /^[А-ЯS][^\d]{10,}$/.test(outcome.reason));
    assert.equal(simulator.journal.taken().length, 0);
  });
}

test('an error that nobody knows is a refusal, and names itself', async (t) => {
  const { provider, simulator } = await openSmscRig(t);
  simulator.plans.add({ does: 'refuse', code: 77 });
  assert.deepEqual(await provider.send(codeMessage(), soon()), {
    result: 'refused',
    reason: 'Оператор SMS не принял сообщение (ошибка 77)',
  });
});

test('the same text again within a minute is refused, and was taken once', async (t) => {
  const { provider, simulator } = await openSmscRig(t);
  assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
  assert.deepEqual(await provider.send(codeMessage(), soon()), {
    result: 'refused',
    reason: 'Оператор SMS просит подождать: такое же SMS уже было, или их сразу слишком много',
  });
  assert.equal(simulator.journal.taken().length, 1);
});

for (const [status, [receipt, reason]] of Object.entries(STATUSES)) {
  test(`status ${status}, asked for: ${receipt ?? 'nothing final'}`, async (t) => {
    const { provider, simulator } = await openSmscRig(t);
    const sent = codeMessage();
    simulator.plans.add({ does: 'accept', receipts: [] });
    await provider.send(sent, soon());
    await simulator.report(smscId(sent.ref), 'failed', { failure: status });
    const known = await ask(provider, sent.ref, smscId(sent.ref));
    assert.ok(known?.known === 'accepted');
    assert.equal(known.providerId, smscId(sent.ref));
    assert.equal(known.receipt, receipt);
    assert.match(known.reason ?? '', reason ?? /^$/);
    // By the reference alone, as when nobody knows whether it was taken.
    const found = await ask(provider, sent.ref);
    if (['22', '23', '24'].includes(status)) {
      assert.deepEqual(found, { known: 'refused', reason: known.reason }, 'never sent');
    } else {
      assert.deepEqual(found, known);
    }
  });
}

test('no more than twelve calls go to SMSC at once, and the others follow', async (t) => {
  let [underWay, most] = [0, 0];
  const url = await serve(t, async (_request, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await pause(20);
    underWay -= 1;
    response.end('{"id":1001,"cnt":1}');
  });
  const { provider } = await openSmscRig(t, { settings: { url } });
  const sends = Array.from({ length: 40 }, () => provider.send(codeMessage(), soon()));
  for (const outcome of await Promise.all(sends)) assert.equal(outcome.result, 'accepted');
  assert.equal(most, 12);
});

test('a message that never came is known to be nothing', async (t) => {
  const { provider, simulator } = await openSmscRig(t);
  const sent = codeMessage();
  simulator.plans.add({ does: 'hang', isTaken: false });
  assert.equal((await provider.send(sent, whenReached(simulator))).result, 'unknown');
  assert.deepEqual(await ask(provider, sent.ref), { known: 'nothing' });
});

test('a message whose answer was lost is found by its reference', async (t) => {
  const { provider, simulator } = await openSmscRig(t);
  const sent = codeMessage();
  simulator.plans.add({ does: 'reset_during', receipts: [] });
  assert.equal((await provider.send(sent, soon())).result, 'unknown');
  const known = await ask(provider, sent.ref);
  assert.deepEqual(known, { known: 'accepted', providerId: smscId(sent.ref) });
});

test('asked too often, it is unclear', async (t) => {
  const { provider } = await openSmscRig(t);
  const sent = codeMessage();
  await provider.send(sent, soon());
  const answers = [];
  for (let i = 0; i < 6; i++) answers.push((await ask(provider, sent.ref))?.known);
  assert.deepEqual(answers, [...Array(5).fill('accepted'), 'unclear']);
});

test('a question that fails is unclear', async (t) => {
  const wrong = await openSmscRig(t, { settings: { password: 'wrong' } });
  assert.deepEqual(await ask(wrong.provider, codeMessage().ref), { known: 'unclear' });
  await wrong.simulator.close();
  assert.deepEqual(await ask(wrong.provider, codeMessage().ref), { known: 'unclear' });
});

test('a check tells the balance', async (t) => {
  const { provider, simulator } = await openSmscRig(t, { simulator: { balance: '120.50' } });
  assert.deepEqual(await provider.check(soon()), {
    ok: true,
    detail: 'SMSC works; the balance is 120.50 KZT.',
  });
  assert.equal(simulator.journal.taken().length, 0);
});

const WRONG: Record<string, Partial<SmscSettings>> = {
  'a wrong login': { login: 'wrong' },
  'a wrong password': { password: 'wrong' },
  'a wrong API key': { apiKey: 'wrong' },
  'no credentials': { login: undefined, password: undefined },
};
for (const [name, settings] of Object.entries(WRONG)) {
  test(`${name} is found by a check, and sends nothing`, async (t) => {
    const { provider, simulator } = await openSmscRig(t, { settings });
    const check = await provider.check(soon());
    assert.equal(check.ok, false);
    assert.match(check.detail, /did not accept/);
    const outcome = await provider.send(codeMessage(), soon());
    assert.equal(outcome.result, 'unavailable');
    assert.equal(simulator.journal.taken().length, 0);
    const said = JSON.stringify([check, outcome]);
    for (const secret of SECRETS) assert.ok(!said.includes(secret));
  });
}

test('a check of an address where something else answers fails', async (t) => {
  const { provider, simulator } = await openSmscRig(t);
  const elsewhere = openSmsc({ ...ACCOUNT, url: `${simulator.url}/other` }, systemClock);
  t.after(() => elsewhere.stop?.());
  assert.equal((await elsewhere.check(soon())).ok, false);
  assert.equal((await provider.check(AbortSignal.abort())).ok, false);
});
