import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topUp } from '../../src/billing/top-up.ts';
import { type Answered, type TestKey, useService } from '../harness.ts';

/** The database goes away after the work is done, and before its answer is kept. */
const service = useService();

function ask(key: TestKey, name: string, path: string, body: object): Promise<Answered> {
  return service.call(path, body, { ...key, headers: { 'idempotency-key': name } });
}

const isReplay = (answer: Answered) => answer.headers['idempotent-replayed'] === 'true';
const arrived = (key: TestKey) => service.sandbox.phone.messages({ keyId: key.keyId }).length;

/** Whatever would be written about an answer cuts its connection. */
async function withoutKeeping<T>(work: () => Promise<T>): Promise<T> {
  await service.sql(`
    create function cut_connection() returns trigger language plpgsql as $$
    begin
      perform pg_terminate_backend(pg_backend_pid());
      return old;
    end $$;
    create trigger cut_connection before update or delete on idempotency
      for each row execute function cut_connection()`);
  try {
    return await work();
  } finally {
    await service.sql('drop trigger cut_connection on idempotency; drop function cut_connection()');
  }
}

test('a send that was charged is answered as sent, and later from what is recorded', async () => {
  const key = await service.key();
  const body = { phone: service.phone() };
  const first = await withoutKeeping(() => ask(key, 'a', '/otp/send', body));
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  const early = await ask(key, 'a', '/otp/send', body);
  assert.equal(early.body.error_code, 'request_in_progress');

  await service.passTime(21);
  const unkept = await withoutKeeping(() => ask(key, 'a', '/otp/send', body));
  const kept = await ask(key, 'a', '/otp/send', body);
  for (const again of [unkept, kept]) {
    assert.equal(again.status, 200);
    assert.equal(isReplay(again), true);
    assert.equal(again.body.message_id, first.body.message_id);
  }
  assert.equal(arrived(key), 1);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('a refusal stays the refusal it was, and the key can be used again', async () => {
  const key = await service.key({ balance: 0 });
  const body = { phone: service.phone() };
  const refused = await withoutKeeping(() => ask(key, 'a', '/otp/send', body));
  assert.equal(refused.body.error_code, 'insufficient_tokens');
  await topUp(service.ctx, { companyId: key.companyId, amount: 1_000 });
  await service.passTime(21);
  const sent = await ask(key, 'a', '/otp/send', body);
  assert.equal(sent.status, 200);
  assert.equal(isReplay(sent), false);
});
