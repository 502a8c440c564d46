import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayAddress, splitAddress } from './address.ts';

test('the domain is what decides where a link leads', () => {
  assert.deepEqual(splitAddress('https://www.aidana.kz/spring?utm=sms#top'), {
    domain: 'aidana.kz',
    rest: '/spring?utm=sms#top',
  });
  assert.deepEqual(splitAddress('https://kaspi.kz@evil.example/pay'), {
    domain: 'evil.example',
    rest: '/pay',
  });
});

test('an address of a site alone has no rest', () => {
  assert.deepEqual(splitAddress('https://aidana.kz/'), { domain: 'aidana.kz', rest: '' });
});

test('letters that look alike are shown as what they are', () => {
  assert.equal(splitAddress('https://каspі.kz/').domain, new URL('https://каspі.kz/').host);
  assert(splitAddress('https://каspі.kz/').domain.startsWith('xn--'));
});

test('what is no address is shown whole', () => {
  assert.deepEqual(splitAddress('nowhere'), { domain: 'nowhere', rest: '' });
  assert.equal(sayAddress('https://zhbr.kz/sale'), 'zhbr.kz/sale');
});
