import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refText } from '../../src/channels/ref-text.ts';
import { QUIET, startGateway, TO, TOKEN, WRONG_TOKEN } from './telegram-gateway-rig.ts';
import {
  codeMessage,
  nobodysUrl,
  REF,
  soon,
  startParrot,
  TRANSPORT_FAULTS,
} from './telegram-rig.ts';

describe('a code', () => {
  test('goes out with its reference and its remaining life', async (t) => {
    const { simulator, gateway } = await startGateway(t);
    simulator.plans.add(QUIET);
    const outcome = await gateway.send(codeMessage(), soon());
    assert.deepEqual(outcome, { result: 'accepted', providerId: '1001' });
    assert.partialDeepStrictEqual(simulator.journal.taken(), [
      {
        id: '1001',
        to: TO,
        text: '482913',
        code: '482913',
        ref: refText(REF),
        details: { ttl: 120 },
      },
    ]);
  });

  test('goes out from a channel of its own, and with an address for reports', async (t) => {
    const options = { senders: { zhiber: 'verified' } } as const;
    const callbackUrl = 'https://api.example.kz/callbacks/telegram-gateway';
    const { simulator, gateway } = await startGateway(t, options, {
      senderUsername: 'zhiber',
      callbackUrl,
    });
    simulator.plans.add(QUIET);
    assert.equal((await gateway.send(codeMessage(), soon())).result, 'accepted');
    assert.deepEqual(simulator.journal.taken()[0]?.details, {
      ttl: 120,
      sender_username: 'zhiber',
      callback_url: callbackUrl,
    });
  });

  const LIVES = [
    [5, 30],
    [29.9, 30],
    [30, 30],
    [299.7, 299],
    [3_600, 3_600],
    [86_400, 3_600],
    [undefined, 3_600],
  ] as const;
  for (const [left, ttl] of LIVES) {
    test(`that lives for ${left} s may take ${ttl} s`, async (t) => {
      const { simulator, gateway } = await startGateway(t);
      simulator.plans.add(QUIET);
      await gateway.send(codeMessage({ ttlSeconds: left }), soon());
      assert.deepEqual(simulator.journal.taken()[0]?.details, { ttl });
    });
  }

  const NOT_CARRIED = {
    'of three digits': { code: '123' },
    'of nine digits': { code: '123456789' },
    'with a letter': { code: '12a456' },
    'with Arabic digits': { code: '١٢٣٤٥٦' },
    'that is missing': { code: undefined },
    'with a link': { load: 'code_with_link', link: 'https://s.example/a' },
    'that is a text': { load: 'text', code: undefined },
    'for a group': { load: 'group', to: { group: '-100123' }, code: undefined },
  } as const;
  for (const [name, changes] of Object.entries(NOT_CARRIED)) {
    test(`${name} is refused without a call`, async (t) => {
      const { simulator, gateway } = await startGateway(t);
      const outcome = await gateway.send(codeMessage(changes), soon());
      assert.equal(outcome.result, 'refused');
      assert.deepEqual(simulator.journal.lines, []);
    });
  }
});

describe('an error of the Gateway', () => {
  const WRONG_CODE = ['refused', 'Telegram принимает только код из 4–8 цифр'];
  const WRONG_KEY = ['unavailable', 'Telegram Gateway не принял ключ доступа'];
  const WRONG_SETTINGS = ['unavailable', 'Telegram Gateway настроен неверно'];
  const TOO_FAST = ['unavailable', 'Telegram просит подождать'];
  const EXPECTED: Record<string, string[]> = {
    ACCESS_TOKEN_INVALID: WRONG_KEY,
    ACCESS_TOKEN_REQUIRED: WRONG_KEY,
    BALANCE_NOT_ENOUGH: ['unavailable', 'На счёте Telegram Gateway закончились деньги'],
    FLOOD_WAIT_7: TOO_FAST,
    FLOOD_WAIT_3600: TOO_FAST,
    PHONE_NUMBER_NOT_FOUND: ['refused', 'У этого номера нет Telegram'],
    PHONE_NUMBER_INVALID: ['refused', 'Telegram не признал этот номер телефона'],
    CODE_INVALID: WRONG_CODE,
    CODE_LENGTH_INVALID: WRONG_CODE,
    CODE_LENGTH_REQUIRED: WRONG_CODE,
    CALLBACK_URL_INVALID: WRONG_SETTINGS,
    SENDER_NOT_OWNED: WRONG_SETTINGS,
    SENDER_NOT_VERIFIED: WRONG_SETTINGS,
    SENDER_USERNAME_INVALID: WRONG_SETTINGS,
    UNKNOWN_METHOD: WRONG_SETTINGS,
    PAYLOAD_INVALID: ['refused', 'Telegram отклонил код (PAYLOAD_INVALID)'],
    SOMETHING_NEW: ['refused', 'Telegram отклонил код (SOMETHING_NEW)'],
    'constructor or a long story': ['refused', 'Telegram отклонил код'],
  };
  // Which status errors come with is not documented.
  for (const errorStatus of [200, 400, 401]) {
    for (const [error, expected] of Object.entries(EXPECTED)) {
      test(`${error} with ${errorStatus} is ${expected.join(': ')}`, async (t) => {
        const { simulator, gateway } = await startGateway(t, { errorStatus });
        simulator.plans.add({ does: 'refuse', code: error });
        const outcome = await gateway.send(codeMessage(), soon());
        assert.deepEqual(outcome, { result: expected[0], reason: expected[1] });
        assert.deepEqual(simulator.journal.taken(), []);
      });
    }
  }

  test('with 429 is a limit, and with 500 nobody knows', async (t) => {
    for (const [errorStatus, result] of [
      [429, 'unavailable'],
      [500, 'unknown'],
    ] as const) {
      const { simulator, gateway } = await startGateway(t, { errorStatus });
      simulator.plans.add({ does: 'refuse', code: 'SOMETHING_NEW' });
      assert.equal((await gateway.send(codeMessage(), soon())).result, result);
    }
  });

  test('comes from what is truly wrong, too', async (t) => {
    const unknownSender = await startGateway(t, {}, { senderUsername: 'somebody' });
    const unverified = await startGateway(
      t,
      { senders: { zhiber: 'unverified' } },
      { senderUsername: 'zhiber' },
    );
    const plainHttp = await startGateway(t, {}, { callbackUrl: 'http://api.example.kz/' });
    for (const { gateway } of [unknownSender, unverified, plainHttp]) {
      assert.deepEqual(await gateway.send(codeMessage(), soon()), {
        result: 'unavailable',
        reason: 'Telegram Gateway настроен неверно',
      });
    }
    const poor = await startGateway(t, { balanceCents: 0 });
    const { result } = await poor.gateway.send(codeMessage(), soon());
    assert.equal(result, 'unavailable');
  });
});

