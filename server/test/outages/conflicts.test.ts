/** Conflicts with another session that are retried: deadlocks and serialization failures. */
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { TEST_DATABASE_TIMEOUT_MS } from '../database-timeout.ts';
import { hasLockWaiter, type RunSql, until } from '../harness.ts';
import { IS_FULL } from '../is-full.ts';
import { connectTo } from '../start/serve-harness.ts';
import { type Call, countOutcomes, createCaller, newPhone } from './load-client.ts';
import { type OutageServer, openServer, promisedLimit } from './outage-server.ts';

const ROUNDS = IS_FULL ? 30 : 4;
const SENDERS = 8;
const ANSWER_LIMIT_MS = promisedLimit(2_000);
const COUNTER_LIMIT_MS = promisedLimit(10_000);

let server: OutageServer;
let companies: { companyId: number; key: string }[];
let session: pg.Client;
/** Observes locks while the other session is in a transaction. */
let observer: pg.Client;
const agent = new Agent({ keepAlive: true });

before(async () => {
  // On a busy machine the service would give up its lock before this test has caused the conflict.
  server = await openServer({ DATABASE_TIMEOUT_MS: String(TEST_DATABASE_TIMEOUT_MS) });
  const { companyId, live } = server;
  companies = [{ companyId, key: live.key }, await server.addCompany()];
  session = await connectTo(server.dataDir);
  observer = await connectTo(server.dataDir);
});
after(async () => {
  agent.destroy();
  await session?.end();
  await observer?.end();
  await server?.close();
});

/** Sends for both companies at once, so that a batch locks both accounts, the lower id first. */
function sendForBoth(): Promise<Call[]> {
  const sending = Array.from({ length: SENDERS }, (_, i) => {
    const { key } = companies[i % 2] as { key: string };
    const call = createCaller({ port: server.live.port, key }, agent);
    return call('/api/otp/send', { phone: newPhone() });
  });
  return Promise.all(sending);
}

/** Waits until a statement of the service is blocked by the session. */
async function waitUntilBlocked(): Promise<void> {
  const sql: RunSql = async (text) => (await observer.query(text)).rows;
  await until('a statement waits for the row', () => hasLockWaiter(sql));
}

async function assertAllServed(what: string, calls: Call[], conflicts: number): Promise<void> {
  const slowestMs = Math.round(Math.max(...calls.map((call) => call.ms)));
  assert.deepEqual(
    Object.keys(countOutcomes(calls)),
    ['200'],
    JSON.stringify(countOutcomes(calls)),
  );
  assert.ok(slowestMs <= ANSWER_LIMIT_MS, `${slowestMs} ms`);
  await server.settleAll();
  await server.audit();
  console.log(
    `${what}: ${conflicts} conflicts, ${calls.length} sends, all 200, slowest ${slowestMs} ms`,
  );
}

test('callers do not notice a deadlock with a session that locks in the opposite order', async () => {
  const [low, high] = companies.map(({ companyId }) => companyId).sort((a, b) => a - b);
  const lock = (company: number | undefined) =>
    session.query('select from account where company_id = $1 for update', [company]);
  const calls: Call[] = [];
  const before = await readCounter('deadlocks');
  for (let round = 0; round < ROUNDS; round++) {
    await session.query('begin');
    await lock(high);
    const sending = sendForBoth();
    await waitUntilBlocked();
    // The batch holds the lower account and waits for the higher one, so this deadlocks.
    await lock(low).catch(() => undefined);
    await session.query('rollback');
    calls.push(...(await sending));
  }
  // A batch with sends of one company only cannot deadlock.
  const deadlocks = await waitForCount('deadlocks', before, ROUNDS / 2);
  await assertAllServed('accounts locked in the wrong order', calls, deadlocks);
});

type Counter = 'deadlocks' | 'xact_rollback';

async function readCounter(counter: Counter): Promise<number> {
  const rows = await server.sql<{ n: number }>(
    `select ${counter}::integer as n from pg_stat_database where datname = 'zhiber'`,
  );
  return rows[0]?.n ?? 0;
}

/** PostgreSQL reports its counters with a delay. */
async function waitForCount(counter: Counter, before: number, min: number): Promise<number> {
  const deadline = performance.now() + COUNTER_LIMIT_MS;
  for (;;) {
    const counted = (await readCounter(counter)) - before;
    if (counted >= min) return counted;
    assert.ok(performance.now() < deadline, `${counter}: only ${counted} of ${min}`);
    await pause(100);
  }
}

// Last, because the sessions of the service keep the stricter isolation level.
test('callers do not notice a serialization failure', async () => {
  await session.query(
    "alter database zhiber set default_transaction_isolation = 'repeatable read'",
  );
  const calls: Call[] = [];
  let before = 0;
  try {
    await session.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'zhiber'",
    );
    await server.waitUntilServing(async () => (await sendForBoth())[0] as Call, ANSWER_LIMIT_MS);
    before = await readCounter('xact_rollback');
    for (let round = 0; round < ROUNDS; round++) {
      await session.query('begin isolation level read committed');
      await session.query('update account set held = held');
      const sending = sendForBoth();
      await waitUntilBlocked();
      // The waiting statement has an older snapshot, so it fails when it finds the row changed.
      await session.query('commit');
      calls.push(...(await sending));
    }
  } finally {
    await session.query('alter database zhiber reset default_transaction_isolation');
  }
  const conflicts = await waitForCount('xact_rollback', before, ROUNDS);
  await assertAllServed('rows changed under a snapshot', calls, conflicts);
});
