import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLang } from './language.ts';
import { pluralEn, pluralRu } from './plural.ts';

const asked = { address: '', cookie: '', browser: ['en-US', 'ru'] };

test('the address wins over the stored choice, and that over the browser', () => {
  assert.equal(chooseLang({ ...asked, address: '?lang=kk', cookie: 'lang=ru' }), 'kk');
  assert.equal(chooseLang({ ...asked, cookie: 'theme=dark; lang=kk' }), 'kk');
  assert.equal(chooseLang(asked), 'en');
});

test('a language that is not ours is passed over, down to Russian', () => {
  assert.equal(chooseLang({ ...asked, browser: ['de', 'kk-KZ'] }), 'kk');
  assert.equal(chooseLang({ address: '?lang=xx', cookie: 'slang=en', browser: ['de'] }), 'ru');
});

test('numbers take the right form of a word', () => {
  const keys = (count: number) => pluralRu(count, 'ключ', 'ключа', 'ключей');
  assert.deepEqual([1, 3, 5, 11, 21, 112].map(keys), [
    'ключ',
    'ключа',
    'ключей',
    'ключей',
    'ключ',
    'ключей',
  ]);
  assert.deepEqual(
    [0, 1, 2].map((count) => pluralEn(count, 'key', 'keys')),
    ['keys', 'key', 'keys'],
  );
});