describe('a fault on the way', () => {
  for (const { name, plan, results, taken, limitMs = 5_000 } of TRANSPORT_FAULTS) {
    test(`${name}: ${results.join(' or ')}, ${taken} taken`, async (t) => {
      const { simulator, gateway } = await startGateway(t);
      simulator.plans.add({ ...plan, receipts: [] });
      const outcome = await gateway.send(codeMessage(), AbortSignal.timeout(limitMs));
      assert.ok(results.includes(outcome.result), JSON.stringify(outcome));
      assert.equal(simulator.journal.taken().length, taken);
    });
  }

  const NEARLY = [
    [200, { ok: true }],
    [200, { ok: true, result: {} }],
    [200, { ok: true, result: { request_id: '' } }],
    [200, { ok: true, result: { request_id: 1_001 } }],
    [200, { ok: true, result: [{ request_id: '1001' }] }],
    [200, { ok: 'true', result: { request_id: '1001' } }],
    [200, { result: { request_id: '1001' } }],
    [200, { ok: false }],
    [302, { ok: true, result: { request_id: '1001' } }],
    [302, { ok: false, error: 'PHONE_NUMBER_NOT_FOUND' }],
    [400, { ok: true, result: { request_id: '1001' } }],
    [500, { ok: true, result: { request_id: '1001' } }],
    [500, { ok: false, error: 'PHONE_NUMBER_NOT_FOUND' }],
  ] as const;
  for (const [status, body] of NEARLY) {
    test(`${status} ${JSON.stringify(body)} is no clear answer`, async (t) => {
      const { gateway } = await startGateway(t, {}, { url: await startParrot(t, status, body) });
      assert.deepEqual(await gateway.send(codeMessage(), soon()), {
        result: 'unknown',
        reason: 'Telegram ответил непонятно',
      });
    });
  }

  test('nobody listening: unavailable', async (t) => {
    const { gateway } = await startGateway(t, {}, { url: await nobodysUrl() });
    const outcome = await gateway.send(codeMessage(), soon());
    assert.deepEqual(outcome, { result: 'unavailable', reason: 'Провайдер недоступен' });
  });

  test('a token that fits in no header: unavailable, and not told', async (t) => {
    const { gateway } = await startGateway(t, {}, { token: 'two\r\nlines' });
    assert.equal((await gateway.send(codeMessage(), soon())).result, 'unavailable');
    const { ok, detail } = await gateway.check(soon());
    assert.equal(ok, false);
    assert.doesNotMatch(detail, /two|lines/);
  });
});

describe('a check', () => {
  test('of a good token costs nothing', async (t) => {
    const { simulator, gateway } = await startGateway(t, { balanceCents: 5 });
    const { ok, detail } = await gateway.check(soon());
    assert.deepEqual([ok, detail.includes('takes the token')], [true, true]);
    const [call, ...others] = simulator.journal.lines;
    assert.partialDeepStrictEqual(call, { event: 'call', path: '/…' });
    assert.deepEqual(others, []);
    simulator.plans.add(QUIET);
    await gateway.send(codeMessage(), soon());
    assert.equal(simulator.journal.taken().length, 1);
  });

  test('of a wrong token, or of nobody, fails without telling the token', async (t) => {
    const wrong = await startGateway(t, {}, { token: WRONG_TOKEN });
    const unreached = await startGateway(t, {}, { url: await nobodysUrl() });
    const silent = await startGateway(t);
    assert.deepEqual(await wrong.gateway.check(soon()), {
      ok: false,
      detail: 'Telegram answered with 200: ACCESS_TOKEN_INVALID.',
    });
    assert.deepEqual(await unreached.gateway.check(soon()), {
      ok: false,
      detail: 'Telegram was not reached: ECONNREFUSED.',
    });
    assert.equal((await silent.gateway.check(AbortSignal.abort())).ok, false);
  });
});

test('the token is in no outcome, status, detail or journal', async (t) => {
  const { simulator, gateway } = await startGateway(t, {}, { token: WRONG_TOKEN });
  const right = await startGateway(t);
  right.simulator.plans.add({ does: 'refuse', code: 'SOMETHING_NEW' });
  const said = JSON.stringify([
    await gateway.send(codeMessage(), soon()),
    await right.gateway.send(codeMessage(), soon()),
    await gateway.check(soon()),
    await right.gateway.check(soon()),
    simulator.journal.lines,
    right.simulator.journal.lines,
  ]);
  assert.ok(said.includes('не принял ключ'));
  for (const token of [TOKEN, WRONG_TOKEN]) assert.ok(!said.includes(token));
});
