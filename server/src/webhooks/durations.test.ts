import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addUp, classOfDuration, DURATION_CLASSES, p95Of } from './durations.ts';

test('a duration belongs to the class whose limit it does not exceed', () => {
  assert.deepEqual(
    [0, 10, 11, 20, 7_500, 7_501, 10_400].map(classOfDuration),
    [1, 1, 2, 2, 18, 19, 19],
  );
});

test('the 95th percentile lies in the class that reaches it', () => {
  const counts = (of: Record<number, number>) =>
    Array.from({ length: DURATION_CLASSES }, (_, i) => of[i + 1] ?? 0);
  assert.equal(p95Of(counts({})), null);
  assert.equal(p95Of(counts({ 1: 100 })), 10);
  // 94 fast ones; the 95th is the first of six between 500 and 750 ms.
  assert.equal(p95Of(counts({ 1: 94, 12: 6 })), 542);
  assert.equal(p95Of(counts({ 19: 1 })), 9_875);
  assert.deepEqual(addUp([counts({ 1: 2 }), counts({ 1: 1, 3: 4 })]), counts({ 1: 3, 3: 4 }));
});
