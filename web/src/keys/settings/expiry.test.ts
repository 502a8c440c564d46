import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endInDays, endOfDay, lastDayOf } from './expiry.ts';

test('a key works to the end of its last day in Almaty', () => {
  assert.equal(endOfDay('2026-12-31'), '2026-12-31T19:00:00.000Z');
  assert.equal(lastDayOf('2026-12-31T19:00:00.000Z'), '2026-12-31');
  assert.equal(lastDayOf('2026-12-31T19:00:00.001Z'), '2027-01-01');
  assert.equal(endOfDay(''), undefined);
});

test('days are counted from today in Almaty, where it is tomorrow already in the evening of UTC', () => {
  assert.equal(endInDays(30, Date.parse('2026-11-18T18:59:59Z')), '2026-12-18T19:00:00.000Z');
  assert.equal(endInDays(30, Date.parse('2026-11-18T19:00:00Z')), '2026-12-19T19:00:00.000Z');
});
