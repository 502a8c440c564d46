import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordStrength } from './password-strength.ts';

test('a longer password is stronger, with exact boundaries', () => {
  const byLength = (length: number) => passwordStrength('a'.repeat(length));
  assert.equal(byLength(7), 'short');
  assert.equal(byLength(8), 'fair');
  assert.equal(byLength(11), 'fair');
  assert.equal(byLength(12), 'good');
  assert.equal(byLength(15), 'good');
  assert.equal(byLength(16), 'strong');
});

test('a phrase of plain words is stronger than a short mix of symbols', () => {
  assert.equal(passwordStrength('төрт түлік мал'), 'good');
  assert.equal(passwordStrength('P@s5w!'), 'short');
});

test('a surrogate pair counts as one character', () => {
  assert.equal(passwordStrength('🐎🐎🐎🐎'), 'short');
});
