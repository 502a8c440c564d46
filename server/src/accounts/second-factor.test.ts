import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { matchStep } from './second-factor.ts';

/** RFC 6238, appendix B: the rows of SHA-1, of whose eight digits apps show the last six. */
const SECRET = Buffer.from('12345678901234567890').toString('hex');
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

const at = (seconds: number) => new Date(seconds * 1_000);

describe('the codes of RFC 6238', () => {
  for (const [seconds, code] of VECTORS) {
    test(`${code} is of the step at ${seconds} s`, () => {
      assert.equal(matchStep(SECRET, code, at(seconds)), Math.floor(seconds / 30));
    });
  }
});

test('a clock may be one step off either way, and the step of the code is returned', () => {
  const [seconds, code] = VECTORS[2];
  const step = Math.floor(seconds / 30);
  assert.equal(matchStep(SECRET, code, at(seconds + 30)), step);
  assert.equal(matchStep(SECRET, code, at(seconds - 30)), step);
  assert.equal(matchStep(SECRET, code, at(seconds + 60)), undefined);
  assert.equal(matchStep(SECRET, code, at(seconds - 60)), undefined);
});

test('a wrong or malformed code matches nothing', () => {
  const [seconds] = VECTORS[0];
  for (const typed of ['', '000000', '28708', '2870820', '94287082', '2870s2', '٢٨٧٠٨٢']) {
    assert.equal(matchStep(SECRET, typed, at(seconds)), undefined, typed);
  }
});
