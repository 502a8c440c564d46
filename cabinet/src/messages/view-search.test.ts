import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFilter, toSearch } from './view-search.ts';

test('a view opens at the address whose filter it holds', () => {
  const filter = toFilter({ range: 'today', state: ['failed', 'unknown'], search: undefined });
  assert.deepEqual(filter, { range: 'today', state: ['failed', 'unknown'] });
  assert.deepEqual(toSearch(filter), { range: 'today', state: 'failed,unknown' });
  assert.deepEqual(toSearch({ key_id: 7, is_charged: false }), {
    key_id: '7',
    is_charged: 'false',
  });
});
