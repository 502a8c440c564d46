import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canGrow, freshened, isUnsettled, newerThan } from './live-rows.ts';

const NOW = Date.parse('2026-11-14T05:42:00Z');

test('a row changes in its place, and no row comes or goes', () => {
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

test('only what is newer than the first row waits to be shown', () => {
  const latest = [{ id: '4' }, { id: '3' }, { id: '2' }];
  assert.deepEqual(newerThan(latest, '3'), [{ id: '4' }]);
  assert.equal(newerThan(latest, undefined).length, 3);
});

test('a message is watched while it is on its way, and not for ever', () => {
  const at = '2026-11-14T05:41:00Z';
  assert.equal(isUnsettled({ state: 'sent', at }, NOW), true);
  assert.equal(isUnsettled({ state: 'sent', at: '2026-11-14T05:30:00Z' }, NOW), false);
  assert.equal(isUnsettled({ state: 'delivered', at }, NOW), false);
});

test('a list that ends in the past is not watched', () => {
  assert.equal(canGrow({}), true);
  assert.equal(canGrow({ range: 'today' }), true);
  assert.equal(canGrow({ range: 'yesterday' }), false);
  assert.equal(canGrow({ to: '2026-11-14T00:00:00Z' }), false);
});
