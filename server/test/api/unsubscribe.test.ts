/** Who asks for no more broadcasts gets none: by a word on any channel, in WhatsApp itself, or by the link. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { BOT, CLOUD, SMPP } from '../../../simulators/credentials.ts';
import { type SmppSimulator, startSmpp } from '../../../simulators/smpp/smpp.ts';
import { startTelegramBot, type TelegramBotSimulator } from '../../../simulators/telegram-bot.ts';
import {
  marketingTemplate,
  startWhatsappCloud,
  USUAL_TEMPLATES,
  type WhatsappCloudSimulator,
} from '../../../simulators/whatsapp-cloud.ts';
import { type App, openApp } from '../../src/app.ts';
import { makeToken } from '../../src/broadcasts/unsubscribe/unsubscribe-token.ts';
import { readConfig } from '../../src/config/config.ts';
import { type CompanyId, type MessageId, newId } from '../../src/ids.ts';
import type { Phone } from '../../src/phone.ts';
import { freePort } from '../free-port.ts';
import { createFixtures, freshPhones, until } from '../harness.ts';
import { cloneTemplate, toDatabaseUrl } from '../test-database.ts';

let cloud: WhatsappCloudSimulator;
let bot: TelegramBotSimulator;
let centre: SmppSimulator;
let app: App;
let url: string;
const fixtures = createFixtures(() => app.ctx);
const newPhone = freshPhones();

before(async () => {
  const [connection, port] = [await cloneTemplate('unsubscribe'), await freePort()];
  url = `http://localhost:${port}`;
  const callbackUrl = `${url}/callbacks/whatsapp-cloud`;
  const templates = [...USUAL_TEMPLATES, marketingTemplate(`${url}/s`)];
  cloud = await startWhatsappCloud({ ...CLOUD, callbackUrl, templates });
  const webhook = { url: `${url}/callbacks/telegram-bot`, secretToken: BOT.secretToken };
  bot = await startTelegramBot({ token: BOT.token, webhook });
  centre = await startSmpp(SMPP);
  const config = readConfig({
    DATABASE_URL: toDatabaseUrl(connection),
    SECRET: 'a secret for tests alone, long enough',
    PORT: String(port),
    WHATSAPP_CLOUD_URL: cloud.url,
    WHATSAPP_CLOUD_TOKEN: CLOUD.token,
    WHATSAPP_CLOUD_PHONE_ID: CLOUD.phoneNumberId,
    WHATSAPP_CLOUD_APP_SECRET: CLOUD.appSecret,
    WHATSAPP_CLOUD_VERIFY_TOKEN: CLOUD.verifyToken,
    WHATSAPP_CLOUD_CODE_TEMPLATE: 'otp_code',
    WHATSAPP_CLOUD_WABA_ID: CLOUD.wabaId,
    TELEGRAM_BOT_URL: bot.url,
    TELEGRAM_BOT_TOKEN: BOT.token,
    TELEGRAM_BOT_SECRET: BOT.secretToken,
    SMPP_HOST: '127.0.0.1',
    SMPP_PORT: String(centre.port),
    SMPP_SYSTEM_ID: SMPP.systemId,
    SMPP_PASSWORD: SMPP.password,
    SMPP_SENDER: SMPP.sender,
  });
  app = await openApp(config, pino({ level: 'error' }, pino.destination(2)));
  await until('the link to the operator', async () => centre.figures().binds === 1);
});
after(async () => {
  await app?.stop();
  await Promise.all([cloud?.close(), bot?.close(), centre?.close()]);
});

type Sent = { companyId: CompanyId; broadcastId: string; rowId: number; messageId: string };

/** A message of a broadcast to a phone, as the engine leaves it. */
async function sendBroadcast(
  phone: string,
  {
    companyId,
    daysAgo = 0,
    state = 'sent',
  }: Partial<Sent> & { daysAgo?: number; state?: string } = {},
): Promise<Sent> {
  const { keyId, companyId: owner } = await fixtures.key({ ...(companyId && { companyId }) });
  const at = new Date(Date.now() - daysAgo * 24 * 3_600_000);
  const [broadcastId, messageId] = [newId(at.getTime()), newId(at.getTime())];
  const month = `date_trunc('month', $1::timestamptz at time zone 'UTC')::date`;
  await app.ctx.db.query(`select make_partition('message', ${month}, true, 85)`, [at]);
  await app.ctx.db.query(
    `insert into message (company_id, id, key_id, kind, is_test, recipient, state, channel, created_at, settled_at,
       next_check_at, body, request_id)
     values ($1, $2, $3, 'broadcast', false, $4, $5, 'whatsapp', $6, $6, $6::timestamptz + interval '1 year', 'Скидка', $7)`,
    [owner, messageId, keyId, phone.slice(1), state, at, broadcastId],
  );
  await app.ctx.db.query('insert into broadcast (id, company_id, name) values ($1, $2, $3)', [
    broadcastId,
    owner,
    'Осень',
  ]);
  const rows = await app.ctx.db.query<{ id: number }>(
    `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict, message_id)
     values ($1, 2, $2, '{}', $3, 'send', $4) returning id`,
    [broadcastId, owner, phone.slice(1), messageId],
  );
  return { companyId: owner, broadcastId, messageId, rowId: rows[0]?.id ?? 0 };
}

