import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from './format.ts';
import { formatSpan } from './span.ts';

const units = { second: 'с', minute: 'мин', hour: 'ч', day: 'дн' };
const spanOf = (ms: number) => formatSpan(ms, units, createFormat('ru')).replaceAll('\u00a0', ' ');

test('a span is shown in the largest unit that fits', () => {
  assert.equal(spanOf(368), '0,4 с');
  assert.equal(spanOf(34_800), '34,8 с');
  assert.equal(spanOf(59_900), '1 мин');
  assert.equal(spanOf(12 * 60_000), '12 мин');
  assert.equal(spanOf(3 * 3_600_000), '3 ч');
  assert.equal(spanOf(50 * 3_600_000), '2 дн');
});
