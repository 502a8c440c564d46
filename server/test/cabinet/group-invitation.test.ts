import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GROUP_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import pg from 'pg';
import pino from 'pino';
import { BOT } from '../../../simulators/credentials.ts';
import { startTelegramBot, type TelegramBotSimulator } from '../../../simulators/telegram-bot.ts';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { openMailer } from '../../src/mail/mailer.ts';
import { openPeople } from '../../src/people/people.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { TEMPLATE } from '../database-server.ts';
import { fixturesOf, freshPhones } from '../harness.ts';
import { signedIn } from './signed-in.ts';

/** The whole service with a bot, which people bring into their groups. */
let bot: TelegramBotSimulator;
let app: App;
let cabinet: ReturnType<typeof signedIn>;
let chats = -5_000;

before(async () => {
  const server = JSON.parse(process.env.ZHIBER_TEST_DATABASE as string);
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`create database group_invitation template ${TEMPLATE}`);
  await client.end();
  bot = await startTelegramBot({ token: BOT.token });
  const { user, password, host, port } = server;
  const config = readConfig({
    // The server of the tests may listen in a folder.
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/group_invitation?host=${host}`,
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
  cabinet = signedIn({
    ...app,
    ...fixturesOf(() => app.ctx),
    people: openPeople(app.ctx, openMailer(app.ctx, createSandbox(app.ctx.clock))),
    phone: freshPhones(),
    sql: (text: string, values?: unknown[]) => app.ctx.db.query(text, values),
  } as never);
});
after(async () => {
  await app?.stop();
  await bot?.close();
});

async function desk() {
  const who = await cabinet.person({ role: 'developer' });
  const { call } = cabinet.as(who);
  return {
    ...who,
    call,
    invite: async () => {
      const { word, link, bot: name } = (await call(GROUP_ENDPOINTS.groupInvitation)).ok();
      const payload = word.split(' ')[1] as string;
      assert.equal(name, 'zhiber_test_bot');
      assert.equal(link, `https://t.me/zhiber_test_bot?startgroup=${payload}`);
      return { word, payload };
    },
    groups: async () => (await call(GROUP_ENDPOINTS.groups)).ok().groups,
  };
}
const newChat = () => --chats;
const lastSaid = (chatId: number) =>
  bot.journal
    .taken()
    .filter(({ to }) => to === String(chatId))
    .at(-1)?.text ?? '';

const LINKED = /^Готово! Группа привязана[\s\S]*Топ байланыстырылды/;
const UNKNOWN = /^Это приглашение не подходит[\s\S]*шақыру жарамайды/;

test('a group that the bot is added to by the link is the company’s, and hears so', async () => {
  const { call, companyId, personId, invite, groups } = await desk();
  const { payload } = await invite();
  const chatId = newChat();
  const group = { chatId, title: 'Склад\u0007 ночью', payload };
  assert.equal(await bot.addBotByLink(group), 200);
  assert.match(lastSaid(chatId), LINKED);
  const [linked, ...others] = await groups();
  assert.deepEqual(
    [linked?.name, linked?.chat_id, linked?.has_bot, others],
    ['Склад ночью', String(chatId), true, []],
  );
  const [deed] = await app.ctx.db.query<object>(
    'select person_id, action, object from audit_record where company_id = $1',
    [companyId],
  );
  assert.deepEqual(deed, { person_id: personId, action: 'group.linked', object: 'Склад ночью' });

  await fixturesOf(() => app.ctx).key({ companyId: companyId as never });
  const params = { id: linked?.id as number };
  (await call(GROUP_ENDPOINTS.testGroup, { params })).ok();
  assert.match(lastSaid(chatId), /^Проверка связи/);
});

test('the word does the same in a group that the bot is in, and a title that is taken gets a number', async () => {
  const { invite, groups } = await desk();
  for (const title of ['Заказы', 'ЗАКАЗЫ', 'з'.repeat(200), '']) {
    const chatId = newChat();
    await bot.addBotToGroup({ chatId, title });
    const { word } = await invite();
    assert.equal(await bot.sayInGroup(chatId, word), 200);
    assert.match(lastSaid(chatId), LINKED);
  }
  const names = (await groups()).map(({ name }) => name).toReversed();
  assert.deepEqual(names, ['Заказы', 'ЗАКАЗЫ 2', 'з'.repeat(128), String(chats)]);
});

test('a word links one group alone, and answers the same when it comes again', async () => {
  const { invite, groups } = await desk();
  const { word, payload } = await invite();
  const chatId = newChat();
  await bot.addBotByLink({ chatId, title: 'Первая', payload });
  await bot.sayInGroup(chatId, word);
  assert.match(lastSaid(chatId), LINKED);
  const other = newChat();
  await bot.addBotByLink({ chatId: other, title: 'Вторая', payload });
  assert.match(lastSaid(other), UNKNOWN);
  // Another word for a group that is there already is as good.
  await bot.sayInGroup(chatId, (await invite()).word);
  assert.match(lastSaid(chatId), LINKED);
  assert.deepEqual(
    (await groups()).map(({ name }) => name),
    ['Первая'],
  );
});

test('a word that is over, or nobody’s, links nothing; and the bot stays out of other talk', async () => {
  const { invite, groups } = await desk();
  const { word } = await invite();
  await app.ctx.db.query(`update group_invitation set ends_at = ends_at - interval '1 hour'`);
  const chatId = newChat();
  await bot.addBotToGroup({ chatId, title: 'Чужая' });
  for (const text of [word, `/start group-${'x'.repeat(24)}`]) {
    await bot.sayInGroup(chatId, text);
    assert.match(lastSaid(chatId), UNKNOWN);
  }
  const said = bot.journal.taken().length;
  for (const text of ['/start', '/start hello', 'group-', word.split(' ')[1] as string]) {
    assert.equal(await bot.sayInGroup(chatId, text), 200);
  }
  assert.equal(bot.journal.taken().length, said);
  assert.deepEqual(await groups(), []);
});

test('the id of a group that never invited the company does not link it', async () => {
  const theirs = await desk();
  const chatId = newChat();
  await bot.addBotByLink({ chatId, title: 'Их группа', payload: (await theirs.invite()).payload });
  const mine = await desk();
  const body = { name: 'Моя', channel: 'telegram' as const, chat_id: String(chatId) };
  (await mine.call(GROUP_ENDPOINTS.linkGroup, { body })).refused('group_unproven');
  (await mine.call(GROUP_ENDPOINTS.linkGroup, { body: { ...body, chat_id: '-1' } })).refused(
    'group_unproven',
  );
  // Their own they may link again, also after it has moved.
  const newId = await bot.upgradeGroup(chatId);
  const [{ id } = { id: 0 }] = await theirs.groups();
  (await theirs.call(GROUP_ENDPOINTS.unlinkGroup, { params: { id } })).ok();
  const again = { ...body, chat_id: String(newId) };
  (await theirs.call(GROUP_ENDPOINTS.linkGroup, { body: again })).ok();
});

test('that a group has moved to where it is linked already is taken at once', async () => {
  const { invite, groups } = await desk();
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
