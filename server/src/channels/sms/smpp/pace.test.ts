import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace } from './pace.ts';

const never = new AbortController().signal;
const MINUTE_MS = 60_000;

test('a pace keeps its rate', async () => {
  const pace = createPace(100);
  const startedAt = performance.now();
  for (let i = 0; i < 21; i++) assert.equal(await pace.turn(never, MINUTE_MS), true);
  assert.ok(performance.now() - startedAt >= 199);
});

test('who was too fast waits a second, even when already in line', async () => {
  const pace = createPace(10);
  await pace.turn(never, MINUTE_MS);
  const startedAt = performance.now();
  const inLine = pace.turn(never, MINUTE_MS);
  pace.slowDown();
  await inLine;
  assert.ok(performance.now() - startedAt >= 999);
});

test('all who were too fast together wait one second, and go half as fast after it', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const pace = createPace(10);
  assert.equal(await pace.turn(never, 0), true);
  pace.slowDown();
  pace.slowDown();
  for (const [at, isTurn] of [
    [999, false],
    [1_000, true],
    [1_199, false],
    [1_200, true],
  ] as const) {
    now = at;
    assert.equal(await pace.turn(never, 0), isTurn, `${at} ms`);
  }
});

test('a turn is not waited for longer than one has time', async () => {
  const pace = createPace(1);
  await pace.turn(never, MINUTE_MS);
  assert.equal(await pace.turn(AbortSignal.timeout(20), MINUTE_MS), false);
});

test('a turn that would come too late is left to others', async () => {
  const pace = createPace(20);
  assert.equal(await pace.turn(never, 0), true);
  for (let i = 0; i < 100; i++) assert.equal(await pace.turn(never, 10), false);
  assert.equal(await pace.turn(never, 100), true);
});
