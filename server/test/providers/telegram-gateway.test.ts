import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import type { SimulatedReceipt } from '../../../simulators/frame/plan.ts';
import { refused, unavailable, unknown } from '../../src/channels/failed-outcome.ts';
import type { CallbackContent, CallbackRequest } from '../../src/channels/provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import { openTelegramGateway } from '../../src/channels/telegram/gateway.ts';
import {
  GATEWAY_TOKEN,
  openGatewayRig,
  WRONG_GATEWAY_TOKEN as WRONG_TOKEN,
} from './provider-rigs.ts';
import { NOBODYS_URL, type Scope, startParrot } from './rig/local-server.ts';
import {
  askStatus,
  codeMessage,
  newRef,
  PHONE,
  posted,
  QUIET,
  soon,
  withFlippedBit,
} from './rig/messages.ts';
import { testAnswers, testCallbacks, testRefusals } from './rig/tables.ts';
import { TOOLS } from './rig/tools.ts';

type Changes = NonNullable<Parameters<typeof openGatewayRig>[1]>;

/** Without an address for reports, unless the settings name one. */
async function openUnreported(t: Scope, { settings, simulator = {} }: Changes = {}) {
  const rig = await openGatewayRig(t, {
    settings: { callbackUrl: undefined, ...settings },
    simulator,
  });
  rig.simulator.plans.add(QUIET);
  return rig;
}

