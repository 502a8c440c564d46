import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMailAddress, mailboxOf } from './mail-address.ts';

for (const address of [
  'a@b.kz',
  'Aigerim.S@shop.kz',
  'first+tag@mail.shop.kz',
  "o'neill@shop.kz",
  'me@xn--80ak6aa92e.xn--p1ai',
  `${'a'.repeat(64)}@shop.kz`,
]) {
  test(`${address} is a mail address`, () => assert.equal(isMailAddress(address), true));
}

for (const address of [
  'a,victim@shop.kz',
  '<victim@shop.kz>',
  'g:victim@shop.kz;',
  'Name <victim@shop.kz>',
  '"a b"@shop.kz',
  'victim@shop.kz (comment)',
  'a@b@shop.kz',
  'a@shop',
  'a@.kz',
  'a@shop..kz',
  'a@-shop.kz',
  '.a@shop.kz',
  'a.@shop.kz',
  'a..b@shop.kz',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@shop.kz\r\nBcc: b@shop.kz',
  ' a@shop.kz',
  'a@shop.kz ',
  'а@shop.kz',
  'a%00@shop.kz\0',
  `${'a'.repeat(65)}@shop.kz`,
  '',
]) {
  test(`${JSON.stringify(address)} is none`, () => assert.equal(isMailAddress(address), false));
}

test('the spellings of a mailbox are one', () => {
  assert.equal(mailboxOf('Victim@Shop.kz'), 'victim@shop.kz');
  assert.equal(mailboxOf('victim+1@shop.kz'), 'victim@shop.kz');
  assert.equal(mailboxOf('vic.tim+x@googlemail.com'), 'victim@gmail.com');
  assert.equal(mailboxOf('vic.tim@shop.kz'), 'vic.tim@shop.kz');
  assert.equal(mailboxOf('+@shop.kz'), '+@shop.kz');
});
