import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refText } from '../../src/channels/ref-text.ts';
import { testAnswers } from './rig/answers.ts';
import { testFaults } from './rig/faults.ts';
import { nobodysUrl } from './rig/local-server.ts';
import { soon } from './rig/messages.ts';
import {
  openGatewayRig,
  QUIET,
  REF,
  refMessage,
  TO,
  TOKEN,
  WRONG_TOKEN,
} from './telegram-gateway-rig.ts';

describe('a code', () => {
  test('goes out with its reference and its remaining life', async (t) => {
    const { simulator, provider } = await openGatewayRig(t);
    simulator.plans.add(QUIET);
    const outcome = await provider.send(refMessage(), soon());
    assert.deepEqual(outcome, { result: 'accepted', providerId: '1001' });
    assert.partialDeepStrictEqual(simulator.journal.taken(), [
      {
        id: '1001',
        to: TO,
        text: '482913',
        code: '482913',
        ref: refText(REF),
        details: { ttl: 300 },
      },
    ]);
  });

  test('goes out from a channel of its own, and with an address for reports', async (t) => {
    const callbackUrl = 'https://api.example.kz/callbacks/telegram-gateway';
    const { simulator, provider } = await openGatewayRig(t, {
      simulator: { senders: { zhiber: 'verified' } },
      settings: { senderUsername: 'zhiber', callbackUrl },
    });
    simulator.plans.add(QUIET);
    assert.equal((await provider.send(refMessage(), soon())).result, 'accepted');
    assert.deepEqual(simulator.journal.taken()[0]?.details, {
      ttl: 300,
      sender_username: 'zhiber',
      callback_url: callbackUrl,
    });
  });

  test('goes out without an address for reports that Telegram would not call', async (t) => {
    const { simulator, provider } = await openGatewayRig(t, {
      settings: { callbackUrl: 'http://api.example.kz/callbacks/telegram-gateway' },
    });
    simulator.plans.add(QUIET);
    assert.equal((await provider.send(refMessage(), soon())).result, 'accepted');
    assert.deepEqual(simulator.journal.taken()[0]?.details, { ttl: 300 });
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
      const { simulator, provider } = await openGatewayRig(t);
      simulator.plans.add(QUIET);
      await provider.send(refMessage({ ttlSeconds: left }), soon());
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
      const { simulator, provider } = await openGatewayRig(t);
      const outcome = await provider.send(refMessage(changes), soon());
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
        const { simulator, provider } = await openGatewayRig(t, { simulator: { errorStatus } });
        simulator.plans.add({ does: 'refuse', code: error });
        const outcome = await provider.send(refMessage(), soon());
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
      const { simulator, provider } = await openGatewayRig(t, { simulator: { errorStatus } });
      simulator.plans.add({ does: 'refuse', code: 'SOMETHING_NEW' });
      assert.equal((await provider.send(refMessage(), soon())).result, result);
    }
  });

  test('comes from what is truly wrong, too', async (t) => {
    const unknownSender = await openGatewayRig(t, { settings: { senderUsername: 'somebody' } });
    const unverified = await openGatewayRig(t, {
      simulator: { senders: { zhiber: 'unverified' } },
      settings: { senderUsername: 'zhiber' },
    });
    const longAddress = await openGatewayRig(t, {
      settings: { callbackUrl: `https://api.example.kz/${'a'.repeat(256)}` },
    });
    for (const { provider } of [unknownSender, unverified, longAddress]) {
      assert.deepEqual(await provider.send(refMessage(), soon()), {
        result: 'unavailable',
        reason: 'Telegram Gateway настроен неверно',
      });
    }
    const poor = await openGatewayRig(t, { simulator: { balanceCents: 0 } });
    const { result } = await poor.provider.send(refMessage(), soon());
    assert.equal(result, 'unavailable');
  });
});

testFaults(openGatewayRig, { 401: 'unknown', 404: 'unknown' });

describe('an answer that is nearly right', () => {
  const UNCLEAR = { result: 'unknown', reason: 'Telegram ответил непонятно' } as const;
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
  testAnswers(
    NEARLY.map(([status, body]) => [status, body, UNCLEAR]),
    openGatewayRig,
  );

  test('a token that fits in no header: unavailable, and not told', async (t) => {
    const { provider } = await openGatewayRig(t, { settings: { token: 'two\r\nlines' } });
    assert.equal((await provider.send(refMessage(), soon())).result, 'unavailable');
    const { ok, detail } = await provider.check(soon());
    assert.equal(ok, false);
    assert.doesNotMatch(detail, /two|lines/);
  });
});

describe('a check', () => {
  test('of a good token costs nothing', async (t) => {
    const { simulator, provider } = await openGatewayRig(t, { simulator: { balanceCents: 5 } });
    const { ok, detail } = await provider.check(soon());
    assert.deepEqual([ok, detail.includes('takes the token')], [true, true]);
    const [call, ...others] = simulator.journal.lines;
    assert.partialDeepStrictEqual(call, { event: 'call', path: '/…' });
    assert.deepEqual(others, []);
    simulator.plans.add(QUIET);
    await provider.send(refMessage(), soon());
    assert.equal(simulator.journal.taken().length, 1);
  });

  test('of a wrong token, or of nobody, fails without telling the token', async (t) => {
    const wrong = await openGatewayRig(t, { settings: { token: WRONG_TOKEN } });
    const unreached = await openGatewayRig(t, { settings: { url: await nobodysUrl() } });
    const silent = await openGatewayRig(t);
    assert.deepEqual(await wrong.provider.check(soon()), {
      ok: false,
      detail: 'Telegram answered with the HTTP status 200: ACCESS_TOKEN_INVALID.',
    });
    assert.deepEqual(await unreached.provider.check(soon()), {
      ok: false,
      detail: 'Telegram could not be reached (ECONNREFUSED).',
    });
    assert.equal((await silent.provider.check(AbortSignal.abort())).ok, false);
  });
});

test('the token is in no outcome, status, detail or journal', async (t) => {
  const { simulator, provider } = await openGatewayRig(t, { settings: { token: WRONG_TOKEN } });
  const right = await openGatewayRig(t);
  right.simulator.plans.add({ does: 'refuse', code: 'SOMETHING_NEW' });
  const said = JSON.stringify([
    await provider.send(refMessage(), soon()),
    await right.provider.send(refMessage(), soon()),
    await provider.check(soon()),
    await right.provider.check(soon()),
    simulator.journal.lines,
    right.simulator.journal.lines,
  ]);
  assert.ok(said.includes('не принял ключ'));
  for (const token of [TOKEN, WRONG_TOKEN]) assert.ok(!said.includes(token));
});
