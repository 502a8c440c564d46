import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsUntil, timeLeft } from './time-left.ts';

const units = { day: 'д', hour: 'ч', minute: 'мин', second: 'с' };
const format = (seconds: number) => timeLeft(seconds, units).replaceAll('\u00a0', ' ');

test('the two largest units are shown', () => {
  assert.equal(format(7 * 86_400), '7 д 0 ч');
  assert.equal(format(86_399), '23 ч 59 мин');
  assert.equal(format(845), '14 мин 5 с');
  assert.equal(format(59), '59 с');
  assert.equal(format(0), '0 с');
});

test('a past instant gives zero', () => {
  const at = '2026-11-14T10:00:00Z';
  assert.equal(secondsUntil(at, Date.parse(at) - 1), 1);
  assert.equal(secondsUntil(at, Date.parse(at) + 1), 0);
});
