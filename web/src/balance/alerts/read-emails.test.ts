import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEmails } from './read-emails.ts';

test('addresses are read however they are separated', () => {
  for (const text of ['a@b.kz, c@d.kz', ' a@b.kz;c@d.kz ', 'a@b.kz\nc@d.kz,', 'a@b.kz c@d.kz']) {
    assert.deepEqual(readEmails(text), ['a@b.kz', 'c@d.kz'], text);
  }
});

test('an empty field has none', () => {
  assert.deepEqual(readEmails(' , '), []);
});
