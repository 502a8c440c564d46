import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atMostEachMinute } from './each-minute.ts';

test('the first is written at once, the others once a minute with their number', () => {
  let nowMs = 0;
  const written: [string, number][] = [];
  const write = atMostEachMinute<string>(
    (value, count) => written.push([value, count]),
    () => nowMs,
  );
  write('a');
  nowMs = 59_999;
  for (const value of ['b', 'c', 'd']) write(value);
  assert.deepEqual(written, [['a', 1]]);
  nowMs = 60_000;
  write('e');
  nowMs = 200_000;
  write('f');
  assert.deepEqual(written, [
    ['a', 1],
    ['e', 4],
    ['f', 1],
  ]);
});
