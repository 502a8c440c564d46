import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { type App, openApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createHome } from '../start/serve-harness.ts';
import { type Call, createCaller, newPhone, tally } from './load.ts';
import { assertToldToComeBack, promised } from './outage-server.ts';
import { signalAll } from './postgres-processes.ts';

const HELD_MS = 4_000;
/** Whoever calls later might be served. */
const LAST_CALL_MS = 1_000;
const ANSWER_LIMIT_MS = promised(2_000);
const BACK_LIMIT_MS = promised(500);
const RECOVERY_LIMIT_MS = promised(15_000);

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

async function codeOn(phone: string): Promise<string> {
  const inbox = await call(
    `/sandbox/messages?phone=${encodeURIComponent(phone)}`,
    {},
    { method: 'GET' },
  );
  return (inbox.body.messages as { code: string }[]).at(-1)?.code ?? '';
}

test('with every connection busy people are told to come back, and served once one is free', async () => {
  const phone = newPhone();
  assert.equal((await send(phone)).status, 200);
  const code = await codeOn(phone);

  const { pool } = app.ctx.db;
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const heldFrom = performance.now();
  const slow = clients.map(async (client) => {
    while (performance.now() - heldFrom < HELD_MS) await client.query('select pg_sleep(0.5)');
    client.release();
  });
  const calls: Call[] = [];
  while (performance.now() - heldFrom < HELD_MS - LAST_CALL_MS) {
    const batch = [send(), send(), call('/api/otp/verify', { phone, code: '000000' })];
    calls.push(...(await Promise.all([...batch, call('/api/health', {}, { method: 'GET' })])));
  }
  await Promise.all(slow);
  const freedMs = performance.now();
  const verified = await call('/api/otp/verify', { phone, code });
  const sent = await send();
  const backMs = Math.round(performance.now() - freedMs);

  assert.deepEqual(Object.keys(tally(calls)), ['503 service_unavailable']);
  const slowestMs = assertToldToComeBack(calls, ANSWER_LIMIT_MS);
  assert.equal(verified.status, 200, JSON.stringify(verified.body));
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.ok(backMs <= BACK_LIMIT_MS, `${backMs} ms`);
  console.log(
    `all ${clients.length} connections busy for ${HELD_MS / 1_000} s: ` +
      `${JSON.stringify(tally(calls))}, slowest ${slowestMs} ms; a verification and a send ` +
      `${backMs} ms after they were free`,
  );
});

test('a connection that is taken out and idle when PostgreSQL dies does not end the process', async () => {
  const client = await app.ctx.db.pool.connect();
  const idle = await app.ctx.db.pool.connect();
  await client.query('begin');
  const killedMs = performance.now();
  signalAll(home.dataDir, 'SIGKILL');
  let status = 0;
  for (; status !== 200; status = (await send()).status) {
    assert.ok(performance.now() - killedMs < RECOVERY_LIMIT_MS, 'it is not back');
  }
  const backMs = Math.round(performance.now() - killedMs);
  await assert.rejects(client.query('commit'));
  client.release(true);
  idle.release(true);
  console.log(`PostgreSQL killed with two connections taken out: back after ${backMs} ms`);
});
