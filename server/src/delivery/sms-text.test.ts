import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countSegments } from './sms-text.ts';

const cases: [string, string, number][] = [
  ['an empty text', '', 1],
  ['160 plain characters', 'a'.repeat(160), 1],
  ['161 plain characters', 'a'.repeat(161), 2],
  ['306 plain characters', 'a'.repeat(306), 2],
  ['307 plain characters', 'a'.repeat(307), 3],
  ['70 Cyrillic letters', 'я'.repeat(70), 1],
  ['71 Cyrillic letters', 'я'.repeat(71), 2],
  ['134 Cyrillic letters', 'я'.repeat(134), 2],
  ['135 Cyrillic letters', 'я'.repeat(135), 3],
  ['one Cyrillic letter among 70 characters', `${'a'.repeat(69)}я`, 1],
  ['one Cyrillic letter among 71 characters', `${'a'.repeat(70)}я`, 2],
  ['80 characters that cost two', '€'.repeat(80), 1],
  ['81 characters that cost two', '€'.repeat(81), 2],
  ['35 faces, two units each', '😀'.repeat(35), 1],
  ['36 faces, two units each', '😀'.repeat(36), 2],
];
for (const [what, text, segments] of cases) {
  test(`${what}: ${segments}`, () => assert.equal(countSegments(text), segments));
}

test('a longer text never takes fewer', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      assert(countSegments(a + b) >= countSegments(a));
    }),
  );
});

test('a pair of units, or a sign that costs two, is not split between two parts', () => {
  // 66 letters and a face do not fit in a part of 67, so 133 units of text take a third part.
  const parts = 'я'.repeat(66) + '😀'.repeat(34);
  assert.equal(countSegments(parts), 3);
  assert.equal(countSegments('a'.repeat(152) + '€'.repeat(77)), 3);
});
