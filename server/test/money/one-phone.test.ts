import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WELCOME_BONUS } from '@zhiber/contract/api/prices.ts';
import { type Answered, type TestKey, together } from '../harness.ts';
import { spellings } from '../spellings.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post, allAtOnce } = useTwoNodes();

async function chargesOf(key: TestKey) {
  return await service.sql<{ amount: number; messages: number }>(
    `select amount, messages from entry where company_id = $1 and kind = 'charge'`,
    [key.companyId],
  );
}

async function assertOneSend(answers: Answered[], key: TestKey): Promise<void> {
  // One leaves. Where the machine was too busy to write that down in time, it is free of charge.
  const { ok = 0, delivery_unconfirmed: free = 0, ...refused } = tally(answers);
  assert.equal(ok + free, 1);
  assert.deepEqual(refused, { send_rate_limited: answers.length - 1 });
  for (const { headers, body } of answers.filter((answer) => answer.status === 429)) {
    const wait = Number(headers['retry-after']);
    assert(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
    assert.equal(body.retry_after, wait);
  }
  if (ok === 1) assert.deepEqual(await chargesOf(key), [{ amount: -3, messages: 1 }]);
  assert.deepEqual(await service.balance(key.companyId), {
    balance: WELCOME_BONUS - ok * 3,
    held: 0,
  });
  // What was reserved for somebody who was sent away has failed, and has reached nobody.
  const messages = await service.sql(
    `select id from message where company_id = $1 and state <> 'failed'`,
    [key.companyId],
  );
  assert.equal(messages.length, 1);
}

test('500 sends at once to one phone in 15 spellings are one send and one charge', async () => {
  const key = await service.key();
  const written = spellings('7017770001');
  const answers = await allAtOnce(500, (i) =>
    service.call('/otp/send', { phone: written[i % written.length] }, key),
  );
  await assertOneSend(answers, key);
  assert.equal(service.sandbox.phone.messages({ keyId: key.keyId }).length, 1);
});

test('500 sends at once over two nodes are one send, across keys, purposes and channels', async () => {
  const key = await service.key();
  const sibling = await service.key({ companyId: key.companyId });
  const written = spellings('7017770002');
  const channels = ['auto', 'whatsapp', 'telegram'];
  const answers = await allAtOnce(500, (i) =>
    post(
      i,
      '/otp/send',
      {
        phone: written[i % written.length],
        purpose: `purpose ${i % 7}`,
        channel: channels[i % channels.length],
      },
      i % 3 === 0 ? sibling : key,
    ),
  );
  await assertOneSend(answers, key);
});

test('being refused does not lengthen the minute, and it is over after 60 seconds', async () => {
  const key = await service.key();
  const phone = service.phone();
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
  await service.passTime(30);
  const refused = await together(100, (i) => post(i, '/otp/send', { phone }, key));
  assert.deepEqual(tally(refused), { send_rate_limited: 100 });
  for (const { body } of refused) assert(Number(body.retry_after) <= 30);
  await service.passTime(30);
  const after = await together(100, (i) => post(i, '/otp/send', { phone }, key));
  assert.deepEqual(tally(after), { ok: 1, send_rate_limited: 99 });
});

test('one company hammering a phone does not hinder another', async () => {
  const keys = await together(5, () => service.key());
  const phone = service.phone();
  const answers = await allAtOnce(200, (i) =>
    post(i, '/otp/send', { phone }, keys[i % keys.length] as TestKey),
  );
  assert.deepEqual(tally(answers), { ok: 5, send_rate_limited: 195 });
  for (const key of keys) {
    assert.deepEqual(await chargesOf(key), [{ amount: -3, messages: 1 }]);
  }
});

test('ten codes an hour is the cap of a phone, however they are spread', async () => {
  const key = await service.key({ balance: 1_000 });
  const phone = service.phone();
  for (let sent = 1; sent <= 10; sent++) {
    const answers = await together(4, (i) => post(i, '/otp/send', { phone }, key));
    assert.deepEqual(tally(answers), { ok: 1, send_rate_limited: 3 }, `round ${sent}`);
    await service.passTime(61);
  }
  const over = await together(20, (i) => post(i, '/otp/send', { phone }, key));
  assert.deepEqual(tally(over), { daily_limit_reached: 20 });
  for (const { body } of over) assert(Number(body.retry_after) > 60);
  assert.equal((await service.balance(key.companyId)).balance, 1_000 - 30);
});

test('200 links at once to one phone over two nodes are thirty, the cap of an hour', async () => {
  const key = await service.key({ balance: 1_000 });
  const phone = service.phone();
  const answers = await together(200, (i) =>
    post(i, '/links/send', { phone, url: `https://shop.kz/${i}`, channel: 'whatsapp' }, key),
  );
  assert.deepEqual(tally(answers), { ok: 30, daily_limit_reached: 170 });
  assert.equal((await service.balance(key.companyId)).balance, 1_000 - 90);
});
