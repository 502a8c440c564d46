import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { signedIn } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);

/** The newest code that has arrived at a phone, whoever sent it. */
function codeAt(phone: string): string {
  const message = service.sandbox.phone.recent(50).findLast((one) => one.phone === phone);
  assert(message?.code, `no code has arrived at ${phone}`);
  return message.code;
}

test('a code signs in, and makes the account of a phone that is new', async () => {
  const phone = service.phone();
  const browser = { cookie: '' };
  (await cabinet.as(browser).call(S.sendPhoneCode, { body: { phone } })).ok();
  const code = codeAt(phone);
  (await cabinet.as(browser).call(S.signInByPhone, { body: { phone, code } })).ok();
  const visitor = await service.people.findVisitor({ cookie: browser.cookie });
  assert.equal(visitor?.name, `+7701***${phone.slice(-4)}`);
  assert.equal(visitor?.membership, undefined);
});
