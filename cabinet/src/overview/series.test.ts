import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growth, shareConfirmed, spread } from './series.ts';

const bucket = (whatsapp: number, sms: number, confirmed: number) => ({
  sends: { whatsapp, telegram: 0, sms },
  confirmed,
});

test('an hour without sends has no share of confirmed ones, and not a share of nought', () => {
  assert.equal(shareConfirmed([bucket(0, 0, 0)]), null);
  assert.equal(shareConfirmed([bucket(3, 1, 0)]), 0);
});

test('the share of a range weighs its hours by their sends', () => {
  assert.equal(shareConfirmed([bucket(9, 0, 9), bucket(0, 1, 0)]), 0.9);
});

test('a confirmation of an earlier hour does not make more than all', () => {
  assert.equal(shareConfirmed([bucket(1, 0, 2)]), 1);
});

test('what is unknown stretches no spread', () => {
  assert.deepEqual(spread([null, 3, null, 1]), [1, 3]);
  assert.equal(spread([null]), undefined);
});

test('nothing is compared with nothing', () => {
  assert.equal(growth(5, 0), undefined);
  assert.equal(growth(90, 120), -0.25);
});
