import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Month } from './month.ts';
import {
  figures,
  figuresWithTiyn,
  inWords,
  longDate,
  monthTitle,
  shortTime,
  tenge,
} from './paper-format.ts';
import { vatIn, vatTotal } from './seller.ts';

const plain = (text: string) => text.replaceAll('\u{a0}', ' ');

test('amounts are grouped by three digits', () => {
  assert.deepEqual(
    [0, 7, 999, 1_000, 12_345, 1_234_567, -50].map((amount) => plain(figures(amount))),
    ['0', '7', '999', '1 000', '12 345', '1 234 567', '−50'],
  );
  assert.equal(plain(tenge(5_000)), '5 000 ₸');
});

test('an amount in words begins a line and ends with its tiyn', () => {
  assert.equal(inWords(5_000, 'ru'), 'Пять тысяч тенге 00 тиын');
  assert.equal(inWords(5_000, 'kk'), 'Бес мың теңге 00 тиын');
  assert.equal(inWords(-8, 'ru'), 'Минус восемь тенге 00 тиын');
});

test('dates are those of Almaty, in the language of the paper', () => {
  const lateInUtc = new Date('2026-11-16T20:01:48Z');
  assert.equal(longDate(lateInUtc, 'ru'), '17 ноября 2026 г.');
  assert.equal(longDate(lateInUtc, 'kk'), '2026 жылғы 17 қараша');
  assert.equal(shortTime(lateInUtc), '17.11.2026, 01:01:48');
  assert.equal(monthTitle('2026-05' as Month, 'ru'), 'май 2026 г.');
  assert.equal(monthTitle('2026-05' as Month, 'kk'), '2026 жылғы мамыр');
});

test('VAT is the part of an amount that holds it, to the tiyn', () => {
  assert.deepEqual(
    [vatIn(5_000, 16), vatIn(116, 16), vatIn(1, 12), vatIn(-8, 16)],
    [689.66, 16, 0.11, -1.1],
  );
  assert.deepEqual(
    [689.66, 16, 0.11, -1.1, 20_689.6].map((vat) => plain(figuresWithTiyn(vat))),
    ['689,66', '16,00', '0,11', '−1,10', '20 689,60'],
  );
  // As decimal fractions 0.1 + 0.2 is more than 0.3.
  assert.equal(vatTotal([0.1, 0.2]), 0.3);
});
