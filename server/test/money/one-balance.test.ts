import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { reserve } from '../../src/delivery/reserve-store.ts';
import { settleWithRetry } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { NO_INTERFERENCE } from '../../src/sandbox/test-numbers.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { acceptance, reservationOf } from '../delivery/dead-process.ts';
import { runConcurrently } from '../harness.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post } = useTwoNodes();

afterEach(() => {
  service.sandbox.switches = NO_INTERFERENCE;
});

const NO_MESSENGERS = { ...NO_INTERFERENCE, noWhatsapp: true, noTelegram: true };

test('a balance that is no multiple of the price keeps its rest', async () => {
  const key = await service.key({ balance: 50 });
  const phones = Array.from({ length: 100 }, service.phone);
  const answers = await runConcurrently(100, (i) =>
    post(i, '/otp/send', { phone: phones[i], channel: 'sms' }, key),
  );
  assert.deepEqual(tally(answers), { ok: 6, insufficient_tokens: 94 });
  assert.deepEqual(await service.balance(key.companyId), { balance: 2, held: 0 });
});

test('auto with 5 tokens goes by messenger and never by SMS', async () => {
  const key = await service.key({ balance: 5 });
  const accepted = await service.call('/otp/send', { phone: service.phone() }, key);
  assert.equal(accepted.body.cost, 3);
  assert.deepEqual(await service.balance(key.companyId), { balance: 2, held: 0 });

  const other = await service.key({ balance: 5 });
  service.sandbox.switches = NO_MESSENGERS;
  const phone = service.phone();
  const refused = await service.call('/otp/send', { phone }, other);
  assert.equal(refused.body.error_code, 'delivery_failed');
  assert.deepEqual(await service.balance(other.companyId), { balance: 5, held: 0 });
  assert.equal(service.sandbox.phone.messages({ keyId: other.keyId }).length, 0);
});

test('two autos at once with 5 tokens: one holds 3, and there is nothing left for the other', async () => {
  const key = await service.key({ balance: 5 });
  const phones = [service.phone(), service.phone()];
  const answers = await runConcurrently(2, (i) =>
    service.call('/otp/send', { phone: phones[i] }, key),
  );
  assert.deepEqual(tally(answers), { ok: 1, insufficient_tokens: 1 });
  const refused = answers.find((answer) => answer.status === 402);
  assert.equal(refused?.body.required, 3);
  assert.equal(refused?.body.balance, 2);
});

test('auto at once with mixed prices spends what it answers, and never more than there is', async () => {
  const key = await service.key({ balance: 100 });
  const phones = Array.from({ length: 300 }, service.phone);
  const answers = await runConcurrently(300, (i) =>
    post(i, '/otp/send', { phone: phones[i] }, key),
  );
  const spent = answers.reduce((sum, { body }) => sum + Number(body.cost ?? 0), 0);
  assert.equal((await service.balance(key.companyId)).balance, 100 - spent);
  assert(answers.every(({ status }) => status === 200 || status === 402));
  assert((tally(answers).ok ?? 0) >= 12, 'at least what fits at the dearest price is sent');
});

test('SMS as the last resort at once: what was held for a messenger alone never turns into SMS', async () => {
  const key = await service.key({ balance: 50 });
  service.sandbox.switches = NO_MESSENGERS;
  const phones = Array.from({ length: 100 }, service.phone);
  const answers = await runConcurrently(100, (i) =>
    service.call('/otp/send', { phone: phones[i] }, key),
  );
  const accepted = answers.filter((answer) => answer.status === 200);
  assert.equal(accepted.length, 6);
  assert(accepted.every(({ body }) => body.cost === 8 && body.channel === 'sms'));
  assert(answers.every(({ status }) => [200, 402, 502].includes(status)));
  assert.deepEqual(await service.balance(key.companyId), { balance: 2, held: 0 });
});

test('a top-up among the sends is never lost', async () => {
  const key = await service.key({ balance: 30 });
  const phones = Array.from({ length: 200 }, service.phone);
  const [answers] = await Promise.all([
    runConcurrently(200, (i) =>
      post(i, '/otp/send', { phone: phones[i], channel: 'whatsapp' }, key),
    ),
    runConcurrently(5, () => topUp(service.ctx, { companyId: key.companyId, amount: 1_000 })),
  ]);
  const sent = tally(answers).ok ?? 0;
  assert.equal((await service.balance(key.companyId)).balance, 30 + 6_000 - 3 * sent);
});

test('within one batch every hold counts: the dearest that can be paid, then the cheaper, then none', async () => {
  const key = await service.key({ balance: 13 });
  const reservations = Array.from({ length: 4 }, () =>
    reservationOf(service, { key, phone: service.phone() }),
  );
  const reserved = await reserve.run(service.ctx.db, reservations);
  assert.deepEqual(reserved, [
    { verdict: 'reserved', held: 8 },
    { verdict: 'reserved', held: 3 },
    { verdict: 'short', available: 2 },
    { verdict: 'short', available: 2 },
  ]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 13, held: 11 });
  for (const { id } of reservations.slice(0, 2)) {
    await settleWithRetry(service.ctx, { ...acceptance(key, id), state: 'unknown' });
  }
  assert.deepEqual(await service.balance(key.companyId), { balance: 13, held: 0 });
});

test('within one batch one phone is reserved once', async () => {
  const key = await service.key();
  const phone = service.phone();
  const reservations = Array.from({ length: 5 }, () => reservationOf(service, { key, phone }));
  const reserved = await reserve.run(service.ctx.db, reservations);
  assert.deepEqual(
    reserved.map((one) => one.verdict),
    ['reserved', 'too_soon', 'too_soon', 'too_soon', 'too_soon'],
  );
  const id = reservations[0]?.id as MessageId;
  await settleWithRetry(service.ctx, { ...acceptance(key, id), state: 'unknown' });
});
