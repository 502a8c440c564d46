import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPlace } from './next-place.ts';

test('arrows move through a menu and around its ends', () => {
  assert.equal(nextPlace(0, 1, 3), 1);
  assert.equal(nextPlace(2, 1, 3), 0);
  assert.equal(nextPlace(0, -1, 3), 2);
});

test('the first arrow goes to the first item, or upwards to the last', () => {
  assert.equal(nextPlace(-1, 1, 3), 0);
  assert.equal(nextPlace(-1, -1, 3), 2);
});
