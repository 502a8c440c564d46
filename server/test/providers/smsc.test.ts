import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { refused } from '../../src/channels/failed-outcome.ts';
import { UNCLEAR_ANSWER } from '../../src/channels/http/provider-answer.ts';
import { shortRefText } from '../../src/channels/short-ref.ts';
import { openSmsc, type SmscSettings } from '../../src/channels/sms/smsc.ts';
import { openSmscRig, SMSC, SMSC_API_KEY } from './provider-rigs.ts';
import { serve } from './rig/local-server.ts';
import {
  askStatus,
  codeMessage,
  newRef,
  posted,
  QUIET,
  soon,
  whenReached,
} from './rig/messages.ts';
import { testAnswers, testCallbacks, testRefusals } from './rig/tables.ts';
import { TOOLS } from './rig/tools.ts';

describe('smsc: what goes over the wire', () => {
  test('a code goes out under its own reference and no longer than it lives', async (t) => {
    const { provider, simulator } = await openSmscRig(t, { settings: { sender: 'ZHIBER' } });
    const sent = codeMessage({ ttlSeconds: 299 });
    assert.deepEqual(await provider.send(sent, soon()), {
      result: 'accepted',
      providerId: shortRefText(sent.ref),
    });
    const [taken] = simulator.journal.taken();
    assert.partialDeepStrictEqual(taken, {
      id: shortRefText(sent.ref),
      to: '77010000001',
      text: sent.text,
    });
    assert.deepEqual(taken?.details, {
      sender: 'ZHIBER',
      valid: '00:04',
      maxsms: '2',
      tinyurl: '0',
      translit: '0',
    });
  });

  const VALIDITIES = { '00:01': 20, '00:15': 900, '01:30': 5_400, '24:00': 1_000_000 };
  for (const [valid, ttlSeconds] of Object.entries(VALIDITIES)) {
    test(`what lives ${ttlSeconds} seconds is valid for ${valid}`, async (t) => {
      const { provider, simulator } = await openSmscRig(t);
      assert.equal((await provider.send(codeMessage({ ttlSeconds }), soon())).result, 'accepted');
      assert.equal(simulator.journal.taken()[0]?.details?.valid, valid);
    });
  }

  test('a text with a link has no validity, and its link stays as it is', async (t) => {
    const { provider, simulator } = await openSmscRig(t);
    const text = 'Сіздің сілтемеңіз: https://zhbr.kz/abc?a=1&b=2+3 ~%';
    const sent = codeMessage({ content: 'text', text, code: undefined, ttlSeconds: undefined });
    assert.equal((await provider.send(sent, soon())).result, 'accepted');
    const [taken] = simulator.journal.taken();
    assert.equal(taken?.text, text);
    assert.equal(taken?.details?.valid, undefined);
  });

  test('an API key takes the place of the login and the password', async (t) => {
    const { provider, simulator } = await openSmscRig(t, {
      settings: { login: undefined, password: undefined, apiKey: SMSC_API_KEY },
    });
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
    assert.equal(simulator.journal.taken().length, 1);
  });

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
});

describe('smsc: refusals', () => {
  testRefusals(openSmscRig, {
    1: 'refused',
    2: 'unavailable',
    3: 'unavailable',
    4: 'unavailable',
    5: 'refused',
    6: 'refused',
    7: 'refused',
    8: 'refused',
    9: 'refused',
    77: refused('Оператор SMS не принял сообщение (ошибка 77)'),
  });

  test('the same text again within a minute is refused, and was taken once', async (t) => {
    const { provider, simulator } = await openSmscRig(t);
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
    assert.deepEqual(
      await provider.send(codeMessage(), soon()),
      refused('Оператор SMS просит подождать: такое же SMS уже было, или их сразу слишком много'),
    );
    assert.equal(simulator.journal.taken().length, 1);
  });

  testAnswers(openSmscRig, {
    'an id that SMSC chose, in texts': [
      200,
      { id: '1001', cnt: '1' },
      { result: 'accepted', providerId: '1001' },
    ],
    'an error in texts': [
      200,
      { error: 'invalid number', error_code: '7' },
      refused('Неверный номер телефона'),
    ],
    'no message in it': [200, { id: 1001, cnt: 0 }, UNCLEAR_ANSWER],
    'no count': [200, { id: 1001 }, UNCLEAR_ANSWER],
    'no id': [200, { cnt: 1 }, UNCLEAR_ANSWER],
    'an id that is none': [200, { id: 0, cnt: 1 }, UNCLEAR_ANSWER],
    'an odd id': [200, { id: { toString: 1 }, cnt: 1 }, UNCLEAR_ANSWER],
    'an error without a code': [200, { error: 'trouble' }, UNCLEAR_ANSWER],
    'an error and the status 500': [500, { error: 'no', error_code: 7 }, UNCLEAR_ANSWER],
    'success and the status 302': [302, { id: 1001, cnt: 1 }, UNCLEAR_ANSWER],
  });
});

