import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveSecrets } from '../secrets.ts';
import { maskName } from './confirm-receipt.ts';
import { readReceiptCode, receiptCode } from './receipt-code.ts';

const secrets = deriveSecrets('a secret for tests alone, long enough');
const others = deriveSecrets('another secret for tests, as long');

test('a code names its receipt, in any case of letters', () => {
  const code = receiptCode(secrets, 123);
  assert.match(code, /^123-[0-9a-f]{16}$/);
  assert.equal(readReceiptCode(secrets, code), 123);
  assert.equal(readReceiptCode(secrets, code.toUpperCase()), 123);
});

test('a code of another installation, another receipt or another form names none', () => {
  const code = receiptCode(secrets, 123);
  const [, token] = code.split('-');
  const wrong = [
    receiptCode(others, 123),
    `124-${token}`,
    `0123-${token}`,
    `12-3${token}`,
    `123-${token?.slice(0, 15)}`,
    `123-${token}0`,
    '123-',
    '123',
    '',
    `-${token}`,
    `99999999999999999-${token}`,
  ];
  for (const text of wrong) assert.equal(readReceiptCode(secrets, text), undefined, text);
});

test('no letter of a token can be changed', () => {
  const code = receiptCode(secrets, 7);
  for (let i = 2; i < code.length; i++) {
    const other = code[i] === '0' ? '1' : '0';
    assert.equal(readReceiptCode(secrets, code.slice(0, i) + other + code.slice(i + 1)), undefined);
  }
});

test('a payer is masked so that only who knows the name recognises it', () => {
  assert.equal(maskName('ТОО «Ромашка Плюс»'), 'ТОО «Ро… Пл…»');
  assert.equal(maskName('ИП Қасымов Ә. Б.'), 'ИП Қа… Ә. Б.');
  assert.equal(maskName('Shop-2000 LLP'), 'Sh…-20… LLP');
});
