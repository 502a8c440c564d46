import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { GROUP_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import pino from 'pino';
import { GREEN } from '../../../simulators/credentials.ts';
import type { Simulator } from '../../../simulators/frame/simulator.ts';
import { startGreenApi } from '../../../simulators/green-api.ts';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { freePort } from '../free-port.ts';
import { createFixtures } from '../harness.ts';
import { cloneTemplate, toDatabaseUrl } from '../test-database.ts';
import { type createCabinetClient, openCabinetOf } from './cabinet-client.ts';

/** The whole service with a WhatsApp number that people add to their groups. */
let green: Simulator;
let app: App;
let cabinet: ReturnType<typeof createCabinetClient>;
let chats = 120_363_000_000_000;
const newChat = () => `${++chats}@g.us`;

before(async () => {
  const [connection, port] = [await cloneTemplate('whatsapp_group'), await freePort()];
  const callbackUrl = `http://localhost:${port}/callbacks/green-api`;
  green = await startGreenApi({ ...GREEN, callbackUrl });
  const config = readConfig({
    DATABASE_URL: toDatabaseUrl(connection),
    SECRET: 'a secret for tests alone, long enough',
    PORT: String(port),
    GREEN_API_URL: green.url,
    GREEN_API_INSTANCE: GREEN.instanceId,
    GREEN_API_TOKEN: GREEN.token,
    GREEN_API_CALLBACK_TOKEN: GREEN.callbackToken,
  });
  app = await openApp(config, pino({ level: 'error' }, pino.destination(2)));
  cabinet = openCabinetOf(app);
});
after(async () => {
  await app?.stop();
  await green?.close();
});

async function openCabinet() {
  const who = await cabinet.person({ role: 'developer' });
  const { call } = cabinet.as(who);
  return {
    ...who,
    call,
    invite: async () =>
      (await call(GROUP_ENDPOINTS.groupInvitation, { body: { channel: 'whatsapp' } })).ok(),
    link: (chat_id: string) =>
      call(GROUP_ENDPOINTS.linkGroup, { body: { name: 'Склад', channel: 'whatsapp', chat_id } }),
    groups: async () => (await call(GROUP_ENDPOINTS.groups)).ok().groups,
  };
}

/** Somebody writes in a group. Returns the status that the provider got. */
async function say(chatId: string, text: string, more: { isForged?: boolean } = {}) {
  const answer = await fetch(`${green.url}/_simulator/acts/say-in-group`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ chatId, title: 'Ночной склад', text, ...more }),
  });
  return ((await answer.json()) as { serviceStatus: number }).serviceStatus;
}

test('a WhatsApp group cannot be linked by its number alone, even one that nobody has linked', async () => {
  const { link, groups } = await openCabinet();
  (await link(newChat())).refused('group_unproven');
  assert.deepEqual(await groups(), []);
});

test('the word of an invitation, posted in a group, links it', async () => {
  const { call, companyId, personId, invite, groups } = await openCabinet();
  const chatId = newChat();
  const { word, account, link } = await invite();
  assert.match(word, /^group-[A-Za-z0-9]{24}$/);
  assert.deepEqual([account, link], ['+77000000000', null]);
  assert.equal(await say(chatId, ` ${word}\n`), 200);
  const [linked, ...others] = await groups();
  assert.deepEqual(
    [linked?.name, linked?.channel, linked?.chat_id, others],
    ['Ночной склад', 'whatsapp', chatId, []],
  );
  assert.deepEqual(
    await app.ctx.db.query(
      'select person_id, action, after from audit_record where company_id = $1',
      [companyId],
    ),
    [
      {
        person_id: personId,
        action: 'group.linked',
        after: { channel: 'whatsapp', chat_id: chatId },
      },
    ],
  );
  const fixtures = createFixtures(() => app.ctx);
  await fixtures.key({ companyId: companyId as never });
  await fixtures.markPaid(companyId as never);
  (await call(GROUP_ENDPOINTS.testGroup, { params: { id: linked?.id as number } })).ok();
  assert.equal(green.journal.taken().at(-1)?.to, chatId);
});

test('a word works once, for its own company, messenger and hour', async () => {
  const first = await openCabinet();
  const { word } = await first.invite();
  await say(newChat(), word);
  await say(newChat(), word);
  assert.equal((await first.groups()).length, 1);

  const late = await first.invite();
  await app.ctx.db.query(`update group_invitation set ends_at = ends_at - interval '61 minutes'`);
  await say(newChat(), late.word);
  assert.equal((await first.groups()).length, 1);

  // The word of an invitation into a Telegram group, told to WhatsApp.
  const other = await first.invite();
  await app.ctx.db.query(`update group_invitation set channel = 'telegram' where chat_id is null`);
  await say(newChat(), other.word);
  assert.equal((await first.groups()).length, 1);
});

test('neither a forged notification, nor a text around the word, nor a private chat links anything', async () => {
  const { invite, groups } = await openCabinet();
  const { word } = await invite();
  assert.equal(await say(newChat(), word, { isForged: true }), 403);
  assert.equal(await say(newChat(), `Не пишите ${word}`), 200);
  assert.equal(await say('77010000001@c.us', word), 200);
  assert.deepEqual(await groups(), []);
  await say(newChat(), word);
  assert.equal((await groups()).length, 1);
});

test('a group that proved itself before can be linked by its number, by that company alone', async () => {
  const [mine, theirs] = [await openCabinet(), await openCabinet()];
  const chatId = newChat();
  await say(chatId, (await mine.invite()).word);
  const [linked] = await mine.groups();
  const params = { id: linked?.id as number };
  (await mine.call(GROUP_ENDPOINTS.unlinkGroup, { params })).ok();
  (await theirs.link(chatId)).refused('group_unproven');
  (await mine.link(chatId)).ok();
});

test('there is no invitation for a messenger that is not connected', async () => {
  const { call } = await openCabinet();
  const body = { channel: 'telegram' } as const;
  (await call(GROUP_ENDPOINTS.groupInvitation, { body })).refused('groups_not_connected');
  const { by_word } = (await call(GROUP_ENDPOINTS.groups)).ok();
  assert.deepEqual(by_word, ['whatsapp']);
});
