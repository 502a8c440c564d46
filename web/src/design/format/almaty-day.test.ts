import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, dayOf, startOfDay } from './almaty-day.ts';

test('a day begins at midnight in Almaty, before and after the offset changed', () => {
  assert.equal(startOfDay('2026-11-14'), '2026-11-13T19:00:00.000Z');
  assert.equal(startOfDay('2024-03-01'), '2024-02-29T19:00:00.000Z');
  assert.equal(startOfDay('2024-02-28'), '2024-02-27T18:00:00.000Z');
});

test('an invalid day has no start', () => {
  for (const text of ['', 'today', '2026-13-01', '14.11.2026']) {
    assert.equal(startOfDay(text), undefined, text);
  }
});

test('late in the evening in UTC it is already the next day in Almaty', () => {
  assert.equal(dayOf('2026-11-13T18:59:59Z'), '2026-11-13');
  assert.equal(dayOf('2026-11-13T19:00:00Z'), '2026-11-14');
});

test('days are added across the ends of months and years', () => {
  assert.equal(addDays('2026-12-31', 1), '2027-01-01');
  assert.equal(addDays('2028-03-01', -1), '2028-02-29');
});
