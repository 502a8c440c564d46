import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digitsOf, messagesFor, problemOf } from './amount.ts';

test('an amount is read however it is written', () => {
  const written: [string, string][] = [
    ['5000', '5000'],
    ['5 000 ₸', '5000'],
    ['5\u00a0000,00', '5000'],
    ['5.000', '5000'],
    ['5 000.5', '5000'],
    ['007', '7'],
    ['-20', '20'],
    ['abc', ''],
    ['', ''],
    ['12345678901', '123456789'],
  ];
  assert.deepEqual(
    written.map(([typed]) => digitsOf(typed)),
    written.map(([, digits]) => digits),
  );
});

test('both limits are allowed, and nothing beyond them', () => {
  const limits = { min: 1_000, max: 5_000 };
  assert.deepEqual(
    [999, 1_000, 5_000, 5_001].map((amount) => problemOf(amount, limits)),
    ['tooLittle', undefined, undefined, 'tooMuch'],
  );
});

test('an amount buys whole messages, of the cheapest messenger', () => {
  const prices = { whatsapp: 4, telegram: 3, sms: 8, group: 0 };
  assert.deepEqual(messagesFor(5_000, prices), { messengers: 1_666, sms: 625 });
});
