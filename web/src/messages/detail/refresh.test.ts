import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refreshMs } from './refresh.ts';

const NOW = Date.parse('2026-11-14T05:42:00Z');
const young = '2026-11-14T05:41:00Z';
const old = '2026-11-14T04:00:00Z';

test('a pending message is refreshed soon, an old final one never', () => {
  assert.equal(refreshMs({ state: 'sending', at: young }, NOW), 2_000);
  assert.equal(refreshMs({ state: 'sent', at: old }, NOW), 15_000);
  assert.equal(refreshMs({ state: 'delivered', at: young }, NOW), 15_000);
  assert.equal(refreshMs({ state: 'delivered', at: old }, NOW), false);
  assert.equal(refreshMs({ state: 'unconfirmed', at: old }, NOW), false);
  assert.equal(refreshMs(undefined, NOW), false);
});
