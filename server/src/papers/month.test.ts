import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Month, monthOf, monthsBetween, nextMonth, rangeOf } from './month.ts';

test('a month begins at midnight in Almaty', () => {
  const { from, to } = rangeOf('2026-11' as Month);
  assert.equal(from.toISOString(), '2026-10-31T19:00:00.000Z');
  assert.equal(to.toISOString(), '2026-11-30T19:00:00.000Z');
});

test('the month of an instant is that of Almaty', () => {
  assert.equal(monthOf(new Date('2026-10-31T18:59:59.999Z')), '2026-10');
  assert.equal(monthOf(new Date('2026-10-31T19:00:00.000Z')), '2026-11');
});

test('February 2024 ended an hour later: Almaty moved from six hours to five', () => {
  const { from, to } = rangeOf('2024-02' as Month);
  assert.equal(from.toISOString(), '2024-01-31T18:00:00.000Z');
  assert.equal(to.toISOString(), '2024-02-29T19:00:00.000Z');
});

test('a year ends with December', () => {
  assert.equal(nextMonth('2026-12' as Month), '2027-01');
  assert.equal(nextMonth('2026-09' as Month), '2026-10');
});

test('months are listed from the newest', () => {
  const months = monthsBetween(new Date('2026-10-05Z'), new Date('2027-01-01T10:00:00Z'));
  assert.deepEqual(months, ['2027-01', '2026-12', '2026-11', '2026-10']);
});
