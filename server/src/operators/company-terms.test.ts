import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCompanyTerms } from './company-terms.ts';

const NOTHING = { id: null, businessId: null, phone: null, emailStart: null, keyStart: null };

test('words are beginnings of words, in any order, and the start of the name', () => {
  assert.deepEqual(readCompanyTerms('  Ромашка «Алма-Ата» '), {
    ...NOTHING,
    nameStart: 'ромашка «алма-ата»%',
    nameWords: "'Ромашка':* & 'Алма':* & 'Ата':*",
  });
});

test('what is special in a pattern or a query stands for itself', () => {
  assert.deepEqual(readCompanyTerms("100%_'\\ & | !"), {
    ...NOTHING,
    nameStart: "100\\%\\_'\\\\ & | !%",
    nameWords: "'100':*",
  });
  assert.equal(readCompanyTerms('«»').nameWords, null);
});

const table: [typed: string, field: keyof typeof NOTHING, value: unknown][] = [
  ['42', 'id', 42],
  ['042', 'id', null],
  ['9999999999999999', 'id', null],
  ['123 456 789 012', 'businessId', '123456789012'],
  ['12345678901', 'businessId', null],
  ['8 (701) 123-45-67', 'phone', '77011234567'],
  ['+77011234567', 'phone', '77011234567'],
  ['Aigul@Shop.kz', 'emailStart', 'aigul@shop.kz%'],
  ['aigul', 'emailStart', 'aigul%'],
  ['ai', 'emailStart', null],
  ['a b@shop.kz', 'emailStart', null],
  ['zk_live_Ab12', 'keyStart', 'zk\\_live\\_Ab12%'],
  ['zk_live_Ab12cdefghijklmnopqrstuvwxyz0123456789', 'keyStart', 'zk\\_live\\_Ab12%'],
  ['live_Ab12', 'keyStart', null],
];
for (const [typed, field, value] of table) {
  test(`«${typed}» means ${value === null ? 'no' : 'the'} ${field}`, () => {
    assert.deepEqual(readCompanyTerms(typed)[field], value);
  });
}
