/** The vectors of the clients hold for the library of the Standard Webhooks specification as well. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createFlippedVectors, createVectors, sign } from './webhook-vectors.ts';

test('a known call has the known signature', () => {
  const at = new Date(1_763_164_800_000);
  const signature = sign(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    at,
    '{"type":"message.delivered"}',
  );
  assert.equal(signature, 'v1,5IVxUIwmML5dXDl9z3Pll0KgBNZXjwiFy8gXrnvWrxM=');
});

test('the library accepts and refuses the same calls', () => {
  for (const { name, body, call, expect } of [...createVectors(), ...createFlippedVectors()]) {
    // The library knows no events and has one tolerance.
    if (expect === 'invalid_body' || name.includes('tolerance')) continue;
    const verify = () => new Webhook(call.secret).verify(body, call.headers);
    if (expect === 'ok') assert.doesNotThrow(verify, name);
    else assert.throws(verify, name);
  }
});
