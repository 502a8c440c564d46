import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEFAULT_PRICES } from '@zhiber/contract/api/prices.ts';
import pino from 'pino';
import { GREEN, SMSC } from '../../../simulators/credentials.ts';
import type { Simulator } from '../../../simulators/frame/simulator.ts';
import { type GreenApiSimulator, startGreenApi } from '../../../simulators/green-api.ts';
import { startSmsc } from '../../../simulators/smsc.ts';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { freePort } from '../free-port.ts';
import { createApiCaller, createFixtures, createLedgerChecks, until } from '../harness.ts';
import { cloneTemplate, toDatabaseUrl } from '../test-database.ts';

/** The whole service with a linked WhatsApp device and an SMS provider behind it. */
let green: GreenApiSimulator;
let smsc: Simulator;
let app: App;

before(async () => {
  const [connection, port] = [await cloneTemplate('green_instance'), await freePort()];
  const callbackUrl = (provider: string) => `http://localhost:${port}/callbacks/${provider}`;
  green = await startGreenApi({ ...GREEN, callbackUrl: callbackUrl('green-api') });
  smsc = await startSmsc({ ...SMSC, callbackUrl: callbackUrl('smsc') });
  const config = readConfig({
    DATABASE_URL: toDatabaseUrl(connection),
    SECRET: 'a secret for tests alone, long enough',
    PORT: String(port),
    GREEN_API_URL: green.url,
    GREEN_API_INSTANCE: GREEN.instanceId,
    GREEN_API_TOKEN: GREEN.token,
    GREEN_API_CALLBACK_TOKEN: GREEN.callbackToken,
    SMSC_URL: smsc.url,
    SMSC_LOGIN: SMSC.login,
    SMSC_PASSWORD: SMSC.password,
    SMSC_CALLBACK_SECRET: SMSC.callbackSecret,
  });
  app = await openApp(config, pino({ level: 'fatal' }, pino.destination(2)));
});
after(async () => {
  await app?.stop();
  await Promise.all([green?.close(), smsc?.close()]);
});

const fixtures = createFixtures(() => app.ctx);
const call = createApiCaller(() => app);
const sql = <Row>(text: string, values: unknown[] = []) => app.ctx.db.query<Row>(text, values);
const isUp = () => app.ctx.providers.all.find(({ name }) => name === 'green-api')?.state?.().isUp;
const rowOf = async (id: unknown) => {
  const rows = await sql<{ channel: string; receipt: string; charged: number; hold: number }>(
    'select channel, receipt, charged, hold from message where id = $1',
    [id],
  );
  return rows[0];
};

test('a code goes by SMS at once while the WhatsApp account is logged out', async () => {
  await until('the instance is up', async () => isUp() === true);
  await green.setState('notAuthorized');
  const key = await fixtures.key();
  const sent = await call('/otp/send', { phone: '+77010000101', channel: 'auto' }, key);
  assert.deepEqual([sent.status, sent.body.channel], [200, 'sms']);
  assert.equal(smsc.journal.taken().length, 1);
  assert.deepEqual([green.queued(), green.journal.taken()], [[], []]);

  const forced = await call('/otp/send', { phone: '+77010000102', channel: 'whatsapp' }, key);
  assert.deepEqual([forced.status, forced.body.error_code], [502, 'delivery_failed']);
  await until('the SMS is delivered', async () => {
    return (await rowOf(sent.body.message_id))?.receipt === 'delivered';
  });
  const [{ charged } = {}] = await sql<{ charged: string }>(
    'select sum(charged) as charged from message where company_id = $1',
    [key.companyId],
  );
  assert.equal(Number(charged), DEFAULT_PRICES.sms);
});

test('a code that was accepted just before falls back at once, and never comes by WhatsApp', async () => {
  await green.setState('authorized');
  await until('the instance is up', async () => isUp() === true);
  const before = smsc.journal.taken().length;
  const key = await fixtures.key();
  await green.setState('blocked', { isSilent: true });
  const sent = await call('/otp/send', { phone: '+77010000103', channel: 'auto' }, key);
  assert.equal(sent.body.channel, 'whatsapp');
  assert.equal(green.queued().length, 1);

  await green.setState('blocked');
  await until('the code went by SMS', async () => smsc.journal.taken().length === before + 1);
  await until('the SMS is delivered', async () => {
    const row = await rowOf(sent.body.message_id);
    return row?.channel === 'sms' && row.receipt === 'delivered';
  });
  const { charged, hold } = (await rowOf(sent.body.message_id)) ?? {};
  assert.deepEqual([charged, hold], [DEFAULT_PRICES.sms, 0]);
  await green.setState('authorized');
  await until('the instance is up', async () => isUp() === true);
  assert.deepEqual([green.queued(), green.journal.taken()], [[], []]);
  await createLedgerChecks(sql).assertLedgerBalances();
});
