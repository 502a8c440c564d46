import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockText, passedMark } from './time-left.ts';

test('the time left is read out at five minutes, one minute and the end, each once', () => {
  const spoken = [];
  for (let left = 900; left > 0; left--) {
    const mark = passedMark(left, left - 1);
    if (mark !== undefined) spoken.push([left - 1, mark]);
  }
  assert.deepEqual(spoken, [
    [300, 300],
    [60, 60],
    [0, 0],
  ]);
});

test('a page that slept reads out where it is now, and nothing twice', () => {
  assert.equal(passedMark(700, 30), 60);
  assert.equal(passedMark(700, 0), 0);
  assert.equal(passedMark(60, 60), undefined);
  assert.equal(passedMark(0, 0), undefined);
});

test('the countdown shows minutes and seconds', () => {
  assert.deepEqual([899, 65, 9, 0].map(clockText), ['14:59', '1:05', '0:09', '0:00']);
});
