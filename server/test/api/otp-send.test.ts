import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../harness.ts';

const service = useService();

test('a code is sent, charged once, and verified once', async () => {
  const key = await service.key();
  const phone = service.phone();
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.status, 200);
  assert.equal(sent.body.cost, 3);
  assert.equal(sent.body.balance, 47);
  const code = service.codeOn(key, phone);
  const verified = await service.call('/otp/verify', { phone, code }, key);
  assert.equal(verified.status, 200);
  const again = await service.call('/otp/verify', { phone, code }, key);
  assert.equal(again.body.error_code, 'code_already_used');
});
