import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth, shareConfirmed, spread } from './series.ts';

const bucket = (whatsapp: number, sms: number, confirmed: number) => ({
  sends: { whatsapp, telegram: 0, sms },
  confirmed,
});

test('an hour without sends has no confirmed share, which differs from a share of 0', () => {
  assert.equal(shareConfirmed([bucket(0, 0, 0)]), null);
  assert.equal(shareConfirmed([bucket(3, 1, 0)]), 0);
});

test('the share of a range weights its hours by their sends', () => {
  assert.equal(shareConfirmed([bucket(9, 0, 9), bucket(0, 1, 0)]), 0.9);
});

test('a confirmation from an earlier hour does not push the share above 1', () => {
  assert.equal(shareConfirmed([bucket(1, 0, 2)]), 1);
});

test('unknown values are ignored in the spread', () => {
  assert.deepEqual(spread([null, 3, null, 1]), [1, 3]);
  assert.equal(spread([null]), undefined);
});

test('there is no growth compared with zero', () => {
  assert.equal(growth(5, 0), undefined);
  assert.equal(growth(90, 120), -0.25);
});
