import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessPhoneColumn } from './phone-column.ts';

const rows = (...cells: string[][]) => cells.map((one) => ({ cells: one }));

test('phones are found by how they look, whatever their heading says', () => {
  const preview = rows(
    ['Айгуль', '1 200', '8 (701) 123-45-67'],
    ['Ерлан', '900', '+77021234567'],
    ['Иван', '15', '701 123 45 67'],
  );
  assert.equal(guessPhoneColumn(['телефон', 'сумма', 'контакт'], preview), 3);
});

test('a heading decides when the cells are damaged or missing', () => {
  assert.equal(guessPhoneColumn(['имя', 'Моб. телефон'], rows(['Иван', '87O1…'])), 2);
  assert.equal(guessPhoneColumn(['name', 'phone'], []), 2);
});

test('a file without phones gives no guess', () => {
  assert.equal(guessPhoneColumn(['имя', 'город'], rows(['Иван', 'Алматы'])), undefined);
  assert.equal(guessPhoneColumn([], []), undefined);
});

test('a business number of twelve digits is no phone', () => {
  const preview = rows(['990140000123', '+7 701 123-45-67']);
  assert.equal(guessPhoneColumn(['БИН', 'контакт'], preview), 2);
});
