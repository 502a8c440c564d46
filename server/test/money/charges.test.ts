import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { PricedItem } from '@zhiber/contract/api/prices.ts';
import { setPrice } from '../../src/billing/manage-prices.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import { createHttpServer } from '../../src/http/transport/server.ts';
import { NO_INTERFERENCE } from '../../src/sandbox/test-numbers.ts';
import { type ApiAnswer, type TestKey, useService } from '../harness.ts';
import { openContext } from './two-nodes.ts';

const service = useService();

afterEach(async () => {
  service.sandbox.switches = NO_INTERFERENCE;
  for (const [item, tokens] of Object.entries({ whatsapp: 3, telegram: 3, sms: 8, group: 0 })) {
    await setCommonPrice(item as 'sms', tokens);
  }
});

const setCommonPrice = (item: PricedItem, tokens: number) =>
  setPrice(service.ctx, {}, { item, tokens, by: 'тест' });

/** Calls a node that has just started, so that its price cache is empty. */
async function callFreshNode(path: string, body: object, key: TestKey): Promise<ApiAnswer> {
  const { ctx, close } = openContext(service);
  const http = createHttpServer(ctx, service.sandbox);
  try {
    const response = await http.inject({
      method: 'POST',
      url: `/api${path}`,
      headers: { authorization: `Bearer ${key.key}` },
      payload: body,
    });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  } finally {
    await http.close();
    await close();
  }
}

async function chargedOf(id: unknown): Promise<number | undefined> {
  const rows = await service.sql<{ charged: number }>('select charged from message where id = $1', [
    id,
  ]);
  return rows[0]?.charged;
}

for (const [channel, price] of [
  ['whatsapp', 3],
  ['telegram', 3],
  ['sms', 8],
] as const) {
  test(`a code or a link by ${channel} costs ${price}`, async () => {
    const key = await service.key();
    const code = await service.call('/otp/send', { phone: service.phone(), channel }, key);
    assert.equal(code.body.cost, price);
    assert.equal(code.body.balance, 50 - price);
    const body = { phone: service.phone(), url: 'https://shop.kz/', channel };
    const link = await service.call('/links/send', body, key);
    assert.equal(link.body.cost, price);
    assert.equal(link.body.balance, 50 - 2 * price);
  });
}

test('a new price applies only to later sends', async () => {
  const key = await service.key();
  const body = () => ({ phone: service.phone(), channel: 'whatsapp' });
  const before = await callFreshNode('/otp/send', body(), key);
  await setCommonPrice('whatsapp', 5);
  const after = await callFreshNode('/otp/send', body(), key);
  assert.equal(before.body.cost, 3);
  assert.equal(after.body.cost, 5);
  assert.equal(await chargedOf(before.body.message_id), 3);
  assert.equal(await chargedOf(after.body.message_id), 5);
  assert.equal((await service.balance(key.companyId)).balance, 42);
});

test('a price of 0 allows sends with an empty balance and posts no entry', async () => {
  const key = await service.key({ balance: 0 });
  await setCommonPrice('telegram', 0);
  const body = { phone: service.phone(), channel: 'telegram' };
  const sent = await callFreshNode('/otp/send', body, key);
  assert.equal(sent.status, 200);
  assert.equal(sent.body.cost, 0);
  const charges = await service.sql(
    `select 1 from entry where company_id = $1 and kind = 'charge'`,
    [key.companyId],
  );
  assert.equal(charges.length, 0);
});

test('402 names the required amount when the balance does not cover the cheapest channel', async () => {
  const key = await service.key({ balance: 2 });
  const phone = service.phone();
  const auto = await service.call('/otp/send', { phone }, key);
  assert.equal(auto.status, 402);
  assert.equal(auto.body.required, 3);
  assert.equal(auto.body.balance, 2);
  const sms = await service.call('/otp/send', { phone, channel: 'sms' }, key);
  assert.equal(sms.body.required, 8);
  const recentSends = await service.sql('select 1 from recent_sends where company_id = $1', [
    key.companyId,
  ]);
  assert.equal(recentSends.length, 0, 'a refused send does not count against limits');
});

test('a send that every channel refused is never charged', async () => {
  const key = await service.key();
  service.sandbox.switches = {
    ...NO_INTERFERENCE,
    noWhatsapp: true,
    noTelegram: true,
    notMobile: true,
  };
  const refused = await service.call('/otp/send', { phone: service.phone() }, key);
  assert.equal(refused.status, 502);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  assert.equal(await chargedOf(refused.body.message_id), 0);
});

async function createGroup(key: TestKey): Promise<string> {
  await insertGroup(service.ctx.db, {
    companyId: key.companyId,
    channel: 'telegram',
    name: 'Склад',
    chatId: '-100200300',
  });
  return 'Склад';
}

test('a post to a group is free until the operator sets a price', async () => {
  const key = await service.key({ balance: 10 });
  await service.markPaid(key.companyId);
  const group = await createGroup(key);
  const body = { group, text: 'Привезли', channel: 'auto' };
  const unpaid = await callFreshNode('/group/send', body, key);
  assert.equal(unpaid.status, 200);
  assert.equal(unpaid.body.cost, 0);
  assert.equal((await service.balance(key.companyId)).balance, 10);

  await setCommonPrice('group', 7);
  const paid = await callFreshNode('/group/send', body, key);
  assert.equal(paid.body.cost, 7);
  assert.equal((await service.balance(key.companyId)).balance, 3);
  const short = await callFreshNode('/group/send', body, key);
  assert.equal(short.status, 402);
  assert.equal(short.body.required, 7);
});

test('a test key is never charged, not even with an empty balance', async () => {
  const company = await service.company(0);
  const key = await service.key({ companyId: company, isTest: true });
  const group = await createGroup(key);
  const phones = Array.from({ length: 3 }, service.phone);
  const answers = [
    await service.call('/otp/send', { phone: phones[0] }, key),
    await service.call('/otp/send', { phone: phones[1], channel: 'sms' }, key),
    await service.call(
      '/links/send',
      { phone: phones[2], url: 'https://shop.kz/', channel: 'sms' },
      key,
    ),
    await service.call('/group/send', { group, text: 'Проба', channel: 'auto' }, key),
  ];
  for (const { status, body } of answers) {
    assert.equal(status, 200);
    assert.equal(body.cost, 0);
  }
  const charges = await service.sql(
    `select 1 from entry where company_id = $1 and kind = 'charge'`,
    [company],
  );
  assert.equal(charges.length, 0);
});
