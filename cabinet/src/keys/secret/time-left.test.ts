import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsUntil, timeLeft } from './time-left.ts';

const units = { day: 'д', hour: 'ч', minute: 'мин', second: 'с' };
const say = (seconds: number) => timeLeft(seconds, units).replaceAll('\u00a0', ' ');

test('the two largest units are said', () => {
  assert.equal(say(7 * 86_400), '7 д 0 ч');
  assert.equal(say(86_399), '23 ч 59 мин');
  assert.equal(say(845), '14 мин 5 с');
  assert.equal(say(59), '59 с');
  assert.equal(say(0), '0 с');
});

test('an instant that has passed leaves nothing', () => {
  const at = '2026-11-14T10:00:00Z';
  assert.equal(secondsUntil(at, Date.parse(at) - 1), 1);
  assert.equal(secondsUntil(at, Date.parse(at) + 1), 0);
});
