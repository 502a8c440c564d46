import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantsOf } from './period.ts';

/** 02:30 on the 14th in Almaty, still the 13th in UTC. */
const NOW = Date.parse('2026-11-13T21:30:45.678Z');

test('today begins at midnight in Almaty', () => {
  assert.deepEqual(instantsOf({ range: 'today' }, NOW), {
    from: '2026-11-13T19:00:00.000Z',
    to: undefined,
  });
});

test('yesterday ends where today begins', () => {
  assert.deepEqual(instantsOf({ range: 'yesterday' }, NOW), {
    from: '2026-11-12T19:00:00.000Z',
    to: '2026-11-13T19:00:00.000Z',
  });
});

test('seven days include today', () => {
  assert.equal(instantsOf({ range: '7d' }, NOW).from, '2026-11-07T19:00:00.000Z');
});

test('last month ends where this month begins, also across a new year', () => {
  assert.deepEqual(instantsOf({ range: 'month' }, NOW), {
    from: '2026-10-31T19:00:00.000Z',
    to: undefined,
  });
  assert.deepEqual(instantsOf({ range: 'last_month' }, Date.parse('2026-12-31T19:30:00Z')), {
    from: '2026-11-30T19:00:00.000Z',
    to: '2026-12-31T19:00:00.000Z',
  });
});

test('the last hour gives the same query for a whole minute', () => {
  const from = '2026-11-13T20:30:00.000Z';
  assert.equal(instantsOf({ range: 'hour' }, NOW).from, from);
  assert.equal(instantsOf({ range: 'hour' }, NOW + 14_000).from, from);
});

test('a custom range is passed unchanged, and no range stays empty', () => {
  const custom = { from: '2026-11-01T00:00:00.000Z', to: undefined };
  assert.deepEqual(instantsOf(custom, NOW), custom);
  assert.deepEqual(instantsOf({}, NOW), { from: undefined, to: undefined });
});
