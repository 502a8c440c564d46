import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf } from './changes.ts';

test('a changed field is listed once, with both values', () => {
  assert.deepEqual(changesOf({ role: 'viewer' }, { role: 'manager' }), [
    { field: 'role', before: 'viewer', after: 'manager' },
  ]);
});

test('a created object has only new values, a removed one only old values', () => {
  assert.deepEqual(changesOf(null, { mode: 'test' }), [
    { field: 'mode', before: undefined, after: 'test' },
  ]);
  assert.deepEqual(changesOf({ mode: 'test' }, null), [
    { field: 'mode', before: 'test', after: undefined },
  ]);
  assert.deepEqual(changesOf(null, null), []);
});

test('a cleared value is null, an unknown one undefined', () => {
  assert.deepEqual(changesOf({ brand: 'Лавка' }, { brand: null }), [
    { field: 'brand', before: 'Лавка', after: null },
  ]);
});
