import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordContact } from '../../src/contacts/contact-store.ts';
import { insertGroup, recordGroupPost } from '../../src/groups/group-store.ts';
import type { CompanyId } from '../../src/ids.ts';
import { runConcurrently, useService } from '../harness.ts';

/** Telegram gives an upgraded group a new chat id, which a company may have linked already. */
const service = useService();
let chats = 0;

function createMove() {
  chats += 1;
  return { kind: 'telegram_group_moved', chatId: `-${chats}`, newChatId: `-100${chats}` } as const;
}

const link = (companyId: CompanyId, name: string, chatId: string) =>
  insertGroup(service.ctx.db, { companyId, channel: 'telegram', name, chatId });

async function listGroups(companyId: CompanyId) {
  return await service.sql('select id, name, chat_id from messenger_group where company_id = $1', [
    companyId,
  ]);
}

test('a moved group has its new chat id in every company that had linked it', async () => {
  const moved = createMove();
  const companies = [await service.company(), await service.company()];
  await recordContact(service.ctx.db, { ...moved, kind: 'telegram_group', title: 'Склад' });
  const ids = [];
  for (const companyId of companies) ids.push(await link(companyId, 'Склад', moved.chatId));
  await recordContact(service.ctx.db, moved);
  for (const [i, companyId] of companies.entries()) {
    assert.deepEqual(await listGroups(companyId), [
      { id: ids[i], name: 'Склад', chat_id: moved.newChatId },
    ]);
  }
  const seen = await service.sql(
    'select chat_id, title, left_at is null as has_bot from telegram_group where chat_id = any ($1) order by has_bot',
    [[moved.chatId, moved.newChatId]],
  );
  assert.deepEqual(seen, [
    { chat_id: moved.chatId, title: 'Склад', has_bot: false },
    { chat_id: moved.newChatId, title: 'Склад', has_bot: true },
  ]);
});

test('when a company has linked the new id too, its older link is removed', async () => {
  const moved = createMove();
  const [both, oldOnly, newOnly] = [
    await service.company(),
    await service.company(),
    await service.company(),
  ];
  await link(both, 'Склад', moved.chatId);
  const later = await link(both, 'Склад 2', moved.newChatId);
  const old = await link(oldOnly, 'Склад', moved.chatId);
  const fresh = await link(newOnly, 'Склад', moved.newChatId);
  // Telegram reports a move twice: in the old chat and in the new one.
  await runConcurrently(2, () => recordContact(service.ctx.db, moved));
  const at = (id: number, name: string) => [{ id, name, chat_id: moved.newChatId }];
  assert.deepEqual(await listGroups(both), at(later, 'Склад 2'));
  assert.deepEqual(await listGroups(oldOnly), at(old, 'Склад'));
  assert.deepEqual(await listGroups(newOnly), at(fresh, 'Склад'));
});

test('of two links the one with the latest post remains, because its name is in use', async () => {
  const moved = createMove();
  const companyId = await service.company();
  const used = await link(companyId, 'Склад', moved.chatId);
  await link(companyId, 'Склад 2', moved.newChatId);
  await recordGroupPost(service.ctx.db, companyId, used);
  await recordContact(service.ctx.db, moved);
  assert.deepEqual(await listGroups(companyId), [
    { id: used, name: 'Склад', chat_id: moved.newChatId },
  ]);
});

test('a move that fails is rolled back completely', async () => {
  const moved = createMove();
  const companyId = await service.company();
  await recordContact(service.ctx.db, { ...moved, kind: 'telegram_group', title: 'Склад' });
  await link(companyId, 'Склад', moved.chatId);
  const tooLong = { ...moved, newChatId: '-'.padEnd(200, '1') };
  await assert.rejects(recordContact(service.ctx.db, tooLong));
  const seen = await service.sql(
    'select chat_id from telegram_group where chat_id = any ($1) and left_at is null',
    [[tooLong.chatId, tooLong.newChatId]],
  );
  assert.deepEqual(seen, [{ chat_id: moved.chatId }]);
});
