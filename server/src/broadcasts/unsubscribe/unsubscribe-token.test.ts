import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { deriveSecrets } from '../../secrets.ts';
import { makeToken, readToken } from './unsubscribe-token.ts';

const secrets = deriveSecrets('a secret for tests alone, long enough');
const others = deriveSecrets('another secret for tests, as long');
const rowIds = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

test('a token names the row that it was made for', () => {
  fc.assert(
    fc.property(rowIds, (rowId) => {
      assert.equal(readToken(secrets, makeToken(secrets, rowId)), rowId);
    }),
  );
});

test('a token of another installation is none of ours', () => {
  fc.assert(
    fc.property(rowIds, (rowId) => {
      assert.equal(readToken(others, makeToken(secrets, rowId)), undefined);
    }),
  );
});

test('a token with any other letter is refused', () => {
  const token = makeToken(secrets, 123_456);
  for (let place = 0; place < token.length; place++) {
    for (const letter of '1A2zK') {
      const changed = token.slice(0, place) + letter + token.slice(place + 1);
      if (changed !== token) assert.equal(readToken(secrets, changed), undefined, changed);
    }
  }
});

test('a token has one spelling', () => {
  const token = makeToken(secrets, 7);
  for (const other of [
    `1${token}`,
    ` ${token}`,
    `${token} `,
    `${token}1`,
    token.slice(0, -1),
    '',
  ]) {
    assert.equal(readToken(secrets, other), undefined, other);
  }
});

test('nothing else is a token', () => {
  for (const text of [
    '0000000000',
    'zzzzzzzzzzzzzzzzzz',
    'u',
    '../../etc',
    'Kd7mWq3x',
    'а'.repeat(12),
  ]) {
    assert.equal(readToken(secrets, text), undefined, text);
  }
});

test('a token of the hundred-millionth row fits a text message', () => {
  assert.ok(makeToken(secrets, 100_000_000).length <= 13);
  assert.match(makeToken(secrets, 1), /^[1-9A-HJ-NP-Za-km-z]{9}$/);
});
