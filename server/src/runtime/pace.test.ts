import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from './pace.ts';

/** A clock that moves only when it is told to, and what was slept. */
function openPace(pauseMs: number) {
  const slept: number[] = [];
  const clock = { now: 0 };
  const pace = createPace(pauseMs, {
    nowMs: () => clock.now,
    sleep: async (ms) => void slept.push(ms),
  });
  return { pace, clock, slept };
}
const never = new AbortController().signal;

test('calls at the same moment get turns one pause apart; the first does not wait', async () => {
  const { pace, slept } = openPace(2_000);
  await Promise.all([pace.wait(never), pace.wait(never), pace.wait(never)]);
  assert.deepEqual(slept, [2_000, 4_000]);
});

test('only the rest of a pause is waited for, and nothing once it is over', async () => {
  const { pace, clock, slept } = openPace(2_000);
  await pace.wait(never);
  clock.now = 1_500;
  await pace.wait(never);
  assert.deepEqual(slept, [500]);
  clock.now = 4_000;
  await pace.wait(never);
  assert.deepEqual(slept, [500]);
});

test('a call that could not wait is kept a distance from, and takes no turn away', async () => {
  const { pace, clock, slept } = openPace(2_000);
  pace.note();
  await pace.wait(never);
  assert.deepEqual(slept, [2_000]);
  clock.now = 100;
  // The next turn is at 4,000 already.
  pace.note();
  await pace.wait(never);
  assert.deepEqual(slept, [2_000, 3_900]);
});

test('a wait ends with the signal', async () => {
  const pace = createPace(60_000);
  await pace.wait(never);
  const shutdown = new AbortController();
  const waiting = pace.wait(shutdown.signal);
  shutdown.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
});
