import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOrigin, readDomain } from './origin.ts';

const domains: [string, string | undefined][] = [
  ['shop.kz', 'shop.kz'],
  [' Shop.KZ. ', 'shop.kz'],
  ['localhost', 'localhost'],
  ['дүкен.қаз', 'xn--d1acon18c.xn--80ao21a'],
  ['a-b.shop.kz', 'a-b.shop.kz'],
  ['', undefined],
  ['https://shop.kz', undefined],
  ['shop.kz/path', undefined],
  ['shop.kz:8080', undefined],
  ['user@shop.kz', undefined],
  ['shop kz', undefined],
  ['-shop.kz', undefined],
  ['shop..kz', undefined],
  ['*.shop.kz', undefined],
  [`${'a'.repeat(250)}.kz.kz`, undefined],
];
for (const [text, domain] of domains) {
  test(`${JSON.stringify(text.slice(0, 30))} as a domain is ${domain ?? 'none'}`, () => {
    assert.equal(readDomain(text), domain);
  });
}

const origins: [string, 'allowed' | 'foreign'][] = [
  ['https://shop.kz', 'allowed'],
  ['http://shop.kz', 'allowed'],
  ['https://SHOP.kz', 'allowed'],
  ['https://shop.kz:8443', 'allowed'],
  ['https://www.shop.kz', 'allowed'],
  ['https://a.b.shop.kz', 'allowed'],
  ['https://shop.kz.', 'allowed'],
  ['https://evil-shop.kz', 'foreign'],
  ['https://shop.kz.evil.com', 'foreign'],
  ['https://shop.kzz', 'foreign'],
  ['https://hop.kz', 'foreign'],
  ['https://evil.com/shop.kz', 'foreign'],
  ['https://evil.com?.shop.kz', 'foreign'],
  ['https://evil.com#.shop.kz', 'foreign'],
  ['https://shop.kz@evil.com', 'foreign'],
  ['null', 'foreign'],
  ['shop.kz', 'foreign'],
  ['file://shop.kz', 'foreign'],
  ['javascript://shop.kz', 'foreign'],
];
for (const [origin, verdict] of origins) {
  test(`${origin} is ${verdict} for shop.kz`, () => {
    assert.equal(checkOrigin('shop.kz', { origin }), verdict);
  });
}

test('without an Origin the Referer is checked', () => {
  const referer = 'https://www.shop.kz/login?next=1';
  assert.equal(checkOrigin('shop.kz', { referer }), 'allowed');
  assert.equal(checkOrigin('shop.kz', { referer: 'https://evil.com/shop.kz' }), 'foreign');
  assert.equal(checkOrigin('shop.kz', { origin: 'https://evil.com', referer }), 'foreign');
});

test('without either header the origin is missing', () => {
  assert.equal(checkOrigin('shop.kz', {}), 'missing');
  assert.equal(checkOrigin('shop.kz', { origin: '' }), 'missing');
});

test('names outside ASCII are compared in punycode', () => {
  const domain = readDomain('дүкен.қаз') as string;
  assert.equal(checkOrigin(domain, { origin: 'https://дүкен.қаз' }), 'allowed');
  assert.equal(checkOrigin(domain, { origin: `https://${domain}` }), 'allowed');
});
