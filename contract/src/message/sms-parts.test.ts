import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countParts, splitText } from './sms-parts.ts';

const GSM = 0;
const UCS2 = 8;
const cases: [string, string, number, number[]][] = [
  ['nothing', '', GSM, [0]],
  ['160 plain letters', 'a'.repeat(160), GSM, [160]],
  ['161 plain letters', 'a'.repeat(161), GSM, [153, 8]],
  ['80 signs of two septets', '€'.repeat(80), GSM, [160]],
  ['an escape at the seam', `${'a'.repeat(152)}€${'b'.repeat(10)}`, GSM, [152, 12]],
  ['70 Cyrillic letters', 'я'.repeat(70), UCS2, [140]],
  ['71 Cyrillic letters', 'я'.repeat(71), UCS2, [134, 8]],
  ['a pair at the seam', `${'я'.repeat(66)}😀${'я'.repeat(10)}`, UCS2, [132, 24]],
  ['a Kazakh letter among plain ones', 'Ә code 1234', UCS2, [22]],
  ['a sign outside of the alphabet', 'code `1`', UCS2, [16]],
];
for (const [what, text, dataCoding, lengths] of cases) {
  test(`${what}: ${lengths.join(' and ')} octets`, () => {
    const split = splitText(text);
    assert.equal(split.dataCoding, dataCoding);
    assert.deepEqual(
      split.parts.map((part) => part.length),
      lengths,
    );
  });
}

test('the alphabet is that of GSM 03.38', () => {
  const octetsOf = (text: string) => Buffer.from(splitText(text).parts[0] ?? []).toString('hex');
  assert.equal(octetsOf('@£$_Δ \n'), '0001021110200a');
  assert.equal(octetsOf('Ääà§¿¡'), '5b7b7f5f6040');
  assert.equal(octetsOf('^{}\\[~]|€'), '1b141b281b291b2f1b3c1b3d1b3e1b401b65');
  assert.equal(octetsOf('Ж'), '0416');
  assert.equal(octetsOf('\u001b'), '001b');
});

test('no part begins or ends within a pair or an escape', () => {
  const sign = fc.constantFrom('a', '€', '{', 'я', '😀', '\n');
  fc.assert(
    fc.property(fc.array(sign, { minLength: 60, maxLength: 700 }), (signs) => {
      const { dataCoding, parts } = splitText(signs.join(''));
      for (const part of parts) {
        if (dataCoding === GSM) assert.notEqual(part.at(-1), 0x1b);
        else assert.ok(Buffer.from(part).swap16().toString('utf16le').isWellFormed());
      }
    }),
  );
});

const counts: [string, string, number][] = [
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
for (const [what, text, segments] of counts) {
  test(`${what}: ${segments}`, () => assert.equal(countParts(text), segments));
}

test('as many parts are counted as are made', () => {
  const sign = fc.constantFrom('a', '€', '{', 'я', '😀', '\n', '\ud83d');
  fc.assert(
    fc.property(
      fc.array(sign, { minLength: 60, maxLength: 700 }),
      fc.boolean(),
      (signs, isPlain) => {
        const text = signs.filter((char) => !isPlain || /[a€{\n]/.test(char)).join('');
        assert.equal(countParts(text), splitText(text).parts.length);
      },
    ),
  );
});

test('a longer text never takes fewer parts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      assert(countParts(a + b) >= countParts(a));
    }),
  );
});

test('a surrogate pair or an escape is not split between two parts', () => {
  // 66 letters and an emoji do not fit in a part of 67, so 133 units of text take a third part.
  const parts = 'я'.repeat(66) + '😀'.repeat(34);
  assert.equal(countParts(parts), 3);
  assert.equal(countParts('a'.repeat(152) + '€'.repeat(77)), 3);
});
