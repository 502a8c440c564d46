import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNearest } from './nearest.ts';

const NAMES = ['quick-start', 'codes', 'webhooks', 'errors', 'insufficient_tokens'];

test('the nearest name is found by a few wrong letters or by a part, and not at any distance', () => {
  const expected: Record<string, string | undefined> = {
    quickstart: 'quick-start',
    Code: 'codes',
    webhok: 'webhooks',
    insufficient_token: 'insufficient_tokens',
    zzzzzz: undefined,
    xy: undefined,
  };
  for (const [asked, nearest] of Object.entries(expected)) {
    assert.equal(findNearest(asked, NAMES), nearest, asked);
  }
});
