import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CODE_LANGUAGES, printSnippet } from './snippets.ts';

const request = {
  url: 'http://localhost:3000/api/otp/send',
  body: { phone: '+77000000000', purpose: "o'clock" },
  key: undefined,
};

test('a snippet never holds the key unless it was revealed', () => {
  for (const language of CODE_LANGUAGES) {
    assert.match(printSnippet(language, request), /ZHIBER_KEY/);
    const revealed = printSnippet(language, { ...request, key: 'zk_test_1' });
    assert.match(revealed, /zk_test_1/);
    assert.doesNotMatch(revealed, /ZHIBER_KEY/);
  }
});

test('a quote in the body does not end the shell argument', () => {
  const snippet = printSnippet('curl', request);
  assert.ok(snippet.includes(`"purpose": "o'\\''clock"`));
});

test('a quote or a backslash in the body does not end a string of PHP', () => {
  const body = { purpose: "o'clock \\" };
  assert.ok(printSnippet('php', { ...request, body }).includes(`'purpose' => 'o\\'clock \\\\',`));
});

test('every language writes a number as a number and a line break as one escape', () => {
  const body = { text: 'one\ntwo', expires_in: 60 };
  for (const language of ['node', 'go', 'csharp'] as const) {
    const snippet = printSnippet(language, { ...request, body });
    assert.match(snippet, /"one\\ntwo"/);
    assert.match(snippet, /"expires_in"\]?(?::| =) 60\b/);
  }
});
