import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactSpan } from './exact-span.ts';

const UNITS = { second: 'с', minute: 'мин', hour: 'ч', day: 'дн' };

test('a span is shown in the largest unit that divides it', () => {
  assert.equal(exactSpan(2_592_000, UNITS), '30\u00a0дн');
  assert.equal(exactSpan(7_200, UNITS), '2\u00a0ч');
  assert.equal(exactSpan(300, UNITS), '5\u00a0мин');
  assert.equal(exactSpan(90, UNITS), '90\u00a0с');
  assert.equal(exactSpan(0, UNITS), '0\u00a0с');
});
