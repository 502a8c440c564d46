import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../keys/api-key.ts';
import { chargedParts, storedParts } from './sms-price.ts';

const PER_PART = { isSmsPricedPerPart: true };
const PER_MESSAGE = { isSmsPricedPerPart: false };
const KEY = { language: 'ru', brand: null, domain: null, codeLength: 6 } as ApiKey;
/** With the six digits of a code and a space before it: 160 characters, which are one part. */
const LINK = `https://link.kz/${'a'.repeat(137)}`;

test('a text is charged by its parts, or once where the operator charges for the message', () => {
  const priceOf = (letters: number) =>
    [PER_PART, PER_MESSAGE].map((pricing) => chargedParts(pricing, () => 'ж'.repeat(letters)));
  assert.deepEqual(
    [priceOf(70), priceOf(71)],
    [
      [1, 1],
      [2, 1],
    ],
  );
});

test('a stored message is charged by its text, and a code by its digits and its link', () => {
  const partsOf = (kind: string, body: string | null, link?: string, pricing = PER_PART) =>
    storedParts(pricing, KEY, { kind, body, link });
  assert.equal(partsOf('link', 'ж'.repeat(71)), 2);
  assert.equal(partsOf('broadcast', 'ж'.repeat(70)), 1);
  assert.equal(partsOf('otp', null), 1);
  assert.equal(partsOf('otp', null, LINK), 1);
  assert.equal(partsOf('otp', null, `${LINK}a`), 2);
  assert.equal(partsOf('otp', null, `${LINK}a`, PER_MESSAGE), 1);
});
