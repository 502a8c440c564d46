import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadPattern, compileRegExp } from './linear-regexp.ts';

test('the groups of a match are named, those that took no part are not there', () => {
  const pattern = compileRegExp(String.raw`^(?:OK;(?<id>\d+)|ERR;(?<error>[0-9A-F]{1,4}))$`);
  assert.deepEqual(pattern.groups, new Set(['id', 'error']));
  assert.deepEqual(pattern.exec('OK;12345'), { id: '12345' });
  assert.deepEqual(pattern.exec('ERR;0B'), { error: '0B' });
  assert.equal(pattern.exec('OK;12345 '), undefined);
  assert.equal(pattern.exec('OK;12345\nOK;6'), undefined);
  assert.equal(pattern.exec('ERR;'), undefined);
});

test('the first match counts, and in it the first possibility', () => {
  assert.deepEqual(compileRegExp('(?<one>a|ab)(?<rest>.*)').exec('xxabab'), {
    one: 'a',
    rest: 'bab',
  });
  assert.deepEqual(compileRegExp('(?<few>a+?)(?<rest>a*)').exec('aaa'), { few: 'a', rest: 'aa' });
});

const MISTAKES: Record<string, RegExp> = {
  'a(?=b)': /^cannot be used: invalid or unsupported Perl syntax/,
  '(?<a>x)\\1': /^cannot be used: invalid escape sequence/,
  '^id=(?<id>[a-z]+)$|^(?<id>[0-9]+) taken$': /^cannot be used: duplicate capture group name: `id`/,
  '(a': /^cannot be used: missing closing \)/,
  '[z-a]': /^cannot be used: invalid character class range/,
  '*a': /^cannot be used: missing argument to repetition operator/,
  '(?:a{500}){500}': /^cannot be used: invalid repeat count|^repeats too much/,
  '(?:[a-z]{1,100}){9}': /^repeats too much/,
  [`${'a'.repeat(501)}`]: /^should have at most 500 characters/,
};
for (const [pattern, message] of Object.entries(MISTAKES)) {
  test(`${pattern.slice(0, 20)} is refused`, () => {
    assert.throws(
      () => compileRegExp(pattern),
      (error) => error instanceof BadPattern && message.test(error.message),
    );
  });
}

test('a pattern that makes a backtracking engine hang takes no time', () => {
  const startedMs = performance.now();
  for (const pattern of ['^(?:a+)+$', '^(?:a|a)+$', '^(?:a|aa)+$', '(?:.+.+.+.+)+;x']) {
    assert.equal(compileRegExp(pattern).exec(`${'a'.repeat(4_000)}!`), undefined);
  }
  assert.ok(performance.now() - startedMs < 5_000);
});