describe('smsc: the check of the set-up', () => {
  test('tells the balance', async (t) => {
    const { provider } = await openSmscRig(t, { simulator: { balance: '120.50' } });
    assert.deepEqual(await provider.check(soon()), {
      ok: true,
      detail: 'SMSC works; the balance is 120.50 KZT.',
      balance: '120.50 KZT',
    });
  });

  const WRONG: Record<string, Partial<SmscSettings>> = {
    'a wrong login': { login: 'wrong' },
    'a wrong password': { password: 'wrong' },
    'a wrong API key': { apiKey: 'wrong' },
    'no credentials': { login: undefined, password: undefined },
  };
  for (const [name, settings] of Object.entries(WRONG)) {
    test(`finds ${name}, which sends nothing`, async (t) => {
      const { provider, simulator } = await openSmscRig(t, { settings });
      const { ok, detail } = await provider.check(soon());
      assert.equal(ok, false);
      assert.match(detail, /did not accept/);
      assert.equal((await provider.send(codeMessage(), soon())).result, 'unavailable');
      assert.equal(simulator.journal.taken().length, 0);
    });
  }
});

/** What statuses come to, queried or reported. */
const STATUSES: Record<string, [receipt: string | undefined, reason?: RegExp]> = {
  1: ['delivered'],
  2: ['delivered'],
  4: ['delivered'],
  3: ['failed', /вовремя/],
  20: ['failed', /невозможно/],
  22: ['failed', /номер/],
  23: ['failed', /запретил/],
  24: ['failed', /денег/],
  25: ['failed', /не принимает/],
  '-2': [undefined],
  '-1': [undefined],
  0: [undefined],
};

describe('smsc: a status that is queried', () => {
  for (const [status, [receipt, reason]] of Object.entries(STATUSES)) {
    test(`${status}: ${receipt ?? 'nothing final'}`, async (t) => {
      const { provider, simulator } = await openSmscRig(t);
      const { ref, ...rest } = codeMessage();
      const providerId = shortRefText(ref);
      simulator.plans.add(QUIET);
      await provider.send({ ref, ...rest }, soon());
      await simulator.report(providerId, 'failed', { failure: status });
      const known = await askStatus(provider, { ref, providerId });
      assert.ok(known?.known === 'accepted');
      assert.deepEqual([known.providerId, known.receipt], [providerId, receipt]);
      assert.match(known.reason ?? '', reason ?? /^$/);
      // By the reference alone, as when nobody knows whether it was taken.
      const found = await askStatus(provider, { ref });
      if (['22', '23', '24'].includes(status)) {
        assert.deepEqual(found, { known: 'refused', reason: known.reason }, 'never sent');
      } else {
        assert.deepEqual(found, known);
      }
    });
  }

  test('tells that a message never came', async (t) => {
    const { provider, simulator } = await openSmscRig(t);
    const sent = codeMessage();
    simulator.plans.add({ does: 'hang', isTaken: false });
    assert.equal((await provider.send(sent, whenReached(simulator))).result, 'unknown');
    assert.deepEqual(await askStatus(provider, sent), { known: 'nothing' });
  });

  test('finds a message whose answer was lost by its reference', async (t) => {
    const { provider, simulator } = await openSmscRig(t);
    const sent = codeMessage();
    simulator.plans.add({ does: 'reset_during', receipts: [] });
    assert.equal((await provider.send(sent, soon())).result, 'unknown');
    const known = await askStatus(provider, sent);
    assert.deepEqual(known, { known: 'accepted', providerId: shortRefText(sent.ref) });
  });

  test('is unclear when it is queried too often', async (t) => {
    const { provider } = await openSmscRig(t);
    const sent = codeMessage();
    await provider.send(sent, soon());
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push((await askStatus(provider, sent))?.known);
    assert.deepEqual(answers, [...Array(5).fill('accepted'), 'unclear']);
  });
});

