import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planTopups } from './plan-topups.ts';

const NOW = new Date('2026-11-18T12:00:00Z');
const HOUR_MS = 3_600_000;

/** So many tokens an hour, for so many days up to now. */
const charges = (perHour: number, days: number) =>
  Array.from({ length: days * 24 }, (_, hour) => ({
    at: new Date(NOW.getTime() - (days * 24 - hour) * HOUR_MS),
    amount: perHour,
  }));

function play(balance: number, perHour: number, days: number) {
  const spent = charges(perHour, days);
  const topups = planTopups(balance, spent, NOW);
  const moves = [
    ...topups.map(({ at, amount }) => ({ at, amount })),
    ...spent.map(({ at, amount }) => ({ at, amount: -amount })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  let left = balance;
  let least = balance;
  for (const { amount } of moves) {
    left += amount;
    least = Math.min(least, left);
  }
  return { topups, left, least };
}

test('the balance never ends, and lasts for two to four weeks', () => {
  for (const perHour of [5, 20, 25, 60]) {
    const { left, least, topups } = play(11_050, perHour, 30);
    assert.ok(least >= 0, `${perHour} an hour: ${least}`);
    const days = left / (perHour * 24);
    assert.ok(days >= 12 || topups.length === 0, `${perHour} an hour: ${days} days`);
  }
});

test('a continued history tops up only when little is left', () => {
  assert.deepEqual(play(9_000, 20, 2).topups, []);
  const { topups, least } = play(900, 20, 2);
  assert.equal(topups.length, 1);
  assert.ok(least >= 0);
});

test('a company that spent nothing pays nothing', () => {
  assert.deepEqual(planTopups(50, [], NOW), []);
});
