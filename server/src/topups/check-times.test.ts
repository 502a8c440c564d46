import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextCheckSeconds, nextRefundCheckSeconds, nextRetrySeconds } from './check-times.ts';

const HOUR = 3600;

for (const [what, order, seconds] of [
  ['the first check is after ten seconds', { checks: 0, overSeconds: -1200 }, 10],
  ['also after the first answer', { checks: 1, overSeconds: -1200 }, 10],
  ['checks become rarer', { checks: 3, overSeconds: -1200 }, 22.5],
  ['and are five minutes apart at most', { checks: 30, overSeconds: -1200 }, 300],
  ['a provider can name its own interval', { checks: 9, overSeconds: -600, wanted: 5 }, 5],
  ['of a second or more', { checks: 9, overSeconds: -600, wanted: 0 }, 1],
  ['and of five minutes or less', { checks: 1, overSeconds: -9000, wanted: 9999 }, 300],
  ['one check is just after the end', { checks: 30, overSeconds: -100 }, 102],
  ['late payments are looked for', { checks: 30, overSeconds: 0 }, 300],
  ['at the usual pace', { checks: 30, overSeconds: HOUR, wanted: 1 }, 300],
  ['but not for ever', { checks: 60, overSeconds: 3 * HOUR }, null],
] as const) {
  test(`checks of an order: ${what}`, () => assert.equal(nextCheckSeconds(order), seconds));
}

test('refunds of a paid order are asked about ever more rarely, for half a year', () => {
  const pauses: number[] = [];
  let overSeconds = -20 * 60;
  for (;;) {
    const seconds = nextRefundCheckSeconds(overSeconds);
    if (seconds === null) break;
    pauses.push(seconds);
    overSeconds += seconds;
  }
  const day = 24 * HOUR;
  assert.deepEqual(pauses.slice(0, 4), [HOUR, HOUR, 6_000, 12_000]);
  assert.equal(Math.max(...pauses), 14 * day);
  assert.equal(pauses.length, 22);
  assert.ok(overSeconds >= 180 * day && overSeconds < 194 * day);
});

test('retries become rarer, and end after days', () => {
  assert.deepEqual([1, 2, 3, 8, 53].map(nextRetrySeconds), [30, 60, 120, 3600, 3600]);
  assert.equal(nextRetrySeconds(54), null);
});
