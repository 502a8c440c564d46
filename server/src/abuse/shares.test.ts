import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShares } from './shares.ts';

test('a holder gets its share, and the others theirs', () => {
  const shares = createShares(2);
  const first = shares.take('a');
  assert.ok(first && shares.take('a'));
  assert.equal(shares.take('a'), undefined);
  assert.ok(shares.take('b'));
  first();
  assert.equal(shares.countOf('a'), 1);
  assert.ok(shares.take('a'));
});

test('a share that is given back twice counts once', () => {
  const shares = createShares(2);
  const first = shares.take('a');
  shares.take('a');
  first?.();
  first?.();
  assert.equal(shares.countOf('a'), 1);
});
