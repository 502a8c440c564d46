import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../almaty.ts';
import { liveSince, staleHours } from './stale-hours.ts';

const now = new Date('2026-11-15T20:30:00Z');
const hour = (text: string) => new Date(`2026-11-${text}:00:00Z`);

test('the present hour and the one before it are never stored', () => {
  assert.deepEqual(liveSince(now), hour('15T19'));
  assert.deepEqual(staleHours(new Map(), { from: hour('15T18'), now }), [
    [hour('15T18'), hour('15T19')],
  ]);
  assert.deepEqual(staleHours(new Map(), { from: hour('15T19'), now }), []);
});

test('an hour is counted again when it has grown older by a quarter, and never after two days', () => {
  const isStale = (countedAfterHours: number, readAfterHours: number) => {
    const end = hour('01T01').getTime();
    const counted = new Map([[end - HOUR_MS, new Date(end + countedAfterHours * HOUR_MS)]]);
    const at = new Date(end + readAfterHours * HOUR_MS);
    return (
      staleHours(counted, { from: hour('01T00'), now: at })[0]?.[0]?.getTime() === end - HOUR_MS
    );
  };
  assert.equal(isStale(4, 5), false);
  assert.equal(isStale(4, 5.01), true);
  assert.equal(isStale(47, 700), true);
  assert.equal(isStale(48, 700), false);
});

test('missing hours are counted a day at a time, and those that are fresh are left out', () => {
  const from = hour('13T00');
  const spans = staleHours(new Map([[hour('13T05').getTime(), now]]), { from, now });
  assert.deepEqual(
    spans.map((span) => span.length - 1),
    [5, 24, 24, 13],
  );
  assert.deepEqual(spans[1]?.[0], hour('13T06'));
  assert.deepEqual(spans.at(-1)?.at(-1), liveSince(now));
});
