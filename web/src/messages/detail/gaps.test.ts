import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapsOf } from './gaps.ts';

const at = (...times: string[]) => times.map((time) => ({ at: `2026-11-14T${time}Z` }));
const shares = (...times: string[]) =>
  gapsOf(at(...times)).map(({ ms, share }) => [ms, Number(share.toFixed(2))]);

test('a bar is as long as the logarithm of the time between steps', () => {
  assert.deepEqual(shares('05:42:07.000', '05:42:07.004', '05:42:08.004', '05:42:39.004'), [
    [0, 0],
    [4, 0],
    [1_000, 0.53],
    [31_000, 0.92],
  ]);
});

test('a bar has the same length in a quick story and in a slow one', () => {
  assert.deepEqual(shares('05:42:07.000', '05:42:07.004'), [
    [0, 0],
    [4, 0],
  ]);
  assert.deepEqual(shares('05:42:07.000', '05:42:38.000'), [
    [0, 0],
    [31_000, 0.92],
  ]);
});

test('a click an hour later has a bar that is cut', () => {
  const [, sent, clicked] = gapsOf(at('05:42:00.000', '05:42:59.000', '06:42:59.000'));
  assert.equal(sent?.isCut, false);
  assert.deepEqual(clicked, { ms: 3_600_000, share: 1, isCut: true });
});

test('a single step has no gap, and steps out of order have none either', () => {
  assert.deepEqual(gapsOf(at('05:42:07.000')), [{ ms: 0, share: 0, isCut: false }]);
  assert.deepEqual(shares('05:42:07.000', '05:42:06.000').at(1), [0, 0]);
  assert.deepEqual(gapsOf([]), []);
});
