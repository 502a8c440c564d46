import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isSomebodyWaiting, type RunSql, until } from '../harness.ts';
import { connectTo } from '../start/serve-harness.ts';
import { type Call, createCaller, newPhone, tally } from './load.ts';
import { IS_FULL, type OutageServer, openServer, promised } from './outage-server.ts';

const ROUNDS = IS_FULL ? 30 : 8;
const SENDERS = 8;
const ANSWER_LIMIT_MS = promised(2_000);
const WAITING_LIMIT_MS = promised(10_000);

let server: OutageServer;
let companies: { companyId: number; key: string }[];
let session: pg.Client;
/** Sees what happens while the other one is in a transaction. */
let onlooker: pg.Client;
const agent = new Agent({ keepAlive: true });

before(async () => {
  server = await openServer();
  const { companyId, live } = server;
  companies = [{ companyId, key: live.key }, await server.company()];
  session = await connectTo(server.dataDir);
  onlooker = await connectTo(server.dataDir);
});
after(async () => {
  agent.destroy();
  await session?.end();
  await onlooker?.end();
  await server?.close();
});

/** Two companies are sent for at once, so that a batch locks both accounts, the lower one first. */
function sendForBoth(): Promise<Call[]> {
  const sending = Array.from({ length: SENDERS }, (_, i) => {
    const { key } = companies[i % 2] as { key: string };
    const call = createCaller({ port: server.live.port, key }, agent);
    return call('/api/otp/send', { phone: newPhone() });
  });
  return Promise.all(sending);
}

/** Until a statement of the service waits for a row that the session has. */
async function untilWaiting(): Promise<void> {
  const look: RunSql = async (text) => (await onlooker.query(text)).rows;
  await until('a statement waits for the row', () => isSomebodyWaiting(look));
}

async function assertUnnoticed(what: string, calls: Call[], conflicts: number): Promise<void> {
  const slowestMs = Math.round(Math.max(...calls.map((call) => call.ms)));
  assert.deepEqual(Object.keys(tally(calls)), ['200'], JSON.stringify(tally(calls)));
  assert.ok(slowestMs <= ANSWER_LIMIT_MS, `${slowestMs} ms`);
  await server.settleAll();
  await server.audit();
  console.log(
    `${what}: ${conflicts} conflicts, ${calls.length} sends, all 200, slowest ${slowestMs} ms`,
  );
}

test('a deadlock with somebody who locks in the wrong order is not noticed outside', async () => {
  const [low, high] = companies.map(({ companyId }) => companyId).sort((a, b) => a - b);
  const lock = (company: number | undefined) =>
    session.query('select from account where company_id = $1 for update', [company]);
  const calls: Call[] = [];
  const before = await readCounter('deadlocks');
  for (let round = 0; round < ROUNDS; round++) {
    await session.query('begin');
    await lock(high);
    const sending = sendForBoth();
    await untilWaiting();
    // The batch has the lower account and waits for the higher one; this closes the circle.
    await lock(low).catch(() => undefined);
    await session.query('rollback');
    calls.push(...(await sending));
  }
  // A batch that went out with sends of one company alone has nothing to deadlock about.
  const deadlocks = await untilCounted('deadlocks', before, ROUNDS / 2);
  await assertUnnoticed('accounts locked in the wrong order', calls, deadlocks);
});

type Counter = 'deadlocks' | 'xact_rollback';

async function readCounter(counter: Counter): Promise<number> {
  const rows = await server.sql<{ n: number }>(
    `select ${counter}::integer as n from pg_stat_database where datname = 'zhiber'`,
  );
  return rows[0]?.n ?? 0;
}

/** A backend reports what it has counted a moment later. */
async function untilCounted(counter: Counter, before: number, min: number): Promise<number> {
  const deadline = performance.now() + WAITING_LIMIT_MS;
  for (;;) {
    const counted = (await readCounter(counter)) - before;
    if (counted >= min) return counted;
    assert.ok(performance.now() < deadline, `${counter}: only ${counted} of ${min}`);
    await pause(100);
  }
}

test('a serialization failure is not noticed outside', async () => {
  await session.query(
    "alter database zhiber set default_transaction_isolation = 'repeatable read'",
  );
  const calls: Call[] = [];
  let before = 0;
  try {
    await session.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'zhiber'",
    );
    await server.untilServing(async () => (await sendForBoth())[0] as Call, ANSWER_LIMIT_MS);
    before = await readCounter('xact_rollback');
    for (let round = 0; round < ROUNDS; round++) {
      await session.query('begin isolation level read committed');
      await session.query('update account set held = held');
      const sending = sendForBoth();
      await untilWaiting();
      // Whoever waited under a snapshot from before finds the row changed, and fails.
      await session.query('commit');
      calls.push(...(await sending));
    }
  } finally {
    await session.query('alter database zhiber reset default_transaction_isolation');
  }
  const conflicts = await untilCounted('xact_rollback', before, ROUNDS);
  await assertUnnoticed('rows changed under a snapshot', calls, conflicts);
});
