import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitAddress, withoutScheme } from './address.ts';

test('the domain is the host that a browser would open', () => {
  assert.deepEqual(splitAddress('https://www.aidana.kz/spring?utm=sms#top'), {
    domain: 'aidana.kz',
    rest: '/spring?utm=sms#top',
  });
  assert.deepEqual(splitAddress('https://kaspi.kz@evil.example/pay'), {
    domain: 'evil.example',
    rest: '/pay',
  });
});

test('a URL without a path has no rest', () => {
  assert.deepEqual(splitAddress('https://aidana.kz/'), { domain: 'aidana.kz', rest: '' });
});

test('homograph domains are shown in punycode', () => {
  assert.equal(splitAddress('https://каspі.kz/').domain, new URL('https://каspі.kz/').host);
  assert(splitAddress('https://каspі.kz/').domain.startsWith('xn--'));
});

test('text that is not a URL is shown unchanged', () => {
  assert.deepEqual(splitAddress('nowhere'), { domain: 'nowhere', rest: '' });
  assert.equal(withoutScheme('https://zhbr.kz/sale'), 'zhbr.kz/sale');
});