const unsubscribed = (phone: string) =>
  app.ctx.db.query(
    `select company_id as "companyId", source, broadcast_id as "broadcastId" from unsubscribed
     where phone = $1 order by company_id nulls first`,
    [phone.slice(1)],
  );
const routeOf = async (messageId: string) => {
  const rows = await app.ctx.db.query<{ route: string }>(
    'select route from message where id = $1',
    [messageId],
  );
  return rows[0]?.route;
};
const confirmations = (phone: string) =>
  cloud.journal.taken().filter(({ to, text }) => `+${to}` === phone && /отписались/.test(text));

describe('a stop word', () => {
  test('answers the last broadcast to that phone, and is confirmed once', async () => {
    const phone = newPhone();
    await sendBroadcast(phone, { daysAgo: 3 });
    const { companyId, broadcastId } = await sendBroadcast(phone);
    for (const text of ['Стоп', 'СТОП!!!']) {
      assert.equal(await cloud.writeToBusiness(phone.slice(1), text), 200);
    }
    assert.deepEqual(await unsubscribed(phone), [{ companyId, source: 'word', broadcastId }]);
    const next = newPhone();
    await cloud.writeToBusiness(next.slice(1), 'Стоп');
    await until('the confirmation of the next one', async () => confirmations(next).length > 0);
    assert.equal(confirmations(phone).length, 1);
  });

  test('does not answer a broadcast that never reached the phone', async () => {
    const phone = newPhone();
    const { companyId, broadcastId } = await sendBroadcast(phone, { daysAgo: 3 });
    await sendBroadcast(phone, { state: 'failed' });
    await cloud.writeToBusiness(phone.slice(1), 'стоп');
    assert.deepEqual(await unsubscribed(phone), [{ companyId, source: 'word', broadcastId }]);
  });

  for (const [days, isAnswered] of [
    [89, true],
    [91, false],
  ] as const) {
    const whom = isAnswered ? 'its company' : 'anybody';
    test(`${days} days after a broadcast stops those of ${whom}`, async () => {
      const phone = newPhone();
      const { companyId, broadcastId } = await sendBroadcast(phone, { daysAgo: days });
      await cloud.writeToBusiness(phone.slice(1), 'тоқта');
      const source = 'word';
      assert.deepEqual(await unsubscribed(phone), [
        isAnswered
          ? { companyId, source, broadcastId }
          : { companyId: null, source, broadcastId: null },
      ]);
    });
  }

  test('other words stop nothing', async () => {
    const phone = newPhone();
    await sendBroadcast(phone);
    await cloud.writeToBusiness(phone.slice(1), 'Стоп, а сколько стоит доставка?');
    assert.deepEqual(await unsubscribed(phone), []);
  });

  test('by SMS stops them as well, in either alphabet, and nobody is answered', async () => {
    for (const text of ['stop', 'Тоқта']) {
      const phone = newPhone();
      const { companyId, broadcastId } = await sendBroadcast(phone);
      assert.equal(await centre.writeFrom(phone.slice(1), text), 0);
      assert.deepEqual(await unsubscribed(phone), [{ companyId, source: 'word', broadcastId }]);
    }
    const phone = newPhone();
    assert.equal(await centre.writeFrom(phone.slice(1), 'Спасибо'), 0);
    assert.deepEqual(await unsubscribed(phone), []);
    assert.deepEqual(centre.journal.taken(), []);
  });

  test('in the chat with the bot stops those to the phone that was shared there', async () => {
    const phone = newPhone();
    const person = { userId: Number(phone.slice(1)), phone, name: 'Айгүл' };
    const { companyId, broadcastId } = await sendBroadcast(phone);
    await bot.start(person);
    assert.equal(await bot.say(person, '/stop'), 200);
    assert.deepEqual(await unsubscribed(phone), [], 'whose chat it is was not known');
    await bot.shareContact(person);
    assert.equal(await bot.say(person, '/stop'), 200);
    assert.deepEqual(await unsubscribed(phone), [{ companyId, source: 'word', broadcastId }]);
    assert.match(bot.journal.taken().at(-1)?.text ?? '', /^Вы отписались/);
  });
});

