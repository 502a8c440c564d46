import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openGatewayRig, QUIET, TO, TOKEN } from './telegram-gateway-rig.ts';

describe('the simulator of the Gateway', () => {
  const RIGHT = { phone_number: TO, code: '482913', ttl: 60 };
  const REFUSED: [string, object][] = [
    ['PHONE_NUMBER_INVALID', { phone_number: '77010000001' }],
    ['CODE_INVALID', { code: '482 913' }],
    ['CODE_INVALID', { code: 482_913 }],
    ['CODE_LENGTH_REQUIRED', { code: undefined }],
    ['CODE_LENGTH_INVALID', { code: undefined, code_length: 9 }],
    ['TTL_INVALID', { ttl: 29 }],
    ['TTL_INVALID', { ttl: 3_601 }],
    ['PAYLOAD_INVALID', { payload: 'ы'.repeat(65) }],
    ['CALLBACK_URL_INVALID', { callback_url: `https://a.example/${'a'.repeat(256)}` }],
    ['SENDER_USERNAME_INVALID', { sender_username: 'a b' }],
    ['SENDER_NOT_OWNED', { sender_username: 'somebody' }],
    ['REQUEST_ID_INVALID', { request_id: '4711' }],
  ];
  const call = async (url: string, method: string, body: object) => {
    const answer = await fetch(`${url}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { error?: string; result?: Record<string, unknown> };
  };

  test('refuses every wrong parameter, and sends nothing', async (t) => {
    const { simulator } = await openGatewayRig(t);
    for (const [error, changes] of REFUSED) {
      const answer = await call(simulator.url, 'sendVerificationMessage', { ...RIGHT, ...changes });
      assert.equal(answer.error, error);
    }
    assert.equal((await call(simulator.url, 'sendMessage', {})).error, 'UNKNOWN_METHOD');
    assert.deepEqual(simulator.journal.taken(), []);
  });

  test('charges once for a code, and refunds one that has expired', async (t) => {
    const { simulator } = await openGatewayRig(t, { simulator: { balanceCents: 2 } });
    simulator.plans.add(QUIET);
    const { url } = simulator;
    const able = await call(url, 'checkSendAbility', { phone_number: TO });
    const { request_id } = able.result ?? {};
    const sent = await call(url, 'sendVerificationMessage', { ...RIGHT, request_id });
    assert.deepEqual(
      [able.result?.remaining_balance, sent.result?.request_id, sent.result?.remaining_balance],
      [0.01, request_id, undefined],
    );
    const again = await call(url, 'sendVerificationMessage', { ...RIGHT, request_id });
    assert.equal(again.error, 'REQUEST_ID_INVALID');
    await simulator.report(String(request_id), 'failed');
    const { result } = await call(url, 'checkVerificationStatus', { request_id, code: '000000' });
    assert.partialDeepStrictEqual(result, {
      is_refunded: true,
      delivery_status: { status: 'expired' },
      verification_status: { status: 'code_invalid', code_entered: '000000' },
    });
  });
});
