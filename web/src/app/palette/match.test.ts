import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMessageId, isRequestId, matchScore, readPhone } from './match.ts';

test('a start of any word is found, in any case', () => {
  assert.ok(matchScore('бал', 'Пополнить баланс') > 0);
  assert.ok(matchScore('ПОП', 'Пополнить баланс') > matchScore('бал', 'Пополнить баланс'));
  assert.ok(matchScore('соз кл', 'Создать ключ') > 0);
  assert.equal(matchScore('ключ рассылка', 'Создать ключ'), 0);
});

test('a piece inside a word needs three letters', () => {
  assert.ok(matchScore('чат', 'Печать') > 0);
  assert.equal(matchScore('ча', 'Печать'), 0);
});

test('a slip of the keyboard layout is understood', () => {
  assert.ok(matchScore('луны', 'keys') > 0);
  assert.ok(matchScore('rk.xb', 'Ключи') > 0);
  assert.ok(matchScore('ещё', 'Еще') > 0);
});

test('a phone is known in any spelling, and nothing else is taken for one', () => {
  assert.equal(readPhone('+7 701 555-00-09'), '+77015550009');
  assert.equal(readPhone('8 (701) 555 00 09'), '87015550009');
  assert.equal(readPhone('7015550009'), '7015550009');
  assert.equal(readPhone('555'), undefined);
  assert.equal(readPhone('ключ 7015550009'), undefined);
});

test('ids of messages and requests are told apart', () => {
  assert.ok(isMessageId(' 0199b5a2-3c4d-7e5f-8a6b-7c8d9e0f1a2b '));
  assert.ok(isMessageId(' msg_YcVfxkQb6JRzqk5kF2tNLv '));
  assert.ok(!isMessageId('0199b5a2-3c4d'));
  assert.ok(!isMessageId('msg_YcVfxkQb6JRzqk5kF2tNL'));
  assert.ok(isRequestId('req_01JABCDEF'));
  assert.ok(!isRequestId('request'));
});
