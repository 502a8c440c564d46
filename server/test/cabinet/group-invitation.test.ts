import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GROUP_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import pino from 'pino';
import { BOT } from '../../../simulators/credentials.ts';
import { startTelegramBot, type TelegramBotSimulator } from '../../../simulators/telegram-bot.ts';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createFixtures } from '../harness.ts';
import { cloneTemplate, toDatabaseUrl } from '../test-database.ts';
import { type createCabinetClient, openCabinetOf } from './cabinet-client.ts';

/** The whole service with a Telegram bot that people add to their groups. */
let bot: TelegramBotSimulator;
let app: App;
let cabinet: ReturnType<typeof createCabinetClient>;
let chats = -5_000;

before(async () => {
  const connection = await cloneTemplate('group_invitation');
  bot = await startTelegramBot({ token: BOT.token });
  const config = readConfig({
    DATABASE_URL: toDatabaseUrl(connection),
    SECRET: 'a secret for tests alone, long enough',
    PORT: '0',
    TELEGRAM_BOT_URL: bot.url,
    TELEGRAM_BOT_TOKEN: BOT.token,
    TELEGRAM_BOT_SECRET: BOT.secretToken,
  });
  app = await openApp(config, pino({ level: 'error' }, pino.destination(2)));
  const webhook = { url: `${app.ctx.urls.publicUrl}/callbacks/telegram-bot` };
  await fetch(`${bot.url}/bot${BOT.token}/setWebhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ ...webhook, secret_token: BOT.secretToken }),
  });
  cabinet = openCabinetOf(app);
});
after(async () => {
  await app?.stop();
  await bot?.close();
});

/** A signed-in developer of a new company, with calls for its groups. */
async function openCabinet() {
  const who = await cabinet.person({ role: 'developer' });
  const { call } = cabinet.as(who);
  return {
    ...who,
    call,
    invite: async () => {
      const body = { channel: 'telegram' } as const;
      const invited = (await call(GROUP_ENDPOINTS.groupInvitation, { body })).ok();
      const { word, link, account: name } = invited;
      const payload = word.split(' ')[1] as string;
      assert.equal(name, 'zhiber_test_bot');
      assert.equal(link, `https://t.me/zhiber_test_bot?startgroup=${payload}`);
      return { word, payload };
    },
    groups: async () => (await call(GROUP_ENDPOINTS.groups)).ok().groups,
  };
}
const newChat = () => --chats;
const lastPost = (chatId: number) =>
  bot.journal
    .taken()
    .filter(({ to }) => to === String(chatId))
    .at(-1)?.text ?? '';

const LINKED = /^Готово! Группа привязана[\s\S]*Топ байланыстырылды/;
const UNKNOWN = /^Это приглашение не подходит[\s\S]*шақыру жарамайды/;

test('adding the bot by the invitation link links the group and posts a confirmation', async () => {
  const { call, companyId, personId, invite, groups } = await openCabinet();
  const { payload } = await invite();
  const chatId = newChat();
  const group = { chatId, title: 'Склад\u0007 ночью', payload };
  assert.equal(await bot.addBotByLink(group), 200);
  assert.match(lastPost(chatId), LINKED);
  const [linked, ...others] = await groups();
  assert.deepEqual(
    [linked?.name, linked?.chat_id, linked?.has_bot, others],
    ['Склад ночью', String(chatId), true, []],
  );
  const [auditEvent] = await app.ctx.db.query<object>(
    'select person_id, action, object from audit_record where company_id = $1',
    [companyId],
  );
  assert.deepEqual(auditEvent, {
    person_id: personId,
    action: 'group.linked',
    object: 'Склад ночью',
  });

  const fixtures = createFixtures(() => app.ctx);
  await fixtures.markPaid(companyId as never);
  const params = { id: linked?.id as number };
  await fixtures.key({ companyId: companyId as never, isTest: true });
  // What a test key sends arrives in no group.
  (await call(GROUP_ENDPOINTS.testGroup, { params })).refused('key_needed');
  await fixtures.key({ companyId: companyId as never });
  (await call(GROUP_ENDPOINTS.testGroup, { params })).ok();
  assert.match(lastPost(chatId), /^Проверка связи/);
});

