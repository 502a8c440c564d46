import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeAfterSignIn } from './back.ts';

const ORIGIN = 'https://zhiber.kz';

test('whoever was on a page comes back to it, filters included', () => {
  const place = '/app/messages?state=failed,unknown';
  assert.equal(placeAfterSignIn(place, ORIGIN), place);
  assert.equal(placeAfterSignIn('/invite#abc', ORIGIN), '/invite#abc');
  assert.equal(placeAfterSignIn(undefined, ORIGIN), '/app');
});

test('no link leads through the entrance to another site', () => {
  for (const evil of [
    'https://evil.example/app/keys',
    '//evil.example/app/keys',
    '/\\evil.example/app/keys',
    'javascript:alert(1)//app/keys',
    '/login',
    'http://[',
  ]) {
    assert.equal(placeAfterSignIn(evil, ORIGIN), '/app', evil);
  }
});
