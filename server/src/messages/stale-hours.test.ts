import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../almaty.ts';
import { liveSince, newestSpan, staleHours } from './stale-hours.ts';

const now = new Date('2026-11-15T20:30:00Z');
const hour = (text: string) => new Date(`2026-11-${text}:00:00Z`);

test('the current hour and the one before it are never stored', () => {
  assert.deepEqual(liveSince(now), hour('15T19'));
  assert.deepEqual(staleHours(new Map(), { from: hour('15T18'), now }), [hour('15T18')]);
  assert.deepEqual(staleHours(new Map(), { from: hour('15T19'), now }), []);
});

test('an hour is counted again when it has grown older by a quarter, and never after two days', () => {
  const isStale = (countedAfterHours: number, readAfterHours: number) => {
    const end = hour('01T01').getTime();
    const counted = new Map([[end - HOUR_MS, new Date(end + countedAfterHours * HOUR_MS)]]);
    const at = new Date(end + readAfterHours * HOUR_MS);
    return staleHours(counted, { from: hour('01T00'), now: at })[0]?.getTime() === end - HOUR_MS;
  };
  assert.equal(isStale(4, 5), false);
  assert.equal(isStale(4, 5.01), true);
  assert.equal(isStale(47, 700), true);
  assert.equal(isStale(48, 700), false);
});

test('hours are counted together up to a gap, the newest first', () => {
  const from = hour('13T00');
  const stale = staleHours(new Map([[hour('13T05').getTime(), now]]), { from, now });
  assert.equal(stale.length, 5 + 61);
  const newest = newestSpan(stale);
  assert.equal(newest.length - 1, 61);
  assert.deepEqual([newest[0], newest.at(-1)], [hour('13T06'), liveSince(now)]);
  const rest = stale.slice(0, 1 - newest.length);
  assert.deepEqual(
    newestSpan(rest),
    [0, 1, 2, 3, 4, 5].map((h) => hour(`13T0${h}`)),
  );
});

test('hours with too many rows are left for later, except one', () => {
  const stale = staleHours(new Map(), { from: hour('15T10'), now });
  const after = (text: string) => newestSpan(stale, new Date(`2026-11-15T${text}Z`));
  assert.deepEqual(after('16:30:00'), [hour('15T17'), hour('15T18'), hour('15T19')]);
  assert.deepEqual(after('16:00:00'), [hour('15T17'), hour('15T18'), hour('15T19')]);
  assert.deepEqual(after('18:59:59'), [hour('15T18'), hour('15T19')]);
});
