import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withScheme } from './with-scheme.ts';

test('an address without a scheme gets https', () => {
  assert.equal(withScheme('shop.kz/sale'), 'https://shop.kz/sale');
  assert.equal(withScheme('shop.kz:8080/sale'), 'https://shop.kz:8080/sale');
  assert.equal(withScheme('shop.kz:8080'), 'https://shop.kz:8080');
});

test('a scheme stays, so that the server can refuse one that is not allowed', () => {
  for (const url of [
    'http://shop.kz:8080',
    'HTTPS://shop.kz',
    'javascript:alert(1)',
    'tel:+7701',
  ]) {
    assert.equal(withScheme(url), url);
  }
});
