import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeReturnPath } from './back.ts';

const ORIGIN = 'https://zhiber.kz';

test('after signing in a person returns to the same page, with its filters', () => {
  const place = '/app/messages?state=failed,unknown';
  assert.equal(safeReturnPath(place, ORIGIN), place);
  assert.equal(safeReturnPath('/invite#abc', ORIGIN), '/invite#abc');
  assert.equal(safeReturnPath(undefined, ORIGIN), '/app');
});

test('the sign-in page never redirects to another site', () => {
  for (const evil of [
    'https://evil.example/app/keys',
    '//evil.example/app/keys',
    '/\\evil.example/app/keys',
    'javascript:alert(1)//app/keys',
    '/login',
    '/apple',
    '/invited',
    'http://[',
  ]) {
    assert.equal(safeReturnPath(evil, ORIGIN), '/app', evil);
  }
});
