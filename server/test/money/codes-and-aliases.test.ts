import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runConcurrently, type TestKey } from '../harness.ts';
import { wrongCode } from '../wrong-code.ts';
import { attemptsLeft, tally, useTwoNodes } from './two-nodes.ts';

const { service, post } = useTwoNodes();

async function sendCode(key: TestKey, phone: string): Promise<string> {
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
  return service.readSentCode(key, phone);
}

test('guesses at one code do not use up those of another purpose, key or phone', async () => {
  const key = await service.key();
  const sibling = await service.key({ companyId: key.companyId });
  const phone = service.phone();
  await sendCode(key, phone);
  const otherPhone = service.phone();
  const otherCode = await sendCode(sibling, otherPhone);
  await runConcurrently(50, (i) =>
    post(i, '/otp/verify', { phone, code: wrongCode(service.readSentCode(key, phone), i) }, key),
  );
  const body = { phone: otherPhone, code: otherCode };
  assert.equal((await service.call('/otp/verify', body, key)).body.error_code, 'code_not_found');
  const elsewhere = await service.call('/otp/verify', { ...body, purpose: 'other' }, sibling);
  assert.equal(elsewhere.body.error_code, 'code_not_found');
  assert.equal((await service.call('/otp/verify', body, sibling)).status, 200);
});

test('when the codes are spread over an hour, attempts_left never promises more than are left', async () => {
  const key = await service.key();
  const phone = service.phone();
  const first = await sendCode(key, phone);
  for (let i = 0; i < 4; i++) {
    await service.call('/otp/verify', { phone, code: wrongCode(first, i) }, key);
  }
  await service.passTime(61);
  const second = await sendCode(key, phone);
  for (let i = 0; i < 4; i++) {
    await service.call('/otp/verify', { phone, code: wrongCode(second, i) }, key);
  }
  await service.passTime(61);
  const third = await sendCode(key, phone);
  const answers = await runConcurrently(20, (i) =>
    post(i, '/otp/verify', { phone, code: wrongCode(third, i) }, key),
  );
  assert.deepEqual(tally(answers), { invalid_code: 2, too_many_attempts: 18 });
  assert.deepEqual(attemptsLeft(answers), [1, 0]);
});

test('an expired alias never passes to another company, not even in a race', async () => {
  const owner = await service.key();
  const url = 'https://shop.kz/';
  await service.call('/links/shorten', { url, alias: 'short-lived', expires_in: 60 }, owner);
  await service.passTime(61);
  const stranger = await service.key();
  const answers = await runConcurrently(100, (i) =>
    post(i, '/links/shorten', { url: 'https://other.kz/', alias: 'Short-Lived' }, stranger),
  );
  assert.deepEqual(tally(answers), { alias_taken: 100 });
  const again = await service.call('/links/shorten', { url, alias: 'short-lived' }, owner);
  assert.equal(again.status, 200);
});
