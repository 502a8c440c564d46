import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { hasLockWaiter, runConcurrently, type TestKey, until } from '../harness.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post, allAtOnce } = useTwoNodes();

test('being refused does not lengthen the minute, and it is over after 60 seconds', async () => {
  const key = await service.key();
  const phone = service.phone();
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
  await service.passTime(30);
  const refused = await runConcurrently(100, (i) => post(i, '/otp/send', { phone }, key));
  assert.deepEqual(tally(refused), { send_rate_limited: 100 });
  for (const { body } of refused) assert(Number(body.retry_after) <= 30);
  await service.passTime(30);
  const after = await runConcurrently(100, (i) => post(i, '/otp/send', { phone }, key));
  assert.deepEqual(tally(after), { ok: 1, send_rate_limited: 99 });
});

test('one company hammering a phone does not hinder another', async () => {
  const keys = await runConcurrently(5, () => service.key());
  const phone = service.phone();
  const answers = await allAtOnce(200, (i) =>
    post(i, '/otp/send', { phone }, keys[i % keys.length] as TestKey),
  );
  assert.deepEqual(tally(answers), { ok: 5, send_rate_limited: 195 });
  for (const key of keys) {
    assert.deepEqual(await service.charges(key.companyId), [{ amount: -3, messages: 1 }]);
  }
});

test('ten codes an hour is the cap of a phone, however they are spread', async () => {
  const key = await service.key({ balance: 1_000 });
  const phone = service.phone();
  for (let sent = 1; sent <= 10; sent++) {
    const answers = await runConcurrently(4, (i) => post(i, '/otp/send', { phone }, key));
    // After the tenth the cap lasts longer than the minute, and is the one that is named.
    const refusal = sent < 10 ? 'send_rate_limited' : 'daily_limit_reached';
    assert.deepEqual(tally(answers), { ok: 1, [refusal]: 3 }, `round ${sent}`);
    await service.passTime(61);
  }
  const over = await runConcurrently(20, (i) => post(i, '/otp/send', { phone }, key));
  assert.deepEqual(tally(over), { daily_limit_reached: 20 });
  for (const { body } of over) assert(Number(body.retry_after) > 60);
  assert.equal((await service.balance(key.companyId)).balance, 1_000 - 30);
});

test('200 links at once to one phone over two nodes are thirty, the cap of an hour', async () => {
  const key = await service.key({ balance: 1_000 });
  const phone = service.phone();
  const answers = await runConcurrently(200, (i) =>
    post(i, '/links/send', { phone, url: `https://shop.kz/${i}`, channel: 'whatsapp' }, key),
  );
  assert.deepEqual(tally(answers), { ok: 30, daily_limit_reached: 170 });
  assert.equal((await service.balance(key.companyId)).balance, 1_000 - 90);
});

for (const table of ['code', 'recent_sends']) {
  test(`a send while its old row of ${table} is removed leaves a new one`, async (t) => {
    const key = await service.key();
    const phone = service.phone();
    assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
    await service.passTime(61);

    const remover = new pg.Client(service.ctx.db.pool.options as pg.ClientConfig);
    await remover.connect();
    t.after(() => remover.end());
    await remover.query(`begin; delete from ${table}`);
    const sending = service.call('/otp/send', { phone }, key);
    await until('the send waits for the row', () => hasLockWaiter(service.sql));
    await remover.query('commit');
    const sent = await sending;
    assert.equal(sent.status, 200);

    const again = await service.call('/otp/send', { phone }, key);
    assert.equal(again.body.error_code, 'send_rate_limited', 'the minute has begun');
    const code = service.readSentCode(key, phone);
    const verified = await service.call('/otp/verify', { phone, code }, key);
    assert.equal(verified.status, 200, 'the new code is right');
  });
}
