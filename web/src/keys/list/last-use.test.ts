import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastUse } from './last-use.ts';

const now = Date.parse('2026-11-14T10:00:00Z');
const ago = (ms: number) => new Date(now - ms).toISOString();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const key = { created_at: ago(90 * DAY), state: 'active' };

test('a key is fresh for an hour, and idle after thirty days', () => {
  const use = (used_at: string) => lastUse({ ...key, used_at }, now).is;
  assert.equal(use(ago(HOUR - 1)), 'fresh');
  assert.equal(use(ago(HOUR)), 'calm');
  assert.equal(use(ago(30 * DAY - 1)), 'calm');
  assert.equal(use(ago(30 * DAY)), 'idle');
});

test('a key that was never used is idle by the age of its creation', () => {
  assert.deepEqual(lastUse({ ...key, used_at: null }, now), { is: 'idle', days: 90, at: null });
  const young = { ...key, created_at: ago(DAY), used_at: null };
  assert.deepEqual(lastUse(young, now), { is: 'unused' });
});

test('a revoked key is never idle', () => {
  assert.equal(lastUse({ ...key, used_at: ago(60 * DAY), state: 'revoked' }, now).is, 'calm');
});
