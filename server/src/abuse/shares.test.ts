import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createShares } from './shares.ts';

test('a network gets its share, and the others theirs', () => {
  const shares = createShares(2);
  const first = shares.take('10.0.0.1');
  assert.ok(first && shares.take('10.0.0.1'));
  assert.equal(shares.take('10.0.0.1'), undefined);
  assert.ok(shares.take('10.0.0.2'));
  first();
  assert.ok(shares.take('10.0.0.1'));
  assert.equal(shares.take('10.0.0.1'), undefined);
});

test('a share that is given back twice counts once', () => {
  const shares = createShares(2);
  const first = shares.take('10.0.0.1');
  shares.take('10.0.0.1');
  first?.();
  first?.();
  assert.ok(shares.take('10.0.0.1'));
  assert.equal(shares.take('10.0.0.1'), undefined);
});

test('the addresses of a /64 have one share, and a /48 has four', () => {
  const shares = createShares(2);
  const taken = Array.from({ length: 4 }, (_, network) =>
    [1, 2, 3].map((host) => shares.take(`2001:db8:1:${network}::${host}`)),
  );
  for (const [first, second, third] of taken) {
    assert.ok(first && second);
    assert.equal(third, undefined);
  }
  assert.equal(shares.take('2001:db8:1:9::1'), undefined);
  assert.ok(shares.take('2001:db8:2:9::1'));
  taken[0]?.[0]?.();
  assert.ok(shares.take('2001:db8:1:9::1'));
});
