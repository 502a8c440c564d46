/** Contacts that a messenger requires: people who started the bot, chat windows and groups. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { type Simulators, startAll } from '../../../simulators/all.ts';
import { systemClock } from '../../src/clock.ts';
import { createCompany } from '../../src/company/create-company.ts';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import type { CompanyId } from '../../src/ids.ts';
import { createKey } from '../../src/keys/manage-keys.ts';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { freePort } from '../free-port.ts';
import { until } from '../harness.ts';
import { ask, createHome, embeddedDatabase, type Running } from './serve-harness.ts';

const home = createHome();
let simulators: Simulators;
let port: number;
let key: string;
let db: ReturnType<typeof openDatabase>;
let companyId: CompanyId;
let server: Running;
let phones = 0;

before(async () => {
  port = await freePort();
  simulators = await startAll({ serviceUrl: `http://127.0.0.1:${port}` });
  const { whatsapp_cloud, telegram_bot, telegram_gateway } = simulators.settings;
  server = await home.serve({
    ...whatsapp_cloud,
    ...telegram_gateway,
    ...telegram_bot,
    PORT: String(port),
    LOG_LEVEL: 'debug',
  });
  db = openDatabase(
    embeddedDatabase(home.dataDir),
    pino({ level: 'silent' }),
    TEST_DATABASE_TIMEOUT_MS,
  );
  ({ companyId } = await createCompany(tools(), 'Контакты'));
  ({ key } = await createKey(db, { companyId, name: 'ключ', isTest: false }));
});
after(async () => {
  await db?.close();
  await simulators?.close();
  await home.remove();
});

const tools = () => ({ db, clock: systemClock, config: readConfig({}) });
async function listGroups(...words: string[]): Promise<Record<string, unknown>[]> {
  const { out, err } = await home.run(['group', 'list', ...words, '--json']);
  assert.equal(err, '');
  return JSON.parse(out).groups;
}
const newPhone = () => `7702${String(++phones).padStart(7, '0')}`;
const call = (path: string, body: object) => ask(port, { path, key, body });
const person = (phone: string) => ({
  userId: Number(phone.slice(-6)) + 1000,
  phone: `+${phone}`,
  name: 'Айгерим',
});

test('a link is sent by Telegram once the person has shared the phone with the bot', async () => {
  const phone = newPhone();
  const body = { phone, url: 'https://example.kz/заказ', channel: 'telegram' };
  const before = await call('/links/send', body);
  assert.deepEqual([before.status, before.body.error_code], [422, 'channel_unsuitable']);

  assert.equal(await simulators.bot.start(person(phone)), 200);
  assert.equal(await simulators.bot.shareContact(person(phone)), 200);
  const sent = await call('/links/send', body);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const [taken] = simulators.bot.journal
    .taken()
    .filter(({ to }) => to === String(person(phone).userId))
    .slice(-1);
  assert.ok(taken?.text.includes(String(sent.body.short_url)));

  await simulators.bot.block(person(phone));
  const gone = await call('/links/send', { ...body, url: 'https://example.kz/2' });
  assert.equal(gone.body.error_code, 'channel_unsuitable');
});

test('a person found to have blocked the bot when sending gets no further messages', async () => {
  const phone = newPhone();
  await simulators.bot.start(person(phone));
  await simulators.bot.shareContact(person(phone));
  const to = String(person(phone).userId);
  simulators.bot.plans.add({ to, does: 'refuse', code: 'blocked', times: 1 });
  const body = { phone, url: 'https://example.kz/заказ', channel: 'telegram' };
  assert.equal((await call('/links/send', body)).body.error_code, 'delivery_failed');
  await until('the chat is deleted', async () => {
    const rows = await db.query('select from telegram_person where phone = $1', [phone]);
    return rows.length === 0;
  });
  assert.equal((await call('/links/send', body)).body.error_code, 'channel_unsuitable');
});

test('sharing another person’s contact links no phone', async () => {
  const [phone, victim] = [newPhone(), newPhone()];
  await simulators.bot.start(person(phone));
  await simulators.bot.shareForeignContact(person(phone), person(victim));
  const body = { phone: victim, url: 'https://example.kz', channel: 'telegram' };
  assert.equal((await call('/links/send', body)).body.error_code, 'channel_unsuitable');
});

test('a code with a link is sent by WhatsApp only within the 24-hour window', async () => {
  const phone = newPhone();
  const body = { phone, link: 'https://example.kz', channel: 'whatsapp' };
  assert.equal((await call('/otp/send', body)).body.error_code, 'channel_unsuitable');
  assert.equal(await simulators.cloud.writeToBusiness(phone), 200);
  const sent = await call('/otp/send', body);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const taken = simulators.cloud.journal.taken().find(({ to }) => to === phone);
  assert.ok(taken?.text.includes(String(sent.body.short_url)));

  await db.query(`update whatsapp_window set open_until = open_until - interval '1 day'`);
  await db.query('update recent_sends set recent = array[]::timestamptz[]');
  assert.equal((await call('/otp/send', body)).body.error_code, 'channel_unsuitable');
});

test('the Gateway is told when its code was verified', async () => {
  const phone = newPhone();
  assert.equal((await call('/otp/send', { phone, channel: 'telegram' })).status, 200);
  const taken = simulators.gateway.journal.taken().find(({ to }) => to === `+${phone}`);
  assert.ok(taken?.code);
  const { TELEGRAM_GATEWAY_TOKEN: token } = simulators.settings.telegram_gateway;
  const query = `checkVerificationStatus?access_token=${token}&request_id=${taken.id}`;
  const readStatus = async () => (await fetch(`${simulators.gateway.url}/${query}`)).text();
  assert.doesNotMatch(await readStatus(), /verification_status/);
  assert.equal((await call('/otp/verify', { phone, code: taken.code })).status, 200);
  await until('the Gateway knows', async () =>
    (await readStatus()).includes('"status":"code_valid"'),
  );
});

test('a group with the bot can be linked, and stays linked when its chat id changes', async () => {
  const chatId = -4001;
  await simulators.bot.addBotToGroup({ chatId, title: 'Дежурные' });
  const seen = await db.query<{ chat_id: string; title: string }>(
    'select chat_id, title from telegram_group where left_at is null',
  );
  assert.deepEqual(seen, [{ chat_id: String(chatId), title: 'Дежурные' }]);
  const seenGroup = { channel: 'telegram', chat_id: '-4001', title: 'Дежурные', has_bot: true };
  const unlinked = { company_id: null, group_id: null, name: null };
  assert.deepEqual(await listGroups(), [{ ...seenGroup, ...unlinked }]);
  const words = `group add --company ${companyId} --channel telegram --name Смена --chat ${chatId}`;
  const added = await home.run([...words.split(' '), '--json']);
  const { group_id } = JSON.parse(added.out);
  const linked = { ...seenGroup, company_id: companyId, group_id, name: 'Смена' };
  assert.deepEqual(await listGroups(), [linked]);
  assert.deepEqual(await listGroups('--company', String(companyId)), [linked]);
  const post = () => call('/group/send', { group: 'Смена', text: 'Проверка связи' });
  assert.equal((await post()).body.error_code, 'insufficient_tokens');
  // A top-up from the command line is a payment.
  const paid = await home.run(['topup', '--company', String(companyId), '--amount', '1000']);
  assert.equal(paid.code, 0, paid.err);
  assert.equal((await post()).status, 200);
  await simulators.bot.upgradeGroup(chatId);
  assert.equal((await post()).status, 200);
  const groups = await db.query<{ chat_id: string }>('select chat_id from messenger_group');
  assert.match(groups[0]?.chat_id ?? '', /^-100/);
});

test('groups are listed while the bot is a member or a company has linked them', async () => {
  const known = [-4002, -4003];
  for (const chatId of known) {
    await simulators.bot.addBotToGroup({ chatId, title: `Склад\u001b[2J ${chatId}` });
  }
  const { companyId: other } = await createCompany(tools(), 'Другая');
  await insertGroup(db, { companyId: other, channel: 'telegram', name: 'Склад', chatId: '-4002' });
  await insertGroup(db, { companyId: other, channel: 'whatsapp', name: 'Чат', chatId: '1@g.us' });
  for (const chatId of known) await simulators.bot.removeBotFromGroup(chatId);
  const { out } = await home.run(['group', 'list', '--company', String(other)]);
  const lines = out.trimEnd().split('\n');
  assert.equal(lines.length, 2, out);
  assert.match(
    lines[0] ?? '',
    /^telegram {2}-4002 {2}Склад \[2J -4002 {2}company \d+, group \d+ "Склад"; the bot is no longer there$/,
  );
  assert.match(lines[1] ?? '', /^whatsapp {2}1@g\.us {2}— {2}company \d+, group \d+ "Чат"$/);
  const chats = (await listGroups()).map(({ chat_id }) => chat_id);
  assert.ok(chats.includes('-4002') && !chats.includes('-4003'), String(chats));
});

test('the log contains no credentials', () => {
  const log = server.out() + server.err();
  for (const secret of [
    'simulated-bot-secret',
    'simulated-bot-token',
    'EAAsimulated',
    'simulated-gateway',
  ]) {
    assert.ok(!log.includes(secret), secret);
  }
});
