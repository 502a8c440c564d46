import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashOfToken, newToken } from './token.ts';

test('the hash of a token is its SHA-256', () => {
  assert.equal(
    hashOfToken('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('a token has 256 random bits, and comes with its hash', () => {
  const { token, hash } = newToken();
  assert.match(token, /^[\w-]{43}$/);
  assert.deepEqual(hash, hashOfToken(token));
  assert.notEqual(newToken().token, token);
});
