import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isKeyText, newKeyText, shownParts } from './key-text.ts';

test('a new key has the form of the contract and is recognised', () => {
  for (const isTest of [true, false]) {
    for (let i = 0; i < 200; i++) {
      const text = newKeyText(isTest);
      assert.match(text, isTest ? /^zk_test_[0-9A-Za-z]{38}$/ : /^zk_live_[0-9A-Za-z]{38}$/);
      assert(isKeyText(text));
    }
  }
});

test('a key with any one character changed is recognised as a typo', () => {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  fc.assert(
    fc.property(fc.nat({ max: 37 }), fc.constantFrom(...letters), (at, letter) => {
      const text = newKeyText(false);
      const start = 'zk_live_'.length + at;
      const changed = text.slice(0, start) + letter + text.slice(start + 1);
      assert.equal(isKeyText(changed), changed === text);
    }),
    { numRuns: 2_000 },
  );
});

test('two neighbours swapped are recognised as a typo', () => {
  for (let at = 8; at < 45; at++) {
    const text = newKeyText(false);
    const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
    assert.equal(isKeyText(swapped), swapped === text);
  }
});

test('a key of one mode is not valid in the other', () => {
  assert(!isKeyText(newKeyText(false).replace('live', 'test')));
});

test('a malformed text is not a key', () => {
  const key = newKeyText(false);
  for (const text of [
    '',
    'zk_live_',
    key.slice(1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.toUpperCase(),
  ]) {
    assert(!isKeyText(text), JSON.stringify(text));
  }
  fc.assert(fc.property(fc.string(), (text) => assert(!isKeyText(text))));
});

test('only the first 12 and the last 4 characters are shown', () => {
  const key = newKeyText(true);
  assert.deepEqual(shownParts(key), { shownStart: key.slice(0, 12), shownEnd: key.slice(-4) });
});
