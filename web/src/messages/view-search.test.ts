import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toFilter, toSearch } from './view-search.ts';

test('a saved view opens the URL of its filter', () => {
  const filter = toFilter({ range: 'today', state: ['failed', 'unknown'], search: undefined });
  assert.deepEqual(filter, { range: 'today', state: ['failed', 'unknown'] });
  assert.deepEqual(toSearch(filter), { range: 'today', state: 'failed,unknown' });
  assert.deepEqual(toSearch({ key_id: 7, is_charged: false }), {
    key_id: '7',
    is_charged: 'false',
  });
});
