import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readZone } from './time-zone.ts';

test('Almaty is five hours ahead today', () => {
  const zone = readZone(new Date('2026-11-01T00:00:00Z'));
  assert.equal(zone.offset, '+05:00');
  assert.equal(zone.isRight, true);
});

test('the old offset is recognised as wrong', () => {
  assert.equal(readZone(new Date('2023-01-01T00:00:00Z')).isRight, false);
});
