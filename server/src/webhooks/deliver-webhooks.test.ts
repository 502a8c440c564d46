import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roomBeside } from './deliver-webhooks.ts';

const calls = (count: number, call: { isSlow?: boolean; ageMs?: number } = {}) =>
  Array.from({ length: count }, () => ({
    isSlow: call.isSlow ?? false,
    startedMs: 100_000 - (call.ageMs ?? 0),
  }));
const roomOf = (...groups: ReturnType<typeof calls>[]) => roomBeside(groups.flat(), 100_000);

test('half of the room is for four calls of an endpoint, the rest for one each', () => {
  assert.deepEqual(roomOf(), { max: 96, slowMax: 64, share: 4 });
  assert.deepEqual(roomOf(calls(95)), { max: 1, slowMax: 64, share: 4 });
  assert.deepEqual(roomOf(calls(96)), { max: 96, slowMax: 64, share: 1 });
  assert.deepEqual(roomOf(calls(192)), { max: 0, slowMax: 64, share: 1 });
});

test('calls that take long make room for others before they time out', () => {
  assert.deepEqual(roomOf(calls(192, { ageMs: 1_001 })), { max: 96, slowMax: 64, share: 4 });
  assert.deepEqual(roomOf(calls(192, { ageMs: 999 })), { max: 0, slowMax: 64, share: 1 });
});

test('endpoints that have timed out take no room of the others, and nobody takes all memory', () => {
  assert.deepEqual(roomOf(calls(64, { isSlow: true })), { max: 96, slowMax: 0, share: 4 });
  assert.deepEqual(roomOf(calls(1_020, { ageMs: 5_000 })), { max: 4, slowMax: 4, share: 4 });
  assert.deepEqual(roomOf(calls(1_024, { ageMs: 5_000 })), { max: 0, slowMax: 0, share: 4 });
});
