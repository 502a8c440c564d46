import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { Compile } from 'typebox/schema';
import { exampleCurl, isWhole, KEYED_PATHS, playgroundSearch } from './request-snippet.ts';

const keyed = Object.values(ENDPOINTS).filter(({ needsKey }) => needsKey);

test('every endpoint that takes a key is available as a filter', () => {
  const paths = keyed.map(({ path }) => `/api${path}`);
  assert.deepEqual(KEYED_PATHS.toSorted(), paths.toSorted());
});

test('the example of every endpoint has a body that the API accepts', () => {
  for (const endpoint of keyed) {
    const curl = exampleCurl(`/api${endpoint.path}`, 'https://zhiber.kz/api');
    assert.ok(curl.startsWith(`curl https://zhiber.kz/api${endpoint.path} `));
    const body = JSON.parse(curl.slice(curl.indexOf("'") + 1, curl.lastIndexOf("'")));
    assert.ok('body' in endpoint && Compile(endpoint.body).Check(body), endpoint.path);
  }
});

test('a call is opened in the playground with its own values, and without those that are hidden', () => {
  const request = { url: 'https://a.kz', alias: 'sale', expires_in: 60 };
  assert.deepEqual(playgroundSearch({ path: '/api/links/shorten', keyId: 7, request }), {
    key_id: '7',
    operation: 'linkShorten',
    url: 'https://a.kz',
    alias: 'sale',
    expiresIn: '60',
  });
  const masked = { phone: '+7701***4567', purpose: 'login', channel: 'sms' };
  assert.deepEqual(playgroundSearch({ path: '/api/otp/send', keyId: 7, request: masked }), {
    key_id: '7',
    operation: 'otpSend',
    purpose: 'login',
    channel: 'sms',
  });
  const verify = { phone: '+77011234567', code: '•••' };
  assert.equal(playgroundSearch({ path: '/api/otp/verify', keyId: 7, request: verify }), undefined);
});

test('a call can be made again as it was only when every value of it is known', () => {
  assert.equal(isWhole({ phone: '+77011234567', expires_in: 60 }), true);
  for (const hidden of ['•••', '+7701***4567', 'https://a.kz/•••', 'начало…', null, [1]]) {
    assert.equal(isWhole({ phone: hidden }), false, String(hidden));
  }
});
