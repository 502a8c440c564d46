import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { type App, openApp } from '../../src/app.ts';
import type { Outcome } from '../../src/channels/channel.ts';
import { readConfig } from '../../src/config/config.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import type { MessageId } from '../../src/ids.ts';
import { createApiCaller, createFixtures, freshPhones, type TestKey, until } from '../harness.ts';
import { cloneTemplate, readTestServer, toDatabaseUrl } from '../test-database.ts';
import { countSends, scriptedChannels } from './scripted-channel.ts';

const DATABASE = 'shutdown_with_fallback';
/** Longer than a shutdown with nothing to wait for, and shorter than the timeout of a channel. */
const HELD_UP_MS = 2_500;

const connection = { ...readTestServer(), database: DATABASE };
const observer = new pg.Client(connection);
const channels = scriptedChannels();
const newPhone = freshPhones();

async function open(log: string[] = []): Promise<App> {
  const config = readConfig({
    DATABASE_URL: toDatabaseUrl(connection),
    SECRET: 'a secret for tests alone, long enough',
    PORT: '0',
  });
  const write = (line: string) => log.push(line);
  return await openApp(config, pino({ level: 'warn' }, { write }), { adapters: channels });
}

before(async () => {
  await cloneTemplate(DATABASE);
  await observer.connect();
});
after(() => observer.end());

type Sent = { app: App; key: TestKey; phone: string; id: MessageId };

async function send(app: App): Promise<Sent> {
  const key = await createFixtures(() => app.ctx).key();
  const phone = newPhone();
  const sent = await createApiCaller(() => app)('/otp/send', { phone }, key);
  assert.equal(sent.status, 200);
  return { app, key, phone, id: sent.body.message_id as MessageId };
}

async function fail({ app, key, id }: Sent): Promise<void> {
  const ref = { companyId: key.companyId, messageId: id, attempt: 1 };
  await recordReceipt(app.ctx, { ref, receipt: 'failed', reason: 'Не доставлено' });
}

async function readSent({ key, id }: Sent) {
  const { rows } = await observer.query(
    `select m.state, m.channel, m.hold, a.state as attempt,
       (select array_agg(kind || ' ' || amount) from entry
        where company_id = $1 and kind in ('charge', 'charge_moved')) as moves
     from message m left join attempt a on a.company_id = $1 and a.message_id = m.id and a.number = 2
     where m.company_id = $1 and m.id = $2`,
    [key.companyId, id],
  );
  return rows;
}

test('shutdown waits for a fallback caused by a receipt, and it is settled once', async () => {
  const log: string[] = [];
  const app = await open(log);
  const sent = await send(app);
  const answer = Promise.withResolvers<Outcome>();
  channels.telegram.onSend(sent.phone, () => answer.promise);
  await fail(sent);
  await until('Telegram is called', async () => channels.telegram.sentTo(sent.phone).length === 1);

  const stopping = app.stop();
  await Promise.race([stopping, pause(HELD_UP_MS)]);
  answer.resolve({ result: 'accepted', providerId: 'late' });
  await stopping;

  assert.deepEqual(await readSent(sent), [
    { state: 'sent', channel: 'telegram', hold: 0, attempt: 'accepted', moves: ['charge -3'] },
  ]);
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
  assert.deepEqual(log, []);
});

test('a fallback that has not begun at shutdown is left to the watch of the next start', async () => {
  const first = await open();
  const sent = await send(first);
  const stopping = first.stop();
  await fail(sent);
  await stopping;
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 0 });

  await observer.query(`update message set next_check_at = clock_timestamp() where id = $1`, [
    sent.id,
  ]);
  const second = await open();
  await until('Telegram accepts', async () => (await readSent(sent))[0]?.channel === 'telegram');
  await second.stop();
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
});
