import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expirySeconds } from './expiry.ts';

const NOON_IN_ALMATY = Date.parse('2026-11-14T07:00:00Z');

test('a link that never expires has no expires_in', () => {
  assert.equal(expirySeconds({ expiry: 'never', day: undefined }, NOON_IN_ALMATY), undefined);
});

test('seven and thirty days are counted from now', () => {
  const seconds = (expiry: '7d' | '30d') =>
    expirySeconds({ expiry, day: undefined }, NOON_IN_ALMATY);
  assert.equal(seconds('7d'), 604_800);
  assert.equal(seconds('30d'), 2_592_000);
});

test('a link with an expiry day expires at the end of that day in Almaty', () => {
  const until = (day: string) => expirySeconds({ expiry: 'date', day }, NOON_IN_ALMATY);
  assert.equal(until('2026-11-14'), 12 * 3_600);
  assert.equal(until('2026-11-15'), 36 * 3_600);
});

test('a missing or invalid day means no expiry', () => {
  assert.equal(expirySeconds({ expiry: 'date', day: undefined }, NOON_IN_ALMATY), undefined);
  assert.equal(expirySeconds({ expiry: 'date', day: 'soon' }, NOON_IN_ALMATY), undefined);
});
