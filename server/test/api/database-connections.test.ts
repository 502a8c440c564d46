/** Database timeouts, and a network on which new connections hang. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { openStorage } from '../../src/db/open-storage.ts';
import { isOutcomeUnknown } from '../../src/db/sql-errors.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../database-proxy.ts';
import { hasLockWaiter, runConcurrently, until, useService } from '../harness.ts';
import { connectionOf } from '../money/two-nodes.ts';
import { readTestServer, toDatabaseUrl } from '../test-database.ts';

const opened: Database[] = [];
let proxy: DatabaseProxy;

// Registered before the hooks of the service, so that these connections close before its database.
after(async () => {
  for (const db of opened) await db.close();
  proxy.close();
});
const service = useService();
before(async () => {
  proxy = await openDatabaseProxy(readTestServer());
});

/** Opens the database through the proxy with one connection; further connections hang. */
async function openWithOneConnection(): Promise<Database> {
  const connection = { ...connectionOf(service), ...proxy.address };
  proxy.setMode('forward');
  const db = openDatabase(connection, pino({ level: 'silent' }), 1_500);
  opened.push(db);
  await db.query('select 1');
  proxy.setMode('hang');
  return db;
}

/** Keeps the only connection waiting for a lock until `release` is called. */
async function keepBusy(busy: Database) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const holding = service.ctx.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7)');
    isLocked.resolve();
    await released;
  });
  await isLocked.promise;
  const waiting = busy.query('select pg_advisory_xact_lock(7)');
  await until('the connection waits for the lock', () => hasLockWaiter(service.sql));
  return {
    async release() {
      release();
      await holding;
      await waiting;
    },
  };
}

test('a hanging new connection fails no query while another connection becomes free', async () => {
  const one = await openWithOneConnection();
  const busy = await keepBusy(one);
  const queried = one.query('select 2 as two');
  const changed = one.transaction((tx) => tx.query('select 3 as three'));
  await busy.release();
  // All 20 start in one turn of the event loop, while a single connection is idle.
  const many = runConcurrently(20, () => one.query<{ four: number }>('select 4 as four'));
  assert.equal((await many).flat().length, 20);
  assert.deepEqual(await queried, [{ two: 2 }]);
  assert.deepEqual(await changed, [{ three: 3 }]);
});

test('without a free connection a query fails, and is known not to have run', async () => {
  const one = await openWithOneConnection();
  const client = await one.pool.connect();
  try {
    await assert.rejects(one.query('select 2'), (error) => !isOutcomeUnknown(error));
  } finally {
    client.release();
  }
});

test('all database timeouts are derived from the configured one', async () => {
  const databaseUrl = toDatabaseUrl(connectionOf(service));
  const { config, log } = service.ctx;
  const storage = await openStorage(
    { ...config, databaseUrl, databaseTimeoutMs: 3_000 },
    'owner',
    log,
  );
  opened.push(storage.db);
  const rows = await storage.db.query(
    `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
       current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  assert.deepEqual(rows, [{ statement: '3s', lock: '2200ms', idle: '10s' }]);
  const { connectionTimeoutMillis, query_timeout } = storage.db.pool.options;
  assert.deepEqual([connectionTimeoutMillis, query_timeout], [2_000, 3_400]);
});
