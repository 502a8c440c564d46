import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryState } from './expiry-state.ts';

test('a key is about to expire for seven days, and over from its very end', () => {
  const now = Date.parse('2026-11-18T10:00:00Z');
  const state = (end: string | null) => expiryState(end, { now, warnDays: 7 });
  assert.equal(state(null), 'none');
  assert.equal(state('2026-11-25T10:00:00.001Z'), 'far');
  assert.equal(state('2026-11-25T10:00:00.000Z'), 'soon');
  assert.equal(state('2026-11-18T10:00:00.001Z'), 'soon');
  assert.equal(state('2026-11-18T10:00:00.000Z'), 'over');
});
