import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { setPrice } from '../../src/billing/manage-prices.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { type ApiAnswer, advanceProcessClock, type TestKey, useService } from '../harness.ts';

const service = useService();
let groups = 0;

async function linkGroup(key: TestKey, channel: Channel = 'telegram', name = 'Дежурные') {
  groups += 1;
  const chatId = `-100${String(groups).padStart(9, '0')}`;
  const { companyId } = key;
  const id = await insertGroup(service.ctx.db, { companyId, channel, name, chatId });
  await service.markPaid(companyId);
  return { id, chatId, name };
}

const send = (key: TestKey, group: unknown, more: object = {}): Promise<ApiAnswer> =>
  service.call('/group/send', { group, text: 'Новая заявка', ...more }, key);

const postedBy = (key: TestKey) => service.sandbox.phone.messages({ keyId: key.keyId });

test('a post reaches the group and charges nothing', async () => {
  const key = await service.key({ balance: 0 });
  const group = await linkGroup(key);
  const sent = await send(key, group.name);
  assert.equal(sent.status, 200);
  assert.equal(sent.body.success, true);
  assert.equal(sent.body.message, 'Сообщение отправлено в группу');
  assert.equal(sent.body.channel, 'telegram');
  assert.equal(sent.body.cost, 0);
  assert.equal(sent.body.balance, 0);
  const [message, ...others] = postedBy(key);
  assert.deepEqual(others, []);
  assert.equal(message?.kind, 'group');
  assert.equal(message?.phone, group.chatId);
  assert.equal(message?.text, 'Новая заявка');
  assert.equal(message?.messageId, sent.body.message_id);
});

describe('a group can be addressed by', () => {
  const references: Record<string, (group: { id: number; chatId: string }) => string> = {
    'its id': (group) => String(group.id),
    'its name': () => 'Дежурные',
    'its name in another case': () => 'дЕЖУРНЫЕ',
    'its chat id in the messenger': (group) => group.chatId,
  };
  for (const [name, refer] of Object.entries(references)) {
    test(name, async () => {
      const key = await service.key();
      const group = await linkGroup(key);
      assert.equal((await send(key, refer(group))).status, 200);
      assert.equal(postedBy(key).at(-1)?.phone, group.chatId);
    });
  }
});

describe('an unknown group is refused', () => {
  test('when no company has linked it', async () => {
    const refused = await send(await service.key(), 'Нет такой');
    assert.equal(refused.body.error_code, 'group_not_found');
  });

  test('when another company has linked it, by id, name and chat id', async () => {
    const group = await linkGroup(await service.key());
    const key = await service.key();
    for (const reference of [String(group.id), group.name, group.chatId]) {
      assert.equal((await send(key, reference)).body.error_code, 'group_not_found', reference);
    }
  });
});

describe('the channel', () => {
  test('is the messenger in which the group is linked', async () => {
    const key = await service.key();
    await linkGroup(key, 'whatsapp', 'Склад');
    await linkGroup(key, 'telegram', 'Офис');
    assert.equal((await send(key, 'Склад', { channel: 'auto' })).body.channel, 'whatsapp');
    assert.equal((await send(key, 'Офис', { channel: null })).body.channel, 'telegram');
  });

  test('selects between two groups with the same name', async () => {
    const key = await service.key({ channels: ['telegram', 'whatsapp'] });
    await linkGroup(key, 'whatsapp');
    await linkGroup(key, 'telegram');
    assert.equal((await send(key, 'Дежурные')).body.channel, 'telegram');
    const chosen = await send(key, 'Дежурные', { channel: 'whatsapp' });
    assert.equal(chosen.body.channel, 'whatsapp');
  });

  test('is refused when the key has disabled it', async () => {
    const key = await service.key({ channels: ['whatsapp'] });
    await linkGroup(key, 'telegram');
    const explicit = await send(key, 'Дежурные', { channel: 'telegram' });
    assert.equal(explicit.body.error_code, 'channel_disabled');
    const auto = await send(key, 'Дежурные');
    assert.equal(auto.body.error_code, 'no_channel_available');
  });

  test('is refused when the group is linked in another messenger', async () => {
    const key = await service.key();
    await linkGroup(key, 'telegram');
    const refused = await send(key, 'Дежурные', { channel: 'whatsapp' });
    assert.equal(refused.body.error_code, 'channel_unsuitable');
  });

  test('is never SMS', async () => {
    const key = await service.key();
    await linkGroup(key);
    const refused = await send(key, 'Дежурные', { channel: 'sms' });
    assert.equal(refused.body.error_code, 'validation_error');
    assert.deepEqual(Object.keys(refused.body.errors as object), ['channel']);
  });
});

