import assert from 'node:assert/strict';
import { test } from 'node:test';
import { businessIdFault } from './business-id.ts';

test('a number whose last digit fits is taken', () => {
  assert.equal(businessIdFault('940140000385'), undefined);
  assert.equal(businessIdFault('123456789111'), 'checksum');
});

test('one wrong digit, or two that changed places, are noticed', () => {
  assert.equal(businessIdFault('940140000384'), 'checksum');
  assert.equal(businessIdFault('904140000385'), 'checksum');
});

test('the second weights decide where the first ones give ten', () => {
  // 1·8 + 2·1 = 10 by the first weights; 3·8 + 4·1 = 28, so 6, by the second.
  assert.equal(businessIdFault('810000000006'), undefined);
  assert.equal(businessIdFault('810000000000'), 'checksum');
});

test('anything but twelve digits is too short or too long', () => {
  for (const text of ['', '94014000038', '9401400003855', '94014000038x']) {
    assert.equal(businessIdFault(text), 'length');
  }
});
