import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf } from './changes.ts';

test('a field that was and is stands once', () => {
  assert.deepEqual(changesOf({ role: 'viewer' }, { role: 'manager' }), [
    { field: 'role', before: 'viewer', after: 'manager' },
  ]);
});

test('what was made has only what it became, what was removed only what it was', () => {
  assert.deepEqual(changesOf(null, { mode: 'test' }), [
    { field: 'mode', before: undefined, after: 'test' },
  ]);
  assert.deepEqual(changesOf({ mode: 'test' }, null), [
    { field: 'mode', before: 'test', after: undefined },
  ]);
  assert.deepEqual(changesOf(null, null), []);
});

test('a value that was emptied is not one that is unknown', () => {
  assert.deepEqual(changesOf({ brand: 'Лавка' }, { brand: null }), [
    { field: 'brand', before: 'Лавка', after: null },
  ]);
});
