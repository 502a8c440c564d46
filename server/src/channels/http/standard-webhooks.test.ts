import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWebhookSigned, readWebhookSecret, signWebhook } from './standard-webhooks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('signatures are those of Standard Webhooks', () => {
  const key = readWebhookSecret(SECRET);
  assert.ok(key);
  const body = '{"type":"message.delivered"}';
  const at = new Date(1_763_164_800_000);
  const headers = signWebhook(key, { id: 'msg_1', body, at });
  assert.deepEqual(headers, {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1763164800',
    'webhook-signature': 'v1,5IVxUIwmML5dXDl9z3Pll0KgBNZXjwiFy8gXrnvWrxM=',
  });
  assert.ok(isWebhookSigned(key, { headers, body: Buffer.from(body), now: at }));
});

test('a secret is whsec_ and 24 to 64 bytes', () => {
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
  for (const secret of [of(24), of(64)]) assert.ok(readWebhookSecret(secret));
  for (const secret of ['', 'whsec_', of(23), of(65), 'whsec_????', SECRET.slice(6)]) {
    assert.equal(readWebhookSecret(secret), undefined);
  }
});
