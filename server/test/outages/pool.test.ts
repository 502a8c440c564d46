import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createHome } from '../start/serve-harness.ts';
import { type Call, countOutcomes, createCaller, newPhone, readCode } from './load-client.ts';
import { assertAnsweredInTime, promisedLimit } from './outage-server.ts';
import { signalAll } from './postgres-processes.ts';

/** Each is answered after about a second. */
const BATCHES = 3;
const ANSWER_LIMIT_MS = promisedLimit(2_000);
const BACK_LIMIT_MS = promisedLimit(500);
const RECOVERY_LIMIT_MS = promisedLimit(15_000);

const home = createHome();
const agent = new Agent({ keepAlive: true });
let app: App;
let call: ReturnType<typeof createCaller>;

before(async () => {
  const config = readConfig({ DATA_DIR: home.dataDir, PORT: '0' });
  app = await openApp(config, pino({ level: 'silent' }));
  call = createCaller({ port: app.facts.port, key: app.demoKeys?.live ?? '' }, agent);
});
after(async () => {
  agent.destroy();
  await app?.stop();
  await home.remove();
});

const send = (phone = newPhone()) => call('/api/otp/send', { phone });

test('callers get 503 while every connection is busy, and are served once one is free', async () => {
  const phone = newPhone();
  assert.equal((await send(phone)).status, 200);
  const code = await readCode(call, phone);

  const { pool } = app.ctx.db;
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const calls: Call[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const sends = [send(), send(), call('/api/otp/verify', { phone, code: '000000' })];
    calls.push(...(await Promise.all([...sends, call('/api/health', {}, { method: 'GET' })])));
  }
  for (const client of clients) client.release();
  const freedMs = performance.now();
  const verified = await call('/api/otp/verify', { phone, code });
  const sent = await send();
  const backMs = Math.round(performance.now() - freedMs);

  assert.deepEqual(Object.keys(countOutcomes(calls)), ['503 service_unavailable']);
  const slowestMs = assertAnsweredInTime(calls, ANSWER_LIMIT_MS);
  assert.equal(verified.status, 200, JSON.stringify(verified.body));
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.ok(backMs <= BACK_LIMIT_MS, `${backMs} ms`);
  console.log(
    `all ${clients.length} connections busy: ` +
      `${JSON.stringify(countOutcomes(calls))}, slowest ${slowestMs} ms; a verification and a send ` +
      `took ${backMs} ms after the connections were free`,
  );
});

test('checked-out idle connections do not crash the process when PostgreSQL dies', async () => {
  const client = await app.ctx.db.pool.connect();
  const idle = await app.ctx.db.pool.connect();
  await client.query('begin');
  const killedMs = performance.now();
  signalAll(home.dataDir, 'SIGKILL');
  let status = 0;
  for (; status !== 200; status = (await send()).status) {
    assert.ok(
      performance.now() - killedMs < RECOVERY_LIMIT_MS,
      'timed out waiting for the service to recover',
    );
  }
  const backMs = Math.round(performance.now() - killedMs);
  await assert.rejects(client.query('commit'));
  client.release(true);
  idle.release(true);
  console.log(`PostgreSQL killed with two connections checked out: back after ${backMs} ms`);
});
