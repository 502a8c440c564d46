import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printNamed, SNIPPET_NAMES } from './operations.ts';
import { CODE_FORMS, printSnippet } from './snippets.ts';

const request = {
  url: 'http://localhost:3000/api/otp/send',
  body: { phone: '+77000000000', purpose: "o'clock" },
  key: undefined,
};

test('a snippet never holds the key unless it was revealed', () => {
  for (const language of CODE_FORMS) {
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

test('a quote or a backslash in the body does not end a string of PHP or C#', () => {
  const body = { purpose: "o'clock \\", text: '"now"' };
  for (const form of ['php', 'php-streams'] as const) {
    const snippet = printSnippet(form, { ...request, body });
    assert.ok(snippet.includes(`'purpose' => 'o\\'clock \\\\',`), form);
  }
  // In a verbatim string of C# a quote is doubled, and the backslash of JSON stays as it is.
  const csharp = printSnippet('csharp', { ...request, body });
  assert.ok(csharp.includes(`""text"": ""\\""now\\""""`), csharp);
});

test('every language writes a number as a number and a line break as one escape', () => {
  const body = { text: 'one\ntwo', expires_in: 60 };
  for (const language of ['node', 'python', 'go', 'csharp'] as const) {
    const snippet = printSnippet(language, { ...request, body });
    assert.match(snippet, /"one\\ntwo"/);
    assert.match(snippet, /"expires_in"+: +60\b/);
  }
});

test('every language has a time limit and decides by success', () => {
  for (const form of CODE_FORMS) {
    const snippet = printSnippet(form, request);
    assert.match(snippet, /15/, form);
    if (form !== 'curl') assert.match(snippet, /error_?code/i, form);
  }
});

test('a named example is short enough to paste, and takes other fields', () => {
  const apiUrl = 'https://zhiber.kz/api';
  for (const name of SNIPPET_NAMES) {
    for (const form of CODE_FORMS) {
      const printed = printNamed(form, name, { apiUrl });
      const limit = name === 'webhookCheck' ? 60 : 45;
      assert.ok(printed.split('\n').length <= limit, `${name} ${form}`);
    }
  }
  const overrides = { purpose: null, channel: 'sms' };
  const changed = printNamed('curl', 'otpSend', { apiUrl, overrides });
  assert.match(changed, /^curl https:\/\/zhiber\.kz\/api\/otp\/send /);
  assert.match(changed, /"channel": "sms"/);
  assert.doesNotMatch(changed, /purpose/);
});
