import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BadPattern, compileRegExp } from './linear-regexp.ts';

test('the groups of a match are named', () => {
  const pattern = compileRegExp(String.raw`^(?:OK;(?<id>\d+)|ERR;(?<error>[0-9A-F]{1,4}))$`);
  assert.deepEqual(pattern.groups, new Set(['id', 'error']));
  assert.deepEqual(pattern.exec('OK;12345'), { id: '12345' });
  assert.deepEqual(pattern.exec('ERR;0B'), { error: '0B' });
  assert.equal(pattern.exec('OK;12345 '), undefined);
  assert.equal(pattern.exec('ERR;'), undefined);
});

test('a name in two alternatives is what the one that matched has', () => {
  const pattern = compileRegExp('^id=(?<id>[a-z]+)$|^(?<id>[0-9]+) taken$');
  assert.deepEqual(pattern.exec('id=abc'), { id: 'abc' });
  assert.deepEqual(pattern.exec('77 taken'), { id: '77' });
});

test('the first match counts, and in it the first possibility', () => {
  assert.deepEqual(compileRegExp('(?<one>a|ab)(?<rest>.*)').exec('xxabab'), {
    one: 'a',
    rest: 'bab',
  });
  assert.deepEqual(compileRegExp('(?<few>a+?)(?<rest>a*)').exec('aaa'), { few: 'a', rest: 'aa' });
});

test('a match that begins later never replaces the first', () => {
  const pattern = '(?<one>[ab].{3}c|[ab])';
  assert.deepEqual(compileRegExp(pattern).exec('axbxx'), { one: 'a' });
});

const MISTAKES: Record<string, RegExp> = {
  'a(?=b)': /a group of a kind that is not supported, at character 3/,
  'a(?<!b)c': /a group of a kind that is not supported/,
  '(?<a>x)\\1': /has \\1, which is not supported/,
  '\\bOK': /has \\b, which is not supported/,
  '(a*)*': /repeats something that may be empty/,
  '(?<a>x)+': /repeats a named group/,
  '(a': /a group that is not closed/,
  'a)': /a bracket that was not opened/,
  '[a-': /a class that is not closed/,
  '[z-a]': /a range that is not one/,
  'a**': /two repetitions in a row/,
  '*a': /needs a backslash/,
  'a{3,1}': /whose end is before its beginning/,
  '(?:a{500}){500}': /repeats too much/,
  [`${'a'.repeat(501)}`]: /at most 500 characters/,
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

/** Patterns of everything that is supported, over a small alphabet, so that they often match. */
const { pattern } = fc.letrec<{ pattern: string; sequence: string; part: string; atom: string }>(
  (tie) => ({
    pattern: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((all) => all.join('|')),
    sequence: fc.array(tie('part'), { maxLength: 4 }).map((all) => all.join('')),
    part: fc
      .tuple(
        tie('atom'),
        fc.constantFrom(
          '',
          '',
          '',
          '*',
          '+',
          '?',
          '*?',
          '+?',
          '??',
          '{2}',
          '{1,}',
          '{0,2}',
          '{1,3}?',
        ),
      )
      .map((both) => both.join('')),
    atom: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        'a',
        'b',
        '.',
        '\\d',
        '\\W',
        '[ab]',
        '[^a]',
        '[0-5;]',
        '[\\s-]',
        '\\;',
        '^',
        '$',
      ),
      tie('pattern').map((inside) => `(?:${inside})`),
      tie('pattern').map((inside) => `(?<NAME>${inside})`),
    ),
  }),
);

test('a pattern means what it means in JavaScript', () => {
  let compared = 0;
  fc.assert(
    fc.property(pattern, fc.string({ unit: fc.constantFrom(...'aab15; \n') }), (text, subject) => {
      let count = 0;
      const named = text.replaceAll('NAME', () => `g${count++}`);
      let ours: ReturnType<typeof compileRegExp>;
      try {
        ours = compileRegExp(named);
      } catch (error) {
        assert.ok(error instanceof BadPattern, String(error));
        return;
      }
      compared += 1;
      const theirs = new RegExp(named).exec(subject);
      const groups = Object.entries(theirs?.groups ?? {}).filter(
        ([, value]) => value !== undefined,
      );
      assert.deepEqual(
        ours.exec(subject),
        theirs === null ? undefined : Object.fromEntries(groups),
      );
    }),
    { numRuns: 10_000 },
  );
  assert.ok(compared > 1_000, String(compared));
});
