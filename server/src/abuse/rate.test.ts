import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRateLimiter } from './rate.ts';

function limiter() {
  let now = 0;
  const rate = createRateLimiter({ nowMs: () => now });
  return { rate, pass: (ms: number) => (now += ms) };
}

test('a minute’s worth of requests may come at once, and the next gets a wait time', () => {
  const { rate } = limiter();
  for (let i = 0; i < 60; i++) {
    const remaining = 59 - i;
    const waitSeconds = remaining > 0 ? 0 : 1;
    assert.deepEqual(rate.take('a', 60), { isAllowed: true, remaining, waitSeconds });
  }
  assert.deepEqual(rate.take('a', 60), { isAllowed: false, remaining: 0, waitSeconds: 1 });
});

test('a caller that waits as long as told is allowed', () => {
  const { rate, pass } = limiter();
  for (let i = 0; i < 4; i++) rate.take('a', 3);
  const refused = rate.take('a', 3);
  assert.equal(refused.isAllowed, false);
  pass(refused.waitSeconds * 1_000);
  assert.equal(rate.take('a', 3).isAllowed, true);
});

test('a refused request uses no tokens', () => {
  const { rate, pass } = limiter();
  for (let i = 0; i < 60; i++) rate.take('a', 60);
  for (let i = 0; i < 1_000; i++) rate.take('a', 60);
  pass(1_000);
  assert.equal(rate.take('a', 60).isAllowed, true);
});

test('each caller has its own bucket', () => {
  const { rate } = limiter();
  assert.equal(rate.take('a', 1).isAllowed, true);
  assert.equal(rate.take('a', 1).isAllowed, false);
  assert.equal(rate.take('b', 1).isAllowed, true);
  assert.equal(rate.take(1, 1).isAllowed, true);
});

test('a limit that was raised counts from the next request', () => {
  const { rate, pass } = limiter();
  rate.take('a', 1);
  assert.equal(rate.take('a', 1).isAllowed, false);
  pass(1_000);
  assert.equal(rate.take('a', 600).isAllowed, true);
});

test('in any minute no more than two buckets pass, whatever the intervals', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), steps, (perMinute, pauses) => {
      const { rate, pass } = limiter();
      let now = 0;
      const passed: number[] = [];
      for (const ms of pauses) {
        now += ms;
        pass(ms);
        if (rate.take('a', perMinute).isAllowed) passed.push(now);
      }
      for (const from of passed) {
        const inMinute = passed.filter((at) => at >= from && at < from + 60_000).length;
        assert(inMinute <= 2 * perMinute, `${inMinute} of ${perMinute}`);
      }
    }),
  );
});

test('three nodes together grant what one would', () => {
  let now = 0;
  let nodes = 3;
  const open = () => createRateLimiter({ nowMs: () => now, nodes: () => nodes });
  const all = [open(), open(), open()];
  const granted = (perMinute: number) =>
    all.reduce((sum, rate) => {
      for (let i = 0; i < 100; i++) sum += Number(rate.take('a', perMinute).isAllowed);
      return sum;
    }, 0);
  assert.equal(granted(30), 30);
  now += 60_000;
  assert.equal(granted(30), 30);
  // The two that are left take over what the third had.
  nodes = 2;
  all.pop();
  now += 60_000;
  assert.equal(granted(30), 30);
});

test('a node whose part is less than one request grants one now and then', () => {
  let now = 0;
  const rate = createRateLimiter({ nowMs: () => now, nodes: () => 4 });
  let granted = 0;
  for (let second = 0; second < 600; second++) {
    granted += Number(rate.take('a', 2).isAllowed);
    now += 1_000;
  }
  // Half a request a minute, and the one it began with.
  assert.equal(granted, 5);
});
