import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharesOf } from './shares.ts';

test('shares in tenths of a percent add up to 100 %', () => {
  assert.deepEqual(sharesOf([1, 1, 1]), [0.334, 0.333, 0.333]);
  assert.deepEqual(sharesOf([2, 1]), [0.667, 0.333]);
  assert.deepEqual(sharesOf([9_871, 0]), [1, 0]);
  for (const counts of [
    [1, 2, 3, 4, 5, 6, 7],
    [99_999, 1],
    [333, 333, 335, 1, 1],
    [7, 11, 13],
  ]) {
    const sum = sharesOf(counts).reduce((total, share) => total + Math.round(share * 1_000), 0);
    assert.equal(sum, 1_000, counts.join());
  }
});

test('nothing has no share', () => {
  assert.deepEqual(sharesOf([0, 0]), [0, 0]);
});
