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
