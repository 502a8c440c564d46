import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canGrow, freshened, isUnsettled, newerThan } from './live-rows.ts';

const NOW = Date.parse('2026-11-14T05:42:00Z');

test('rows are updated in place; none is added or removed', () => {
  const shown = [
    { id: '3', state: 'sent' },
    { id: '2', state: 'sending' },
  ];
  const latest = [
    { id: '4', state: 'queued' },
    { id: '2', state: 'delivered' },
  ];
  assert.deepEqual(freshened(shown, latest), [
    { id: '3', state: 'sent' },
    { id: '2', state: 'delivered' },
  ]);
  assert.deepEqual(freshened(shown, undefined), shown);
});

test('only messages newer than the first row count as new', () => {
  const latest = [{ id: '4' }, { id: '3' }, { id: '2' }];
  assert.deepEqual(newerThan(latest, '3'), [{ id: '4' }]);
  assert.equal(newerThan(latest, undefined).length, 3);
});

test('a message is polled while it is pending, up to a time limit', () => {
  const at = '2026-11-14T05:41:00Z';
  assert.equal(isUnsettled({ state: 'sent', at }, NOW), true);
  assert.equal(isUnsettled({ state: 'sent', at: '2026-11-14T05:30:00Z' }, NOW), false);
  assert.equal(isUnsettled({ state: 'delivered', at }, NOW), false);
});

test('a list that ends in the past is not polled', () => {
  assert.equal(canGrow({}), true);
  assert.equal(canGrow({ range: 'today' }), true);
  assert.equal(canGrow({ range: 'yesterday' }), false);
  assert.equal(canGrow({ to: '2026-11-14T00:00:00Z' }), false);
});
