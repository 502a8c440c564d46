import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantsOf } from './period.ts';

/** Half past two at night on the 14th in Almaty, still the 13th in UTC. */
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

test('seven days are seven, with today', () => {
  assert.equal(instantsOf({ range: '7d' }, NOW).from, '2026-11-07T19:00:00.000Z');
});

test('the last hour asks the same question for a minute', () => {
  const from = '2026-11-13T20:30:00.000Z';
  assert.equal(instantsOf({ range: 'hour' }, NOW).from, from);
  assert.equal(instantsOf({ range: 'hour' }, NOW + 14_000).from, from);
});

test("one's own range is asked for as it is, and none is none", () => {
  const own = { from: '2026-11-01T00:00:00.000Z', to: undefined };
  assert.deepEqual(instantsOf(own, NOW), own);
  assert.deepEqual(instantsOf({}, NOW), { from: undefined, to: undefined });
});
