import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import type { SimulatedReceipt } from '../../../simulators/frame/plan.ts';
import type { CallbackRequest } from '../../src/channels/provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import { openTelegramGateway } from '../../src/channels/telegram/gateway.ts';
import { systemClock } from '../../src/clock.ts';
import { nobodysUrl, startParrot } from './rig/local-server.ts';
import { PHONE, soon } from './rig/messages.ts';
import {
  openGatewayRig,
  QUIET,
  REF,
  refMessage,
  TO,
  TOKEN,
  WRONG_TOKEN,
} from './telegram-gateway-rig.ts';

function signed(body: string, changes: { token?: string; timestamp?: string } = {}) {
  const { token = TOKEN, timestamp = String(Math.floor(Date.now() / 1000)) } = changes;
  const key = createHash('sha256').update(token).digest();
  const signature = createHmac('sha256', key).update(`${timestamp}\n${body}`).digest('hex');
  return callback(body, { timestamp, signature });
}

function callback(body: string, { timestamp = '', signature = '' }): CallbackRequest {
  return {
    method: 'POST',
    headers: { 'x-request-timestamp': timestamp, 'x-request-signature': signature },
    query: {},
    body: Buffer.from(body),
  };
}

const reportBody = (status: string) =>
  JSON.stringify({
    request_id: '1001',
    phone_number: TO,
    request_cost: 0.01,
    delivery_status: { status, updated_at: 1 },
    payload: refText(REF),
  });

describe('a report', () => {
  const REPORTED: [SimulatedReceipt, string | undefined, object[]][] = [
    ['sent', undefined, []],
    ['delivered', undefined, [{ ref: REF, receipt: 'delivered' }]],
    ['read', undefined, [{ ref: REF, receipt: 'read' }]],
    ['failed', undefined, [{ ref: REF, receipt: 'failed', reason: 'Код не доставлен вовремя' }]],
    ['failed', 'revoked', [{ ref: REF, receipt: 'failed', reason: 'Отправка кода отозвана' }]],
    ['failed', 'some_new_status', []],
  ];
  for (const [receipt, failure, reports] of REPORTED) {
    test(`of ${failure ?? receipt} is read by our reference`, async (t) => {
      const { simulator, provider, desk } = await openGatewayRig(t, { isReporting: true });
      simulator.plans.add(QUIET);
      await provider.send(refMessage(), soon());
      const plan = failure === undefined ? {} : { failure };
      assert.deepEqual(await simulator.report('1001', receipt, plan), [200]);
      assert.deepEqual(desk.contents, [{ reports }]);
    });
  }

  test('that comes twice, or before the answer, is read each time', async (t) => {
    const { simulator, provider, desk } = await openGatewayRig(t, { isReporting: true });
    simulator.plans.add({ does: 'accept', isEarly: true, receipts: ['read'], copies: 2 });
    await provider.send(refMessage(), soon());
    const report = { reports: [{ ref: REF, receipt: 'read' }] };
    assert.deepEqual(desk.contents, [report, report]);
  });

  test('that somebody else has signed is not believed', async (t) => {
    const { simulator, provider, desk } = await openGatewayRig(t, { isReporting: true });
    simulator.plans.add(QUIET);
    await provider.send(refMessage(), soon());
    assert.deepEqual(await simulator.report('1001', 'delivered', { isForged: true }), [403]);
    assert.deepEqual(desk.contents, []);
  });

  test('is signed as in the known example', () => {
    const clock = { now: () => new Date(1_763_164_860_000) };
    const provider = openTelegramGateway({ token: 'TEST_GATEWAY_TOKEN' }, clock);
    const body =
      '{"request_id":"1001","phone_number":"+77010000000","request_cost":0.01,' +
      '"delivery_status":{"status":"delivered","updated_at":1763164799}}';
    const timestamp = '1763164800';
    const signature = 'b5eb1cbc3dd6dc65b0559ebaf8f4f942c7741ef1a775e6f893e66f7214bc81ab';
    const read = (request: CallbackRequest) => provider.readCallback?.(request);
    assert.deepEqual(read(callback(body, { timestamp, signature })), { reports: [] });
    for (let bit = 0; bit < body.length * 8; bit += 7) {
      const flipped = callback(body, { timestamp, signature });
      flipped.body.writeUInt8(flipped.body.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      assert.equal(read(flipped), undefined);
    }
    for (const other of [signature.toUpperCase(), signature.slice(1), `${signature}0`, '']) {
      assert.equal(read(callback(body, { timestamp, signature: other })), undefined);
    }
    assert.equal(read(callback(body, { timestamp: '1763164801', signature })), undefined);
    assert.equal(read({ ...callback(body, { timestamp, signature }), headers: {} }), undefined);
    assert.equal(read({ ...callback(body, { timestamp, signature }), method: 'GET' }), undefined);
  });

  test('is signed over the bytes that came, whatever they spell', () => {
    const provider = openTelegramGateway({ token: TOKEN }, systemClock);
    const body = reportBody('delivered').replace('{', '{"note":"Қазақша",');
    assert.equal(provider.readCallback?.(signed(body))?.reports.length, 1);
    const broken = signed(body);
    assert.equal(
      provider.readCallback?.({ ...broken, body: Buffer.from(body, 'latin1') }),
      undefined,
    );
  });

  test('that is older or newer than five minutes is not believed', () => {
    const atSeconds = (seconds: number) =>
      openTelegramGateway({ token: TOKEN }, { now: () => new Date(seconds * 1000) });
    const request = signed(reportBody('delivered'), { timestamp: '1763164800' });
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
      const odd = signed(reportBody('delivered'), { timestamp });
      assert.equal(atSeconds(1_763_164_800).readCallback?.(odd), undefined);
    }
  });

  test('that is genuine and says nothing of use reports nothing', () => {
    const provider = openTelegramGateway({ token: TOKEN }, systemClock);
    const bodies = [
      '',
      'null',
      '[]',
      '{"half":',
      '{}',
      reportBody('constructor'),
      reportBody('delivered').replace(refText(REF), 'dlv_01J9'),
      reportBody('delivered').replace('"payload"', '"other"'),
      `{"payload":"${refText(REF)}","delivery_status":"delivered"}`,
      `{"payload":"${refText(REF)}","delivery_status":{"status":["delivered"]}}`,
    ];
    for (const body of bodies) {
      assert.deepEqual(provider.readCallback?.(signed(body)), { reports: [] }, body);
    }
  });
});

