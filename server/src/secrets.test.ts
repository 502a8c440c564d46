import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KeyId } from './ids.ts';
import type { Phone } from './phone.ts';
import { deriveSecrets } from './secrets.ts';

const secrets = deriveSecrets('a secret for tests alone, long enough');
const others = deriveSecrets('another secret for tests, as long');

test('unsealing returns the text that was sealed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(secrets.unseal(secrets.seal(text)), text);
    }),
  );
});

test('sealing twice gives two different texts', () => {
  assert.notDeepEqual(secrets.seal('123456'), secrets.seal('123456'));
});

test('a sealed text with one bit changed anywhere is refused', () => {
  const sealed = secrets.seal('123456');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const broken = Buffer.from(sealed);
    broken[bit >> 3] = (broken[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.throws(() => secrets.unseal(broken), `bit ${bit}`);
  }
});

test('a sealed text that was cut short is refused', () => {
  const sealed = secrets.seal('123456');
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => secrets.unseal(sealed.subarray(0, length)), `${length} bytes`);
  }
});

test('another secret neither unseals nor compares, and has another fingerprint', () => {
  assert.throws(() => others.unseal(secrets.seal('123456')));
  const identity = { keyId: 1 as KeyId, phone: '77011234567' as Phone, purpose: 'default' };
  assert.notDeepEqual(secrets.macOfCode(identity, '123456'), others.macOfCode(identity, '123456'));
  assert.notEqual(secrets.fingerprint, others.fingerprint);
});

const identity = fc.record({
  keyId: fc.integer({ min: 1, max: 30 }).map((id) => id as KeyId),
  phone: fc.constantFrom('77011234567', '7701123456', '77011234568').map((phone) => phone as Phone),
  // No control characters, as the contract says of a purpose.
  purpose: fc.constantFrom('default', 'login', 'log', '1', '12', 'a 1', 'а'),
});
const code = fc.constantFrom('123456', '12345', '23456', '000000', '1234567');

test('two fingerprints are equal exactly when the code and its whole identity are', () => {
  fc.assert(
    fc.property(identity, code, identity, code, (one, oneCode, two, twoCode) => {
      const isSame = JSON.stringify([one, oneCode]) === JSON.stringify([two, twoCode]);
      const isEqual = secrets.macOfCode(one, oneCode).equals(secrets.macOfCode(two, twoCode));
      assert.equal(isEqual, isSame);
    }),
    { numRuns: 2_000 },
  );
});

test('the same secret gives the same fingerprints after a restart', () => {
  const again = deriveSecrets('a secret for tests alone, long enough');
  assert.equal(again.unseal(secrets.seal('654321')), '654321');
  assert.equal(again.fingerprint, secrets.fingerprint);
});

test('a body is recognised under the same secret alone, and not by its plain hash', () => {
  const body = '{"phone":"+77011234567","code":"482913"}';
  assert.deepEqual(secrets.macOfBody(body), secrets.macOfBody(body));
  assert.notDeepEqual(secrets.macOfBody(body), secrets.macOfBody(body.replace('3"', '4"')));
  assert.notDeepEqual(secrets.macOfBody(body), others.macOfBody(body));
  assert.notDeepEqual(secrets.macOfBody(body), createHash('sha256').update(body).digest());
});