describe('a link', () => {
  const target = 'https://example.kz/tickets/7';

  test('replaces :link and expires after 30 days', async () => {
    const key = await service.key();
    await linkGroup(key);
    const more = { text: 'Заявка :link ждёт', link: target };
    const sent = await send(key, 'Дежурные', more);
    assert.equal(sent.body.expires_in, 30 * 24 * 3600);
    assert.equal(postedBy(key).at(-1)?.text, `Заявка ${sent.body.short_url} ждёт`);
    const opened = await service.http.inject(new URL(String(sent.body.short_url)).pathname);
    assert.equal(opened.headers.location, target);
  });

  test('is appended to a text without :link', async () => {
    const key = await service.key();
    await linkGroup(key);
    const sent = await send(key, 'Дежурные', { link: target });
    assert.equal(postedBy(key).at(-1)?.text, `Новая заявка ${sent.body.short_url}`);
  });

  test('is refused when it is not a web address', async () => {
    const key = await service.key();
    await linkGroup(key);
    const refused = await send(key, 'Дежурные', { link: 'tel:112' });
    assert.equal(refused.body.error_code, 'invalid_url');
  });

  test('is optional, and without it the answer has no short_url', async () => {
    const key = await service.key();
    await linkGroup(key);
    const sent = await send(key, 'Дежурные', { text: 'просто :link' });
    assert.equal('short_url' in sent.body, false);
    assert.equal(postedBy(key).at(-1)?.text, 'просто :link');
  });
});

test('a price for groups that the operator sets is charged', async () => {
  const key = await service.key({ balance: 12 });
  await linkGroup(key);
  await setPrice(service.ctx, {}, { item: 'group', tokens: 5, by: 'тест' });
  // The price cache expires within a second.
  advanceProcessClock();
  const paid = await send(key, 'Дежурные');
  assert.equal(paid.body.cost, 5);
  assert.equal(paid.body.balance, 7);
  assert.equal((await send(key, 'Дежурные')).body.balance, 2);
  const refused = await send(key, 'Дежурные');
  assert.equal(refused.body.error_code, 'insufficient_tokens');
  assert.equal(refused.body.required, 5);
  assert.equal(refused.body.balance, 2);
});

describe('a company that has never paid', () => {
  const unpaidKey = async (settings: Parameters<typeof service.key>[0] = {}) => {
    const key = await service.key(settings);
    await insertGroup(service.ctx.db, { ...GROUP, companyId: key.companyId });
    return key;
  };
  const GROUP = { channel: 'telegram', name: 'Дежурные', chatId: '-1' } as const;

  test('may not post with a live key, however many tokens it was given', async () => {
    const key = await unpaidKey({ balance: 5_000 });
    const refused = await send(key, 'Дежурные');
    assert.equal(refused.status, 402);
    assert.equal(refused.body.error_code, 'insufficient_tokens');
    assert.deepEqual([refused.body.required, refused.body.balance], [1_000, 5_000]);
    assert.deepEqual(postedBy(key), []);
    const again = { ...key, headers: { 'idempotency-key': 'a' } };
    const body = { group: 'Дежурные', text: 'Новая заявка' };
    assert.equal((await service.call('/group/send', body, again)).status, 402);
    await topUp(service.ctx, { companyId: key.companyId, amount: 1_000 });
    assert.equal((await service.call('/group/send', body, again)).status, 200);
    assert.equal((await send(key, 'Дежурные')).status, 200);
  });

  test('may post with a test key', async () => {
    const key = await unpaidKey({ isTest: true, balance: 0 });
    assert.equal((await send(key, 'Дежурные')).status, 200);
  });

  test('learns of a wrong group or channel first', async () => {
    const key = await unpaidKey({ channels: ['whatsapp'] });
    assert.equal((await send(key, 'Нет такой')).body.error_code, 'group_not_found');
    const disabled = await send(key, 'Дежурные', { channel: 'telegram' });
    assert.equal(disabled.body.error_code, 'channel_disabled');
  });
});

test('a group gets at most twenty posts a minute', async () => {
  const key = await service.key({ isTest: true });
  await linkGroup(key, 'telegram', 'Шумная');
  await linkGroup(key, 'telegram', 'Тихая');
  for (let i = 0; i < 20; i++) assert.equal((await send(key, 'Шумная')).status, 200);
  const refused = await send(key, 'Шумная');
  assert.equal(refused.status, 429);
  const wait = Number(refused.body.retry_after);
  assert(wait >= 50 && wait <= 60, `retry_after ${wait}`);
  assert.equal((await send(key, 'Тихая')).status, 200);
  await service.passTime(wait);
  assert.equal((await send(key, 'Шумная')).status, 200);
});

describe('an invalid body names its invalid fields', () => {
  const wrong: Record<string, { body: object; fields: string[] }> = {
    'an empty body': { body: {}, fields: ['group', 'text'] },
    'no text': { body: { group: 'Дежурные' }, fields: ['text'] },
    'an empty text': { body: { group: 'Дежурные', text: '' }, fields: ['text'] },
    'a text too long': { body: { group: 'Дежурные', text: 'я'.repeat(4_097) }, fields: ['text'] },
    'a group that is a number': { body: { group: 7, text: 'a' }, fields: ['group'] },
    'a group that is null': { body: { group: null, text: 'a' }, fields: ['group'] },
  };
  for (const [name, { body, fields }] of Object.entries(wrong)) {
    test(name, async () => {
      const refused = await service.call('/group/send', body, await service.key());
      assert.equal(refused.body.error_code, 'validation_error');
      assert.deepEqual(Object.keys(refused.body.errors as object).sort(), fields);
    });
  }

  test('a text of 4,096 characters is sent', async () => {
    const key = await service.key({ isTest: true });
    await linkGroup(key);
    const sent = await send(key, 'Дежурные', { text: 'я'.repeat(4_096) });
    assert.equal(sent.status, 200);
  });
});
