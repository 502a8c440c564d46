import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gapsOf } from './gaps.ts';

const at = (...times: string[]) => times.map((time) => ({ at: `2026-11-14T${time}Z` }));

test('the length of a bar is proportional to the time between steps', () => {
  const gaps = gapsOf(at('05:42:07.000', '05:42:07.500', '05:42:37.500', '05:42:52.500'));
  assert.deepEqual(
    gaps.map(({ ms, share }) => [ms, Number(share.toFixed(3))]),
    [
      [0, 0],
      [500, 0.017],
      [30_000, 1],
      [15_000, 0.5],
    ],
  );
});

test('a click an hour later does not shrink the other bars', () => {
  const [, sent, clicked] = gapsOf(at('05:42:00.000', '05:42:30.000', '06:42:30.000'));
  assert.equal(sent?.share, 0.5);
  assert.deepEqual(clicked, { ms: 3_600_000, share: 1, isCut: true });
});

test('a single step has no gap', () => {
  assert.deepEqual(gapsOf(at('05:42:07.000')), [{ ms: 0, share: 0, isCut: false }]);
  assert.deepEqual(gapsOf([]), []);
});