describe('marketing messages that a person has stopped in WhatsApp', () => {
  test('a failure that says so unsubscribes the recipient of the message', async () => {
    const phone = newPhone();
    const { companyId, broadcastId, messageId } = await sendBroadcast(phone);
    const ref = { companyId, messageId: messageId as MessageId, attempt: 1 };
    const adapter = app.ctx.channels.adapter('whatsapp', false);
    await app.ctx.db.query(
      `update message set route = 'sms', provider_id = 'whatsapp-cloud:' where id = $1`,
      [messageId],
    );
    cloud.plans.add({ to: phone.slice(1), does: 'accept', receipts: ['failed'], failure: 131050 });
    const sent = await adapter?.send(
      {
        ref,
        keyId: 1,
        isTest: false,
        to: { phone: phone.slice(1) as Phone },
        content: 'broadcast',
        text: 'Скидка',
        language: 'ru',
        link: `${url}/s/Kd7mWq3x`,
        template: { name: 'autumn_sale', language: 'ru', variables: ['Айгүл', '20 %'] },
        isBulk: true,
      },
      AbortSignal.timeout(5_000),
    );
    assert.equal(sent?.result, 'accepted');
    await cloud.settle();
    assert.deepEqual(await unsubscribed(phone), [{ companyId, source: 'provider', broadcastId }]);
    assert.deepEqual(confirmations(phone), []);
    await until('the end of the route', async () => (await routeOf(messageId)) === '');
    assert.deepEqual(centre.journal.taken(), [], 'the failure is no reason for an SMS');
  });
});

describe('the unsubscribe link', () => {
  const linkTo = ({ rowId }: Sent) => `${url}/s/u/${makeToken(app.ctx.secrets, rowId)}`;
  const press = (link: string, form: Record<string, string>, lang = 'ru') =>
    fetch(`${link}?lang=${lang}`, { method: 'POST', body: new URLSearchParams(form) });

  test('says from whom, shows no whole phone, and changes nothing by being opened', async () => {
    const phone = newPhone();
    const sent = await sendBroadcast(phone);
    await app.ctx.db.query(`update company set brand = 'Магнум & Ко' where id = $1`, [
      sent.companyId,
    ]);
    for (const method of ['GET', 'HEAD', 'GET']) {
      assert.equal((await fetch(linkTo(sent), { method })).status, 200);
    }
    const page = await fetch(linkTo(sent));
    const text = await page.text();
    assert.match(text, /Магнум &amp; Ко/);
    assert.match(text, />Отписаться[^<]*<\/button>/);
    assert.ok(!text.includes(phone.slice(2)) && !text.includes(phone.slice(1)));
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.headers.get('x-robots-tag'), 'noindex');
    assert.deepEqual(await unsubscribed(phone), []);
  });

  test('a press unsubscribes from the company, twice is once, and the page says so later', async () => {
    const phone = newPhone();
    const sent = await sendBroadcast(phone);
    const { companyId, broadcastId } = sent;
    for (let i = 0; i < 2; i++) {
      const page = await press(linkTo(sent), { scope: 'company' });
      assert.equal(page.status, 200);
      assert.match(await page.text(), /Вы отписались/);
    }
    assert.deepEqual(await unsubscribed(phone), [{ companyId, source: 'link', broadcastId }]);
    assert.match(await (await fetch(linkTo(sent))).text(), /Вы отписались/);
  });

  test('a second press unsubscribes from everybody', async () => {
    const phone = newPhone();
    const sent = await sendBroadcast(phone);
    const { companyId, broadcastId } = sent;
    await press(linkTo(sent), { scope: 'company' });
    const page = await press(linkTo(sent), { scope: 'everyone' });
    const text = await page.text();
    assert.doesNotMatch(text, /<button/);
    assert.deepEqual(await unsubscribed(phone), [
      { companyId: null, source: 'link', broadcastId },
      { companyId, source: 'link', broadcastId },
    ]);
    const other = await sendBroadcast(phone);
    assert.doesNotMatch(await (await fetch(linkTo(other))).text(), /<button/);
  });

  test('the one-click post of a mail program unsubscribes from the company', async () => {
    const phone = newPhone();
    const sent = await sendBroadcast(phone);
    const { companyId, broadcastId } = sent;
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    assert.equal((await fetch(linkTo(sent), { method: 'POST', body: form })).status, 200);
    assert.deepEqual(await unsubscribed(phone), [{ companyId, source: 'link', broadcastId }]);
  });

  test('of somebody else changes nothing for this phone', async () => {
    const [phone, other] = [newPhone(), newPhone()];
    const { companyId } = await sendBroadcast(phone);
    await press(linkTo(await sendBroadcast(other, { companyId })), { scope: 'everyone' });
    assert.deepEqual(await unsubscribed(phone), []);
  });

  test('that is not ours has the page of an unknown link, and many are told to wait', async () => {
    const sent = await sendBroadcast(newPhone());
    const token = makeToken(app.ctx.secrets, sent.rowId);
    const wrong = `${url}/s/u/${token.slice(0, -1)}${token.endsWith('2') ? '3' : '2'}`;
    const unknown = `${url}/s/u/${makeToken(app.ctx.secrets, 2 ** 40)}`;
    for (const link of [wrong, unknown]) {
      const statuses = [(await fetch(link)).status, (await press(link, {})).status];
      assert.deepEqual(statuses, [404, 404]);
    }
    // Counted together with the names of short links.
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) {
      const page = await fetch(i % 2 === 0 ? wrong : `${url}/s/unknown${i}`);
      statuses.push(page.status);
    }
    assert.deepEqual(
      [statuses.filter((status) => status === 404).length, statuses.at(-1)],
      [26, 429],
    );
    assert.equal((await fetch(linkTo(sent))).status, 200, 'a true one still opens');
  });
});