describe('a status that is asked for', () => {
  const question = { ref: REF, to: PHONE, isTest: false, secondsAgo: 3 };
  const KNOWN: [SimulatedReceipt, string | undefined, string | undefined][] = [
    ['sent', undefined, undefined],
    ['delivered', undefined, 'delivered'],
    ['read', undefined, 'read'],
    ['failed', undefined, 'failed'],
    ['failed', 'revoked', 'failed'],
  ];
  for (const [receipt, failure, expected] of KNOWN) {
    test(`after ${failure ?? receipt} is ${expected ?? 'an acceptance'}`, async (t) => {
      const { simulator, provider } = await openGatewayRig(t);
      simulator.plans.add(QUIET);
      await provider.send(refMessage(), soon());
      await simulator.report('1001', receipt, failure === undefined ? {} : { failure });
      const status = await provider.readStatus?.({ ...question, providerId: '1001' }, soon());
      assert.deepEqual(status, { known: 'accepted', providerId: '1001', receipt: expected });
    });
  }

  test('is unclear without an id, for an unknown one, and without an answer', async (t) => {
    const { provider } = await openGatewayRig(t);
    const unreached = await openGatewayRig(t, { settings: { url: await nobodysUrl() } });
    const wrong = await openGatewayRig(t, { settings: { token: WRONG_TOKEN } });
    const unclear = { known: 'unclear' };
    const read = (from: typeof provider, providerId: string | undefined) =>
      from.readStatus?.({ ...question, providerId }, soon());
    assert.deepEqual(await read(provider, undefined), unclear);
    assert.deepEqual(await read(provider, '4711'), unclear);
    assert.deepEqual(await read(unreached.provider, '1001'), unclear);
    assert.deepEqual(await read(wrong.provider, '1001'), unclear);
    const result = { request_id: '1002', delivery_status: { status: 'read', updated_at: 1 } };
    const { url } = await startParrot(t, 200, { ok: true, result });
    const confused = await openGatewayRig(t, { settings: { url } });
    assert.deepEqual(await read(confused.provider, '1001'), unclear);
  });
});

test('a verified code is told to Telegram, and trouble with that to nobody', async (t) => {
  const { simulator, provider } = await openGatewayRig(t);
  simulator.plans.add(QUIET);
  await provider.send(refMessage(), soon());
  await provider.reportVerified?.({ providerId: '1001', code: '482913' }, soon());
  const answer = await fetch(`${simulator.url}/checkverificationstatus?request_id=1001`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const { result } = (await answer.json()) as { result: { verification_status: object } };
  assert.partialDeepStrictEqual(result.verification_status, { status: 'code_valid' });

  const unreached = await openGatewayRig(t, { settings: { url: await nobodysUrl() } });
  await unreached.provider.reportVerified?.({ providerId: '1001', code: '482913' }, soon());
});
