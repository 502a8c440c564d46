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
  pace.slowDown();
  await inLine;
  const waitedMs = performance.now() - startedAt;
  assert.ok(waitedMs >= 999 && waitedMs < 1_900, `${waitedMs} ms`);
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