describe('telegram-gateway: what goes over the wire', () => {
  test('a code goes out with its reference and its remaining life', async (t) => {
    const { simulator, provider } = await openUnreported(t);
    const message = codeMessage();
    const outcome = await provider.send(message, soon());
    assert.deepEqual(outcome, { result: 'accepted', providerId: '1001' });
    const [taken] = simulator.journal.taken();
    assert.partialDeepStrictEqual(taken, {
      id: '1001',
      to: `+${PHONE}`,
      text: '482913',
      code: '482913',
      ref: refText(message.ref),
    });
    assert.deepEqual(taken?.details, { ttl: 300 });
  });

  test('a code has a sender of its own, and an address for reports', async (t) => {
    const callbackUrl = 'https://api.example.kz/callbacks/telegram-gateway';
    const { simulator, provider } = await openUnreported(t, {
      simulator: { senders: { zhiber: 'verified' } },
      settings: { senderUsername: 'zhiber', callbackUrl },
    });
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
    assert.deepEqual(simulator.journal.taken()[0]?.details, {
      ttl: 300,
      sender_username: 'zhiber',
      callback_url: callbackUrl,
    });
  });

  test('an address that Telegram would not call is left out', async (t) => {
    const callbackUrl = 'http://api.example.kz/callbacks/telegram-gateway';
    const { simulator, provider } = await openUnreported(t, { settings: { callbackUrl } });
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
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
  for (const [ttlSeconds, ttl] of LIVES) {
    test(`a code that lives for ${ttlSeconds} s may take ${ttl} s`, async (t) => {
      const { simulator, provider } = await openUnreported(t);
      await provider.send(codeMessage({ ttlSeconds }), soon());
      assert.deepEqual(simulator.journal.taken()[0]?.details, { ttl });
    });
  }

  const NOT_CARRIED = {
    'a code of three digits': { code: '123' },
    'a code of nine digits': { code: '123456789' },
    'a code with a letter': { code: '12a456' },
    'a code in Arabic digits': { code: '١٢٣٤٥٦' },
    'a code that is missing': { code: undefined },
    'a code with a link': { content: 'code_with_link', link: 'https://s.example/a' },
    'a text': { content: 'text', code: undefined },
  } as const;
  for (const [name, changes] of Object.entries(NOT_CARRIED)) {
    test(`${name} is refused without a call`, async (t) => {
      const { simulator, provider } = await openUnreported(t);
      const outcome = await provider.send(codeMessage(changes), soon());
      assert.equal(outcome.result, 'refused');
      assert.deepEqual(simulator.journal.lines, []);
    });
  }
});

describe('telegram-gateway: refusals', () => {
  const WRONG_CODE = refused('Telegram принимает только код из 4–8 цифр');
  const WRONG_KEY = unavailable('Telegram Gateway не принял ключ доступа');
  const WRONG_SETTINGS = unavailable('Telegram Gateway настроен неверно');
  const TOO_FAST = unavailable('Telegram просит подождать');
  const NO_MONEY = unavailable('На счёте Telegram Gateway закончились деньги');
  const EXPECTED = {
    ACCESS_TOKEN_INVALID: WRONG_KEY,
    ACCESS_TOKEN_REQUIRED: WRONG_KEY,
    BALANCE_NOT_ENOUGH: NO_MONEY,
    FLOOD_WAIT_7: TOO_FAST,
    FLOOD_WAIT_3600: TOO_FAST,
    PHONE_NUMBER_NOT_FOUND: refused('У этого номера нет Telegram'),
    PHONE_NUMBER_INVALID: refused('Telegram не признал этот номер телефона'),
    CODE_INVALID: WRONG_CODE,
    CODE_LENGTH_INVALID: WRONG_CODE,
    CODE_LENGTH_REQUIRED: WRONG_CODE,
    CALLBACK_URL_INVALID: WRONG_SETTINGS,
    SENDER_NOT_OWNED: WRONG_SETTINGS,
    SENDER_NOT_VERIFIED: WRONG_SETTINGS,
    SENDER_USERNAME_INVALID: WRONG_SETTINGS,
    UNKNOWN_METHOD: WRONG_SETTINGS,
    PAYLOAD_INVALID: refused('Telegram отклонил код (PAYLOAD_INVALID)'),
    SOMETHING_NEW: refused('Telegram отклонил код (SOMETHING_NEW)'),
    'constructor or a long story': refused('Telegram отклонил код'),
  };
  // Which status errors come with is not documented.
  for (const errorStatus of [200, 400, 401]) {
    describe(`with the status ${errorStatus}`, () =>
      testRefusals((t) => openGatewayRig(t, { simulator: { errorStatus } }), EXPECTED));
  }
  const withStatus = { 429: 'unavailable', 500: 'unknown' } as const;
  for (const [status, result] of Object.entries(withStatus)) {
    const simulator = { errorStatus: Number(status) };
    describe(`with the status ${status}`, () =>
      testRefusals((t) => openGatewayRig(t, { simulator }), { SOMETHING_NEW: result }));
  }

  const TRULY: Record<string, [changes: Changes, outcome: ReturnType<typeof refused>]> = {
    'an unknown sender': [{ settings: { senderUsername: 'somebody' } }, WRONG_SETTINGS],
    'an unverified sender': [
      {
        simulator: { senders: { zhiber: 'unverified' } },
        settings: { senderUsername: 'zhiber' },
      },
      WRONG_SETTINGS,
    ],
    'a long address for reports': [
      { settings: { callbackUrl: `https://api.example.kz/${'a'.repeat(256)}` } },
      WRONG_SETTINGS,
    ],
    'an empty account': [{ simulator: { balanceCents: 0 } }, NO_MONEY],
    'a token that fits in no header': [
      { settings: { token: 'two\r\nlines' } },
      unavailable('Провайдер недоступен'),
    ],
  };
  for (const [name, [changes, outcome]] of Object.entries(TRULY)) {
    test(`${name}: ${outcome.result}`, async (t) => {
      const { provider } = await openGatewayRig(t, changes);
      assert.deepEqual(await provider.send(codeMessage(), soon()), outcome);
    });
  }

  const UNCLEAR = unknown('Telegram ответил непонятно');
  const result = { request_id: '1001' };
  const error = 'PHONE_NUMBER_NOT_FOUND';
  testAnswers(openGatewayRig, {
    'no result': [200, { ok: true }, UNCLEAR],
    'an empty result': [200, { ok: true, result: {} }, UNCLEAR],
    'an empty id': [200, { ok: true, result: { request_id: '' } }, UNCLEAR],
    'an id that is a number': [200, { ok: true, result: { request_id: 1_001 } }, UNCLEAR],
    'a list of results': [200, { ok: true, result: [result] }, UNCLEAR],
    'ok in a text': [200, { ok: 'true', result }, UNCLEAR],
    'a result without ok': [200, { result }, UNCLEAR],
    'an error without a name': [200, { ok: false }, UNCLEAR],
    'success and the status 302': [302, { ok: true, result }, UNCLEAR],
    'an error and the status 302': [302, { ok: false, error }, UNCLEAR],
    'success and the status 400': [400, { ok: true, result }, UNCLEAR],
    'success and the status 500': [500, { ok: true, result }, UNCLEAR],
    'an error and the status 500': [500, { ok: false, error }, UNCLEAR],
  });
});

describe('telegram-gateway: the check of the set-up', () => {
  test('costs nothing with a good token', async (t) => {
    const { simulator, provider } = await openUnreported(t, { simulator: { balanceCents: 1 } });
    const { ok, detail } = await provider.check(soon());
    assert.deepEqual([ok, detail.includes('accepts the token')], [true, true]);
    const [call, ...others] = simulator.journal.lines;
    assert.partialDeepStrictEqual(call, { event: 'call', path: '/…' });
    assert.deepEqual(others, []);
    await provider.send(codeMessage(), soon());
    assert.equal(simulator.journal.taken().length, 1);
  });

  test('tells the answer to a wrong token', async (t) => {
    const { provider } = await openGatewayRig(t, { settings: { token: WRONG_TOKEN } });
    assert.deepEqual(await provider.check(soon()), {
      ok: false,
      detail: 'Telegram answered with the HTTP status 200: ACCESS_TOKEN_INVALID.',
    });
  });

  test('does not tell a token that fits in no header', async (t) => {
    const { provider } = await openGatewayRig(t, { settings: { token: 'two\r\nlines' } });
    const { ok, detail } = await provider.check(soon());
    assert.equal(ok, false);
    assert.doesNotMatch(detail, /two|lines/);
  });
});

describe('telegram-gateway: reports', () => {
  const ref = newRef();
  const reportBody = (status: string) =>
    JSON.stringify({
      request_id: '1001',
      phone_number: `+${PHONE}`,
      request_cost: 0.01,
      delivery_status: { status, updated_at: 1 },
      payload: refText(ref),
    });
  const callback = (body: string | Buffer, timestamp: string, signature: string) =>
    posted(body, { 'x-request-timestamp': timestamp, 'x-request-signature': signature });
  const signed = (body: string, timestamp = String(Math.floor(Date.now() / 1000))) => {
    const key = createHash('sha256').update(GATEWAY_TOKEN).digest();
    const signature = createHmac('sha256', key).update(`${timestamp}\n${body}`).digest('hex');
    return callback(body, timestamp, signature);
  };
  const open = () => openTelegramGateway({ token: GATEWAY_TOKEN }, TOOLS);
  const failed = (reason: string): CallbackContent => ({
    reports: [{ ref, receipt: 'failed', reason }],
  });
  const DELIVERED: CallbackContent = { reports: [{ ref, receipt: 'delivered' }] };
  const NOTHING: CallbackContent = { reports: [] };
  const body = reportBody('delivered');

  testCallbacks(open, {
    'of sent': [signed(reportBody('sent')), NOTHING],
    'of delivered': [signed(body), DELIVERED],
    'of read': [signed(reportBody('read')), { reports: [{ ref, receipt: 'read' }] }],
    'of expired': [signed(reportBody('expired')), failed('Код не доставлен вовремя')],
    'of revoked': [signed(reportBody('revoked')), failed('Отправка кода отозвана')],
    'of a new status': [signed(reportBody('some_new_status')), NOTHING],
    'of the status constructor': [signed(reportBody('constructor')), NOTHING],
    'that is empty': [signed(''), NOTHING],
    'that is null': [signed('null'), NOTHING],
    'that is a list': [signed('[]'), NOTHING],
    'that is half JSON': [signed('{"half":'), NOTHING],
    'that is an empty object': [signed('{}'), NOTHING],
    'with a reference that is not ours': [signed(body.replace(refText(ref), 'dlv_01J9')), NOTHING],
    'without a reference': [signed(body.replace('"payload"', '"other"')), NOTHING],
    'with a status that is no object': [
      signed(`{"payload":"${refText(ref)}","delivery_status":"delivered"}`),
      NOTHING,
    ],
    'with a list of statuses': [
      signed(`{"payload":"${refText(ref)}","delivery_status":{"status":["delivered"]}}`),
      NOTHING,
    ],
  });

  test('are signed as in the known example', () => {
    const clock = { now: () => new Date(1_763_164_860_000) };
    const provider = openTelegramGateway({ token: 'TEST_GATEWAY_TOKEN' }, { ...TOOLS, clock });
    const example =
      '{"request_id":"1001","phone_number":"+77010000000","request_cost":0.01,' +
      '"delivery_status":{"status":"delivered","updated_at":1763164799}}';
    const timestamp = '1763164800';
    const signature = 'b5eb1cbc3dd6dc65b0559ebaf8f4f942c7741ef1a775e6f893e66f7214bc81ab';
    const request = callback(example, timestamp, signature);
    const read = (other: CallbackRequest) => provider.readCallback?.(other);
    assert.deepEqual(read(request), NOTHING);
    for (let bit = 0; bit < example.length * 8; bit += 7) {
      assert.equal(read(withFlippedBit(request, bit)), undefined);
    }
    for (const other of [signature.toUpperCase(), signature.slice(1), `${signature}0`, '']) {
      assert.equal(read(callback(example, timestamp, other)), undefined);
    }
    assert.equal(read(callback(example, '1763164801', signature)), undefined);
    assert.equal(read({ ...request, headers: {} }), undefined);
    assert.equal(read({ ...request, method: 'GET' }), undefined);
  });

  test('are signed over the bytes that came, whatever they spell', () => {
    const kazakh = body.replace('{', '{"note":"Қазақша",');
    const request = signed(kazakh);
    assert.equal(open().readCallback?.(request)?.reports.length, 1);
    const broken = { ...request, body: Buffer.from(kazakh, 'latin1') };
    assert.equal(open().readCallback?.(broken), undefined);
  });

  test('that are older or newer than five minutes are not believed', () => {
    const atSeconds = (seconds: number) =>
      openTelegramGateway(
        { token: GATEWAY_TOKEN },
        { ...TOOLS, clock: { now: () => new Date(seconds * 1000) } },
      );
    const request = signed(body, '1763164800');
    for (const [seconds, isBelieved] of [
      [1_763_165_101, false],
      [1_763_165_100, true],
      [1_763_164_500, true],
      [1_763_164_499, false],
    ] as const) {
      const content = atSeconds(seconds).readCallback?.(request);
      assert.equal(content !== undefined, isBelieved, `at ${seconds}`);
    }
    for (const timestamp of ['', 'now', '-1', '1763164800.5', '0x69179680']) {
      const odd = signed(body, timestamp);
      assert.equal(atSeconds(1_763_164_800).readCallback?.(odd), undefined);
    }
  });
});

describe('telegram-gateway: a status that is queried', () => {
  const KNOWN: [SimulatedReceipt, string | undefined, string | undefined][] = [
    ['sent', undefined, undefined],
    ['delivered', undefined, 'delivered'],
    ['read', undefined, 'read'],
    ['failed', undefined, 'failed'],
    ['failed', 'revoked', 'failed'],
  ];
  for (const [receipt, failure, expected] of KNOWN) {
    test(`after ${failure ?? receipt} is ${expected ?? 'an acceptance'}`, async (t) => {
      const { simulator, provider } = await openUnreported(t);
      await provider.send(codeMessage(), soon());
      await simulator.report('1001', receipt, failure === undefined ? {} : { failure });
      const status = await askStatus(provider, { providerId: '1001' });
      assert.deepEqual(status, { known: 'accepted', providerId: '1001', receipt: expected });
    });
  }

  test('is unclear for an unknown id, and in the answer about another', async (t) => {
    const { provider } = await openGatewayRig(t);
    assert.deepEqual(await askStatus(provider, { providerId: '4711' }), { known: 'unclear' });
    const result = { request_id: '1002', delivery_status: { status: 'read', updated_at: 1 } };
    const { url } = await startParrot(t, { status: 200, body: { ok: true, result } });
    const confused = await openGatewayRig(t, { settings: { url } });
    const status = await askStatus(confused.provider, { providerId: '1001' });
    assert.deepEqual(status, { known: 'unclear' });
  });
});

test('telegram-gateway: a verified code is told to Telegram, and trouble with that to nobody', async (t) => {
  const { simulator, provider } = await openUnreported(t);
  await provider.send(codeMessage(), soon());
  await provider.reportVerified?.({ providerId: '1001', code: '482913' }, soon());
  const answer = await fetch(`${simulator.url}/checkverificationstatus?request_id=1001`, {
    headers: { authorization: `Bearer ${GATEWAY_TOKEN}` },
  });
  const { result } = (await answer.json()) as { result: { verification_status: object } };
  assert.partialDeepStrictEqual(result.verification_status, { status: 'code_valid' });

  const unreached = await openGatewayRig(t, { settings: { url: NOBODYS_URL } });
  await unreached.provider.reportVerified?.({ providerId: '1001', code: '482913' }, soon());
});
