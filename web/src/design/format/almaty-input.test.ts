import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromAlmatyInput, toAlmatyInput } from './almaty-input.ts';

test('a time in a field is in Almaty time, before and after the offset changed', () => {
  assert.equal(fromAlmatyInput('2026-11-14T10:42'), '2026-11-14T05:42:00.000Z');
  assert.equal(fromAlmatyInput('2023-11-14T10:42'), '2023-11-14T04:42:00.000Z');
  assert.equal(toAlmatyInput('2026-11-14T05:42:07.112Z'), '2026-11-14T10:42');
  assert.equal(toAlmatyInput('2023-11-14T04:42:00.000Z'), '2023-11-14T10:42');
});

test('on the day of the change both offsets are right', () => {
  assert.equal(fromAlmatyInput('2024-02-29T22:30'), '2024-02-29T16:30:00.000Z');
  assert.equal(fromAlmatyInput('2024-03-01T00:30'), '2024-02-29T19:30:00.000Z');
});

test('an empty or invalid field gives undefined', () => {
  assert.equal(fromAlmatyInput(''), undefined);
  assert.equal(fromAlmatyInput('2026-13-14T10:42'), undefined);
});