describe('smsc: callbacks', () => {
  test('by GET are read, and forged ones are not', async (t) => {
    const simulated = { simulator: { callbackMethod: 'GET' as const } };
    const { provider, simulator, desk } = await openSmscRig(t, simulated);
    const sent = codeMessage();
    simulator.plans.add(QUIET);
    await provider.send(sent, soon());
    const id = shortRefText(sent.ref);
    assert.deepEqual(await simulator.report(id, 'delivered', { copies: 2 }), [200, 200]);
    assert.deepEqual(await simulator.report(id, 'failed', { isForged: true }), [403]);
    const delivered = { reports: [{ ref: sent.ref, receipt: 'delivered' }] };
    assert.deepEqual(desk.contents, [delivered, delivered]);
  });

  /** Id 42 is not a reference of ours: others use the account too. */
  const REPORTED = { id: '42', phone: '77010000000', status: '1' };
  const form = (fields: Record<string, string>) => posted(new URLSearchParams(fields).toString());
  const signed = (changes: Record<string, string>, secret = SMSC.callbackSecret) => {
    const fields = { ...REPORTED, ...changes };
    const text = `${fields.id}:${fields.phone}:${fields.status}:${secret}`;
    return form({ ...fields, sha1: createHash('sha1').update(text).digest('hex') });
  };
  const open = () => openSmsc(SMSC, TOOLS);
  const sha1 = '096062e87ae423f243d38abd10125bb438e592bb';
  const md5 = '7f69515166807378b543b905018508c1';
  const NOTHING = { reports: [] };
  const id = shortRefText(newRef());

  testCallbacks(open, {
    'signed with sha1 alone': [form({ ...REPORTED, sha1 }), NOTHING],
    'signed with md5 alone': [form({ ...REPORTED, md5 }), NOTHING],
    'signed with both': [form({ ...REPORTED, sha1, md5 }), NOTHING],
    'signed in capitals': [form({ ...REPORTED, sha1: sha1.toUpperCase() }), NOTHING],
    'with a wrong sha1 beside the right md5': [form({ ...REPORTED, sha1: md5, md5 }), undefined],
    'with a flipped bit': [form({ ...REPORTED, sha1: sha1.replace(/b$/, 'a') }), undefined],
    'with another status': [form({ ...REPORTED, status: '20', sha1 }), undefined],
    'with another message': [form({ ...REPORTED, id: '43', sha1 }), undefined],
    'with crc, which proves nothing': [form({ ...REPORTED, crc: '12345' }), undefined],
    'without a signature': [form(REPORTED), undefined],
    'with an empty signature': [form({ ...REPORTED, sha1: '' }), undefined],
    'without anything': [form({}), undefined],
    'with a status that nobody knows': [signed({ id, status: '99' }), NOTHING],
    'with an empty status': [signed({ id, status: '' }), NOTHING],
    'with the status constructor': [signed({ id, status: 'constructor' }), NOTHING],
    'with the status 1e0': [signed({ id, status: '1e0' }), NOTHING],
  });

  for (const callbackSecret of [undefined, '']) {
    testCallbacks(() => openSmsc({ ...SMSC, callbackSecret }, TOOLS), {
      [`signed with nothing, where the secret is «${callbackSecret}»`]: [signed({}, ''), undefined],
    });
  }

  for (const [status, [receipt, reason]] of Object.entries(STATUSES)) {
    test(`with the status ${status}: ${receipt ?? 'nothing final'}`, () => {
      const { ref } = codeMessage();
      const content = open().readCallback?.(signed({ id: shortRefText(ref), status }));
      const [report] = content?.reports ?? [];
      assert.equal(report?.receipt, receipt);
      assert.match(report?.reason ?? '', reason ?? /^$/);
      if (report !== undefined) assert.deepEqual('ref' in report && report.ref, ref);
    });
  }
});
