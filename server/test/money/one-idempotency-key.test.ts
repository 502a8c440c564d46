import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchOnce } from '../../src/delivery/watch.ts';
import { runIdempotently } from '../../src/idempotency/run-idempotently.ts';
import type { MessageId } from '../../src/ids.ts';
import { reserveThenDie } from '../delivery/dead-process.ts';
import { runConcurrently, type TestKey } from '../harness.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post } = useTwoNodes();

const named = (key: TestKey, name: string) => ({
  key: key.key,
  headers: { 'idempotency-key': name },
});

async function messagesOf(key: TestKey) {
  return await service.sql<{ id: MessageId; charged: number }>(
    'select id, charged from message where company_id = $1',
    [key.companyId],
  );
}

test('300 calls of /links/send at once with one Idempotency-Key are one send', async () => {
  const path = '/links/send';
  const key = await service.key();
  const body = { phone: service.phone(), url: 'https://shop.kz/order', channel: 'whatsapp' };
  const answers = await runConcurrently(300, (i) => post(i, path, body, named(key, 'order 42')));

  const counts = tally(answers);
  assert((counts.ok ?? 0) >= 1, JSON.stringify(counts));
  assert.equal((counts.ok ?? 0) + (counts.request_in_progress ?? 0), 300, JSON.stringify(counts));
  const accepted = answers.filter((answer) => answer.status === 200);
  const first = accepted.filter((answer) => answer.headers['idempotent-replayed'] === undefined);
  assert.equal(first.length, 1, 'one is the first answer, every other a replay of it');
  for (const { body } of accepted) assert.deepEqual(body, first[0]?.body);

  const replays = await runConcurrently(100, (i) => post(i, path, body, named(key, 'order 42')));
  for (const { status, body, headers } of replays) {
    assert.equal(status, 200);
    assert.equal(headers['idempotent-replayed'], 'true');
    assert.deepEqual(body, first[0]?.body);
  }
  const messages = await messagesOf(key);
  assert.deepEqual(messages, [{ id: first[0]?.body.message_id, charged: 3 }]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('a replay comes before the limits and the balance', async () => {
  const key = await service.key({ balance: 3 });
  const body = { phone: service.phone(), channel: 'whatsapp' };
  const first = await service.call('/otp/send', body, named(key, 'once'));
  assert.equal(first.status, 200);
  assert.equal((await service.call('/otp/send', body, key)).status, 429);
  const again = await service.call('/otp/send', body, named(key, 'once'));
  assert.deepEqual(again.body, first.body);
});

test('another body under the same name is refused and sends nothing', async () => {
  const key = await service.key();
  await service.call('/otp/send', { phone: service.phone() }, named(key, 'taken'));
  const others = Array.from({ length: 50 }, service.phone);
  const answers = await runConcurrently(50, (i) =>
    post(i, '/otp/send', { phone: others[i] }, named(key, 'taken')),
  );
  assert.deepEqual(tally(answers), { idempotency_key_reused: 50 });
  assert.equal((await messagesOf(key)).length, 1);
});

test('a wrong guess repeated under one name is counted once', async () => {
  const key = await service.key();
  const phone = service.phone();
  await service.call('/otp/send', { phone }, key);
  const code = service.readSentCode(key, phone) === '000000' ? '000001' : '000000';
  const answers = await runConcurrently(100, (i) =>
    post(i, '/otp/verify', { phone, code }, named(key, 'guess')),
  );
  const left = answers.filter(({ body }) => body.error_code === 'invalid_code');
  assert(left.length >= 1);
  for (const { body } of left) assert.equal(body.attempts_left, 4);
  const next = await service.call('/otp/verify', { phone, code }, key);
  assert.equal(next.body.attempts_left, 3);
});

/** Runs a call up to some point of it, and then its process dies. */
async function dieUnderName(
  key: TestKey,
  call: { name: string; body: object; run(subject: MessageId): Promise<void> },
): Promise<void> {
  await assert.rejects(
    runIdempotently(service.ctx, {
      companyId: key.companyId,
      keyId: key.keyId,
      path: '/otp/send',
      idempotencyKey: call.name,
      body: JSON.stringify(call.body),
      run: async (subject) => {
        await call.run(subject);
        throw new Error('the process died');
      },
      resume: () => Promise.resolve(undefined),
    }),
    /the process died/,
  );
}

test('a call that died after its reservation is answered from its state and never sent again', async () => {
  const key = await service.key();
  const phone = service.phone();
  let died: MessageId | undefined;
  await dieUnderName(key, {
    name: 'died half-way',
    body: { phone },
    run: async (subject) => {
      died = subject;
      await reserveThenDie(service, { key, phone, id: subject });
    },
  });
  const early = await service.call('/otp/send', { phone }, named(key, 'died half-way'));
  assert.equal(early.body.error_code, 'request_in_progress');

  await service.passTime(40);

  await watchOnce(service.ctx);
  const answers = await runConcurrently(50, (i) =>
    post(i, '/otp/send', { phone }, named(key, 'died half-way')),
  );
  assert.deepEqual(tally(answers), { delivery_unconfirmed: 50 });
  for (const { body } of answers) assert.equal(body.message_id, died);
  assert.deepEqual(await messagesOf(key), [{ id: died, charged: 0 }]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('a call that died before it did anything is run once by those who repeat it', async () => {
  const key = await service.key();
  const phone = service.phone();
  await dieUnderName(key, { name: 'died at once', body: { phone }, run: async () => undefined });
  const early = await service.call('/otp/send', { phone }, named(key, 'died at once'));
  assert.equal(early.body.error_code, 'request_in_progress');
  await service.passTime(21);
  const answers = await runConcurrently(100, (i) =>
    post(i, '/otp/send', { phone }, named(key, 'died at once')),
  );
  const counts = tally(answers);
  assert((counts.ok ?? 0) >= 1, JSON.stringify(counts));
  assert.equal((counts.ok ?? 0) + (counts.request_in_progress ?? 0), 100, JSON.stringify(counts));
  assert.equal((await messagesOf(key)).length, 1);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});
