import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordContact } from '../../src/contacts/contact-store.ts';
import { insertGroup, notePost } from '../../src/group/group-store.ts';
import type { CompanyId } from '../../src/ids.ts';
import { together, useService } from '../harness.ts';

/** Telegram gives a group that is upgraded a new id, which may be linked already. */
const service = useService();
let chats = 0;

function move() {
  chats += 1;
  return { kind: 'telegram_group_moved', chatId: `-${chats}`, newChatId: `-100${chats}` } as const;
}

const link = (companyId: CompanyId, name: string, chatId: string) =>
  insertGroup(service.ctx.db, { companyId, channel: 'telegram', name, chatId });

async function groupsOf(companyId: CompanyId) {
  return await service.sql('select id, name, chat_id from messenger_group where company_id = $1', [
    companyId,
  ]);
}

test('a group that moved is found at its new id, by every company that had linked it', async () => {
  const moved = move();
  const companies = [await service.company(), await service.company()];
  await recordContact(service.ctx.db, { ...moved, kind: 'telegram_group', title: 'Склад' });
  const ids = [];
  for (const companyId of companies) ids.push(await link(companyId, 'Склад', moved.chatId));
  await recordContact(service.ctx.db, moved);
  for (const [i, companyId] of companies.entries()) {
    assert.deepEqual(await groupsOf(companyId), [
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

test('where the new id is linked already, the older link gives way, and no other company notices', async () => {
  const moved = move();
  const [both, oldAlone, newAlone] = [
    await service.company(),
    await service.company(),
    await service.company(),
  ];
  await link(both, 'Склад', moved.chatId);
  const later = await link(both, 'Склад 2', moved.newChatId);
  const old = await link(oldAlone, 'Склад', moved.chatId);
  const fresh = await link(newAlone, 'Склад', moved.newChatId);
  // Told twice at once: in the old chat and in the new one.
  await together(2, () => recordContact(service.ctx.db, moved));
  const at = (id: number, name: string) => [{ id, name, chat_id: moved.newChatId }];
  assert.deepEqual(await groupsOf(both), at(later, 'Склад 2'));
  assert.deepEqual(await groupsOf(oldAlone), at(old, 'Склад'));
  assert.deepEqual(await groupsOf(newAlone), at(fresh, 'Склад'));
});

test('of two links the one that was posted to last stays: somebody uses its name', async () => {
  const moved = move();
  const companyId = await service.company();
  const used = await link(companyId, 'Склад', moved.chatId);
  await link(companyId, 'Склад 2', moved.newChatId);
  await notePost(service.ctx.db, companyId, used);
  await recordContact(service.ctx.db, moved);
  assert.deepEqual(await groupsOf(companyId), [
    { id: used, name: 'Склад', chat_id: moved.newChatId },
  ]);
});

test('a move that could not be written down to the end has not begun', async () => {
  const moved = move();
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
