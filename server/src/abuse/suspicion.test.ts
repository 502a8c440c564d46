import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSuspicious, upperShare } from './suspicion.ts';

// By hand, with z² = 3.8416: (p + z²/2n + z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
const bounds: [verified: number, sent: number, bound: number][] = [
  [0, 0, 1],
  [0, 1, 0.7935],
  [1, 1, 1],
  [0, 30, 0.1135],
  [1, 30, 0.1667],
  [2, 30, 0.2132],
  [5, 50, 0.2136],
  [4, 50, 0.1884],
  [10, 100, 0.1744],
  [13, 100, 0.2098],
  [12, 100, 0.1981],
  [50, 100, 0.5962],
  [100, 100, 1],
  [180, 1_000, 0.205],
  [170, 1_000, 0.1945],
];
for (const [verified, sent, bound] of bounds) {
  test(`${verified} verified of ${sent} are at most ${bound}`, () => {
    assert.equal(upperShare({ sent, verified }).toFixed(4), bound.toFixed(4));
  });
}

test('a true share of 0.2 is suspected at most once in forty, however few codes there are', () => {
  // By definition the bound is above the true share in 97.5 of 100 cases.
  for (const sent of [30, 60, 120]) {
    let chance = 0;
    let term = 0.8 ** sent;
    for (let verified = 0; verified <= sent; verified++) {
      if (isSuspicious({ sent, verified })) chance += term;
      term *= ((sent - verified) / (verified + 1)) * 0.25;
    }
    assert(chance > 0 && chance < 0.025, `${sent} codes: ${chance}`);
  }
});

const decisions: [verified: number, sent: number, isSuspect: boolean][] = [
  [0, 29, false],
  [0, 30, true],
  [1, 30, true],
  [2, 30, false],
  [12, 100, true],
  [13, 100, false],
];
for (const [verified, sent, isSuspect] of decisions) {
  test(`${verified} of ${sent} are ${isSuspect ? '' : 'not '}suspicious`, () => {
    assert.equal(isSuspicious({ sent, verified }), isSuspect);
  });
}

test('more verified codes are never more suspicious', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(10_000), (sent, some) => {
      const verified = some % sent;
      const bound = upperShare({ sent, verified });
      assert(bound > verified / sent && bound <= 1);
      assert(upperShare({ sent, verified: verified + 1 }) >= bound);
    }),
  );
});
