/**
 * A standby that hangs: commits wait, reads go on. The service must not pile up processes of the
 * database server, says so, answers in time, and goes on by itself.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { freePort } from '../free-port.ts';
import { until } from '../harness.ts';
import { promisedLimit } from '../outages/outage-server.ts';
import { queryOnce } from '../query-once.ts';
import { newPhone } from './clients.ts';
import { openReplicated, type ReplicatedPostgres } from './replicated-postgres.ts';
import { openRig, type Rig } from './rig.ts';

const CALLERS = 40;
/** Several times the statement timeout: each round of it left connections behind. */
const HUNG_MS = 12_000;
const ANSWER_LIMIT_MS = promisedLimit(2_000);
/** The pool, bulk messages, the job queue, maintenance and the probe. */
const PROCESSES_MAX = 16 + 4 + 2 + 2 + 1;

let postgres: ReplicatedPostgres;
let rig: Rig;
let opsPort: number;
let connection: Awaited<ReturnType<ReplicatedPostgres['createTestDatabase']>>;

before(async () => {
  postgres = await openReplicated();
  connection = await postgres.createTestDatabase();
  opsPort = await freePort();
  rig = await openRig({ connection, settings: { OPS_PORT: String(opsPort) } });
});
after(async () => {
  await postgres?.resumeStandby();
  await rig?.close();
  await postgres?.close();
});

type Answer = { status: number; ms: number; retryAfter: string | null };

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const startedAt = performance.now();
  const response = await fetch(`http://localhost:${rig.port}${path}`, init);
  await response.arrayBuffer();
  const ms = performance.now() - startedAt;
  return { status: response.status, ms, retryAfter: response.headers.get('retry-after') };
}

const readiness = async () => (await fetch(`http://localhost:${opsPort}/ready`)).status;

test('a hung standby fills no connections, and every refusal comes in time', async () => {
  const companyId = await rig.makeCompany();
  const { key } = await rig.makeKey({ companyId, channels: CHANNELS });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = (path: string, body: object, more = {}) =>
    call(path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const send = () => post('/api/otp/send', { phone: newPhone() });
  const signIn = () =>
    post('/cabinet/sign-in/phone', { phone: newPhone() }, { 'x-zhiber-cabinet': '1' });
  assert.equal((await send()).status, 200);
  assert.equal(await readiness(), 200);

  let isOver = false;
  const answers: Answer[] = [];
  postgres.suspendStandby();
  const callers = Array.from({ length: CALLERS }, async (_, i) => {
    while (!isOver) answers.push(await (i % 4 === 0 ? signIn() : send()));
  });
  let processesMax = 0;
  const hungUntil = Date.now() + HUNG_MS;
  try {
    await until('the service knows of it', async () => (await readiness()) === 503);
    while (Date.now() < hungUntil) {
      const [row] = await queryOnce<{ count: number }>(
        connection,
        "select count(*)::integer from pg_stat_activity where application_name like 'zhiber%'",
      );
      processesMax = Math.max(processesMax, row?.count ?? 0);
      assert.equal(await readiness(), 503);
      await pause(200);
    }
  } finally {
    isOver = true;
  }
  await Promise.all(callers);
  await postgres.resumeStandby();
  const resumedAt = performance.now();
  await until('a send succeeds', async () => (await send()).status === 200);
  const backMs = Math.round(performance.now() - resumedAt);
  await until('the service is ready', async () => (await readiness()) === 200);

  const refused = answers.filter(({ status }) => status === 503);
  const slowest = Math.round(Math.max(...answers.map(({ ms }) => ms)));
  console.log(
    `a standby hung for ${HUNG_MS / 1_000} s under ${CALLERS} callers: ${answers.length} answers, slowest ` +
      `${slowest} ms, at most ${processesMax} processes of the database, a send ${backMs} ms after it went on`,
  );
  assert.ok(processesMax <= PROCESSES_MAX, `${processesMax} processes`);
  assert.ok(refused.length > 0);
  assert.deepEqual(
    answers.filter(({ status }) => ![200, 429, 503, 504].includes(status)),
    [],
  );
  assert.deepEqual(
    refused.filter(({ retryAfter }) => !/^[1-9]\d*$/.test(retryAfter ?? '')),
    [],
  );
  assert.ok(slowest <= ANSWER_LIMIT_MS, `${slowest} ms`);
});
