import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter } from './rate-limiter.ts';

const never = new AbortController().signal;
const MINUTE_MS = 60_000;

test('a limiter keeps its rate', async () => {
  const limiter = createRateLimiter(100);
  const startedAt = performance.now();
  for (let i = 0; i < 21; i++) assert.equal(await limiter.acquire(never, MINUTE_MS), true);
  assert.ok(performance.now() - startedAt >= 199);
});

test('after throttling, everyone waits a second, also those already queued', async () => {
  const limiter = createRateLimiter(10);
  await limiter.acquire(never, MINUTE_MS);
  const startedAt = performance.now();
  const inLine = limiter.acquire(never, MINUTE_MS);
  limiter.slowDown();
  await inLine;
  assert.ok(performance.now() - startedAt >= 999);
});

test('several throttled messages pause one second and halve the rate once', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const limiter = createRateLimiter(10);
  assert.equal(await limiter.acquire(never, 0), true);
  limiter.slowDown();
  limiter.slowDown();
  for (const [at, isTurn] of [
    [999, false],
    [1_000, true],
    [1_199, false],
    [1_200, true],
  ] as const) {
    now = at;
    assert.equal(await limiter.acquire(never, 0), isTurn, `${at} ms`);
  }
});

test('an aborted signal ends the wait', async () => {
  const limiter = createRateLimiter(1);
  await limiter.acquire(never, MINUTE_MS);
  assert.equal(await limiter.acquire(AbortSignal.timeout(20), MINUTE_MS), false);
});

test('a turn that would come too late is not reserved', async () => {
  const limiter = createRateLimiter(20);
  assert.equal(await limiter.acquire(never, 0), true);
  for (let i = 0; i < 100; i++) assert.equal(await limiter.acquire(never, 10), false);
  assert.equal(await limiter.acquire(never, 100), true);
});

test('a bulk message takes a turn only when one is free, and reserves none', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const limiter = createRateLimiter(10);
  assert.equal(limiter.tryAcquire(0), true);
  assert.equal(limiter.tryAcquire(0), false);
  now = 99;
  assert.equal(limiter.tryAcquire(0), false);
  now = 100;
  assert.equal(await limiter.acquire(never, 0), true, 'the turn is still there for a code');
  assert.equal(limiter.tryAcquire(0), false);
});

test('a bulk message that has waited loses nothing to late timers', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const limiter = createRateLimiter(100);
  assert.equal(limiter.tryAcquire(0), true);
  // Woken 9 ms late: its turn was at 10 ms, so the next one is at 20 ms.
  now = 19;
  assert.equal(limiter.tryAcquire(0), true);
  now = 20;
  assert.equal(limiter.tryAcquire(0), true);
  // Nobody has waited for the turns of this pause, and they do not come back.
  now = 1_000;
  assert.equal(limiter.tryAcquire(1_000), true);
  assert.equal(limiter.tryAcquire(1_000), false);
});

test('waiting for a turn ends when it may be free, and at once when that is too late', async () => {
  const limiter = createRateLimiter(20);
  assert.equal(limiter.tryAcquire(performance.now()), true);
  assert.equal(await limiter.waitForTurn(never, 10), false);
  assert.equal(await limiter.waitForTurn(never, MINUTE_MS), true);
  assert.equal(limiter.tryAcquire(performance.now()), true);
  assert.equal(await limiter.waitForTurn(AbortSignal.timeout(5), MINUTE_MS), false);
});