test('the invitation command links a group that the bot is in, and numbers a duplicate title', async () => {
  const { invite, groups } = await openCabinet();
  for (const title of ['Заказы', 'ЗАКАЗЫ', 'з'.repeat(200), '']) {
    const chatId = newChat();
    await bot.addBotToGroup({ chatId, title });
    const { word } = await invite();
    assert.equal(await bot.sayInGroup(chatId, word), 200);
    assert.match(lastPost(chatId), LINKED);
  }
  const names = (await groups()).map(({ name }) => name).toReversed();
  assert.deepEqual(names, ['Заказы', 'ЗАКАЗЫ 2', 'з'.repeat(128), String(chats)]);
});

test('an invitation links one group only and can be repeated in it', async () => {
  const { invite, groups } = await openCabinet();
  const { word, payload } = await invite();
  const chatId = newChat();
  await bot.addBotByLink({ chatId, title: 'Первая', payload });
  await bot.sayInGroup(chatId, word);
  assert.match(lastPost(chatId), LINKED);
  const other = newChat();
  await bot.addBotByLink({ chatId: other, title: 'Вторая', payload });
  assert.match(lastPost(other), UNKNOWN);
  // A second invitation in a linked group succeeds too.
  await bot.sayInGroup(chatId, (await invite()).word);
  assert.match(lastPost(chatId), LINKED);
  assert.deepEqual(
    (await groups()).map(({ name }) => name),
    ['Первая'],
  );
});

test('two invitations posted in one group concurrently link it once', async () => {
  for (let round = 0; round < 5; round++) {
    const { invite, groups } = await openCabinet();
    const chatId = newChat();
    await bot.addBotToGroup({ chatId, title: 'Общая' });
    const words = [(await invite()).word, (await invite()).word];
    const statuses = await Promise.all(words.map((word) => bot.sayInGroup(chatId, word)));
    assert.deepEqual(statuses, [200, 200]);
    assert.deepEqual(
      (await groups()).map(({ name }) => name),
      ['Общая'],
    );
  }
});

test('an expired or unknown invitation links nothing, and the bot ignores other messages', async () => {
  const { invite, groups } = await openCabinet();
  const { word } = await invite();
  await app.ctx.db.query(`update group_invitation set ends_at = ends_at - interval '1 hour'`);
  const chatId = newChat();
  await bot.addBotToGroup({ chatId, title: 'Чужая' });
  for (const text of [word, `/start group-${'x'.repeat(24)}`]) {
    await bot.sayInGroup(chatId, text);
    assert.match(lastPost(chatId), UNKNOWN);
  }
  const postCount = bot.journal.taken().length;
  for (const text of ['/start', '/start hello', 'group-', word.split(' ')[1] as string]) {
    assert.equal(await bot.sayInGroup(chatId, text), 200);
  }
  assert.equal(bot.journal.taken().length, postCount);
  assert.deepEqual(await groups(), []);
});

test('a company cannot link a group by its id without an invitation', async () => {
  const theirs = await openCabinet();
  const chatId = newChat();
  await bot.addBotByLink({ chatId, title: 'Их группа', payload: (await theirs.invite()).payload });
  const mine = await openCabinet();
  const body = { name: 'Моя', channel: 'telegram' as const, chat_id: String(chatId) };
  (await mine.call(GROUP_ENDPOINTS.linkGroup, { body })).refused('group_unproven');
  (await mine.call(GROUP_ENDPOINTS.linkGroup, { body: { ...body, chat_id: '-1' } })).refused(
    'group_unproven',
  );
  // A company may relink its own group, even after Telegram has given it a new id.
  const newId = await bot.upgradeGroup(chatId);
  const [{ id } = { id: 0 }] = await theirs.groups();
  (await theirs.call(GROUP_ENDPOINTS.unlinkGroup, { params: { id } })).ok();
  const again = { ...body, chat_id: String(newId) };
  (await theirs.call(GROUP_ENDPOINTS.linkGroup, { body: again })).ok();
});

test('a migration to a chat id that is already linked is accepted', async () => {
  const { invite, groups } = await openCabinet();
  const [chatId, newChatId] = [newChat(), newChat()];
  for (const chat of [chatId, newChatId]) {
    await bot.addBotByLink({ chatId: chat, title: 'Склад', payload: (await invite()).payload });
  }
  const answer = await fetch(`${app.ctx.urls.publicUrl}/callbacks/telegram-bot`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': BOT.secretToken,
      connection: 'close',
    },
    body: JSON.stringify({
      update_id: 1,
      message: {
        message_id: 1,
        chat: { id: chatId, type: 'group', title: 'Склад' },
        migrate_to_chat_id: newChatId,
      },
    }),
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(
    (await groups()).map(({ name, chat_id }) => [name, chat_id]),
    [['Склад 2', String(newChatId)]],
  );
});
