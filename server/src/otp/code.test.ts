import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newCode, readCode } from './code.ts';

for (const length of [4, 5, 6, 7, 8]) {
  test(`a code of ${length} digits has ${length} digits, zeros in front too`, () => {
    let withZero = 0;
    for (let i = 0; i < 2_000; i++) {
      const code = newCode(length);
      assert.match(code, /^[0-9]+$/);
      assert.equal(code.length, length);
      if (code.startsWith('0')) withZero += 1;
    }
    assert(withZero > 100 && withZero < 320, `${withZero} of 2,000 begin with 0`);
  });
}

test('each digit is as likely in each place', () => {
  const draws = 60_000;
  const counts = Array.from({ length: 6 }, () => new Array<number>(10).fill(0));
  for (let i = 0; i < draws; i++) {
    for (const [place, digit] of [...newCode(6)].entries()) {
      const row = counts[place] as number[];
      row[Number(digit)] = (row[Number(digit)] ?? 0) + 1;
    }
  }
  const expected = draws / 10;
  for (const row of counts) {
    const chiSquare = row.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // Nine degrees of freedom: above 45 about once in a million.
    assert(chiSquare < 45, `chi-square ${chiSquare}`);
  }
});

test('a code typed with spaces and dashes anywhere is the code', () => {
  const separators = fc.array(fc.constantFrom('', ' ', '-', ' - '), {
    minLength: 7,
    maxLength: 7,
  });
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{6}$/), separators, (code, between) => {
      const typed = [...code].map((digit, i) => between[i] + digit).join('') + between[6];
      assert.equal(readCode(typed), code);
    }),
  );
});

test('nothing else is dropped, so that no other text turns into a code', () => {
  for (const typed of ['12a456', '１２３４５６', '12.3456', '12\n3456', '+123456']) {
    assert.equal(readCode(typed), typed);
  }
});
