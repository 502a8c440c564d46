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

test('a shared URL shows the same view', () => {
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

test('invalid values in a URL are ignored', () => {
  const search = parseSearch('?range=century&state=,nothing&key_id=-1&is_charged=1&search=');
  const nothing = Object.fromEntries(Object.keys(SHAPE).map((name) => [name, undefined]));
  assert.deepEqual(readFilters(SHAPE, search), nothing);
});

test('a removed filter does not appear in the URL', () => {
  assert.equal(stringifySearch({ range: undefined, search: '' }), '');
});
