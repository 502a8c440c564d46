import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantsOf } from './period.ts';

const NO_DATES = { from: undefined, to: undefined };
const TODAY = '2026-11-14';

test('today is one day and seven days are seven, with today', () => {
  const begins = (period: 'today' | '7d') => instantsOf({ period, ...NO_DATES }, TODAY).from;
  assert.equal(begins('today'), '2026-11-13T19:00:00.000Z');
  assert.equal(begins('7d'), '2026-11-07T19:00:00.000Z');
});

test("one's own dates hold their last day whole", () => {
  const asked = { period: 'dates', from: '2026-11-01', to: '2026-11-02' } as const;
  assert.deepEqual(instantsOf(asked, TODAY), {
    from: '2026-10-31T19:00:00.000Z',
    to: '2026-11-02T19:00:00.000Z',
  });
});

test('a date that makes no sense is as if it were absent', () => {
  const asked = { period: 'dates', from: 'then', to: '2026-99-99' } as const;
  assert.deepEqual(instantsOf(asked, TODAY), NO_DATES);
});

test('dates that were left in the address mean nothing under another period', () => {
  const asked = { period: undefined, from: '2026-11-01', to: '2026-11-02' };
  assert.deepEqual(instantsOf(asked, TODAY), NO_DATES);
});
