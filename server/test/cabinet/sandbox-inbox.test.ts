/** Before the sign-in a sandbox shows a browser what it has asked for itself, and nothing of others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { readSandboxInbox } from '../../src/accounts/sandbox-inbox.ts';
import { newToken } from '../../src/token.ts';
import { useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { lettersTo, readNewestCode } from './inbox.ts';

const service = useService();
const { call } = createCabinetClient(service);

const read = async (request_token: string, phone?: string) =>
  (await call(S.sandboxInbox, { body: { request_token, ...(phone && { phone }) } })).ok().messages;

test('the browser that asked for a code reads it, however the number is written', async () => {
  const phone = service.phone();
  const { request_token: own } = (await call(S.sendPhoneCode, { body: { phone } })).ok();
  const code = readNewestCode(service, phone);
  const spelled = `8 ${phone.slice(2, 5)} ${phone.slice(5)}`;
  for (const written of [phone, spelled]) {
    assert.deepEqual(
      (await read(own, written)).map((message) => message.code),
      [code],
    );
  }
});

test('a browser reads no code that another one has asked for', async () => {
  const [theirs, mine] = [service.phone(), service.phone()];
  (await call(S.sendPhoneCode, { body: { phone: theirs } })).ok();
  const { request_token: own } = (await call(S.sendPhoneCode, { body: { phone: mine } })).ok();
  assert.deepEqual(await read(own, theirs), []);
  assert.deepEqual(await read(newToken().token, theirs), []);
  assert.deepEqual(await read(own), [], 'a code is no letter');
});

test('a browser reads no code that a company has sent to its phone', async () => {
  const phone = service.phone();
  const { request_token: own } = (await call(S.sendPhoneCode, { body: { phone } })).ok();
  const { key } = await service.key({ isTest: true });
  await service.http.inject({
    method: 'POST',
    url: '/api/otp/send',
    headers: { authorization: `Bearer ${key}` },
    payload: { phone },
  });
  const seen = (await read(own, phone)).map(({ text }) => text);
  assert.equal(seen.length, 1);
  assert.match(seen[0] ?? '', /^Zhiber: код /);
});

test('a letter is shown to the browser that asked for it alone', async () => {
  const email = 'asked@example.kz';
  const { token: own } = newToken();
  const body = { name: 'Айгерим', email };
  (await call(S.signUpByEmail, { body: { ...body, request_token: own } })).ok();
  const [letter] = await read(own);
  assert.equal(letter?.link, lettersTo(service, email)[0]?.link);
  assert.deepEqual(await read(newToken().token), []);

  (await call(S.signUpByEmail, { body })).ok();
  assert.equal((await read(own)).length, 1, 'a letter without a token is of no browser');
  const { token: unknown } = newToken();
  const forgot = { email: 'nobody@example.kz', request_token: unknown };
  (await call(S.forgotPassword, { body: forgot })).ok();
  assert.deepEqual(await read(unknown), []);
});

test('a live installation shows nothing, not even to the browser that asked', async () => {
  const phone = service.phone();
  const { request_token: browser } = (await call(S.sendPhoneCode, { body: { phone } })).ok();
  const { ctx, systemKey } = service.accounts;
  const live = { ...ctx, channels: { ...ctx.channels, isSandbox: false } };
  await assert.rejects(
    readSandboxInbox({ ctx: live, systemKey }, service.sandbox.phone, { browser, phone }),
    { code: 'not_found' },
  );
});
