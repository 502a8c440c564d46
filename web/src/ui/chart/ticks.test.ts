import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasData, labelPlaces, lonePoints, valueAxis } from './ticks.ts';

test('of messages there is never a half', () => {
  assert.deepEqual(valueAxis([0, 1, 0]).ticks, [0, 1]);
  assert.deepEqual(valueAxis([2, 1]).ticks, [0, 1, 2]);
  assert.deepEqual(valueAxis([0, 3]).ticks, [0, 1, 2, 3]);
  assert.deepEqual(valueAxis([7]).ticks, [0, 2, 4, 6, 8]);
});

test('steps are 1, 2 or 5 times a power of ten, at most five of them', () => {
  assert.deepEqual(valueAxis([47, 12]).ticks, [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(valueAxis([183]).ticks, [0, 50, 100, 150, 200]);
  assert.deepEqual(valueAxis([1_204]).ticks, [0, 500, 1_000, 1_500]);
  assert.deepEqual(valueAxis([0.6, 0.25]).ticks, [0, 0.2, 0.4, 0.6]);
});

test('the tallest value fits, and nothing at all still has an axis', () => {
  for (const most of [1, 9, 10, 11, 99, 100, 101, 4_999, 5_001]) {
    const { max, ticks } = valueAxis([most]);
    assert.ok(max >= most && ticks.at(-1) === max, `${most}: ${ticks}`);
  }
  assert.deepEqual(valueAxis([null, 0]).ticks, [0, 1]);
  assert.deepEqual(valueAxis([]).ticks, [0, 1]);
});

test('a loss is below zero, and is seen', () => {
  assert.deepEqual(valueAxis([-30, 60]).ticks, [-40, -20, 0, 20, 40, 60]);
});

test('a share ends at 100 %, and begins where it can be read', () => {
  assert.deepEqual(
    valueAxis([0.97, 0.99], { isShare: true }).ticks,
    [0.9, 0.92, 0.94, 0.96, 0.98, 1],
  );
  assert.deepEqual(valueAxis([0.84, 0.99], { isShare: true }).ticks, [0.8, 0.85, 0.9, 0.95, 1]);
  assert.deepEqual(valueAxis([0.4, null], { isShare: true }).ticks, [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(valueAxis([null], { isShare: true }).ticks, [0, 0.25, 0.5, 0.75, 1]);
});

test('labels leave room for each other, and the last bucket has one', () => {
  assert.deepEqual(labelPlaces(7, { widthPx: 700, labelPx: 60 }), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(labelPlaces(7, { widthPx: 250, labelPx: 60 }), [0, 2, 4, 6]);
  assert.deepEqual(labelPlaces(24, { widthPx: 250, labelPx: 50 }), [3, 8, 13, 18, 23]);
  assert.deepEqual(labelPlaces(30, { widthPx: 20, labelPx: 60 }), [29]);
  assert.deepEqual(labelPlaces(0, { widthPx: 250, labelPx: 60 }), []);
});

test('a value between gaps gets a point', () => {
  assert.deepEqual(lonePoints([1, null, 2, null, 3, 4, null]), [0, 2]);
  assert.deepEqual(lonePoints([5]), [0]);
  assert.deepEqual(lonePoints([null, null]), []);
});

test('columns of nothing are no data; a share of nothing is a value', () => {
  const series = (values: (number | null)[]) => [{ label: '', colour: 'ok', values }] as const;
  assert.equal(hasData(series([0, 0]), 'columns'), false);
  assert.equal(hasData(series([0, 1]), 'columns'), true);
  assert.equal(hasData(series([null]), 'lines'), false);
  assert.equal(hasData(series([0]), 'lines'), true);
});
