import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOf, readFilters, someOf, text, whole, yesNo } from './filters.ts';
import { parseSearch, stringifySearch } from './search.ts';

const SHAPE = {
  range: oneOf(['today', '7d']),
  state: someOf(['failed', 'read', 'sent']),
  key_id: whole,
  is_charged: yesNo,
  search: text,
};

test('an address that was sent to a colleague shows the same view', () => {
  const address = '?range=7d&state=failed,sent&key_id=12&is_charged=false&search=%2B7+701';
  const search = parseSearch(address);
  assert.deepEqual(readFilters(SHAPE, search), {
    range: '7d',
    state: ['failed', 'sent'],
    key_id: 12,
    is_charged: false,
    search: '+7 701',
  });
  assert.equal(stringifySearch(search), address);
});

test('what makes no sense in an address is as if it were absent', () => {
  const search = parseSearch('?range=century&state=,nothing&key_id=-1&is_charged=1&search=');
  const nothing = Object.fromEntries(Object.keys(SHAPE).map((name) => [name, undefined]));
  assert.deepEqual(readFilters(SHAPE, search), nothing);
});

test('a filter that was taken away leaves no trace in the address', () => {
  assert.equal(stringifySearch({ range: undefined, search: '' }), '');
});
