/** How long the database may take, and a way to it on which new connections do not get through. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import pino from 'pino';
import { type Connection, type Database, openDatabase } from '../../src/db/database.ts';
import { openStorage } from '../../src/db/open-storage.ts';
import { isOutcomeUnknown } from '../../src/db/sql-errors.ts';
import { isSomebodyWaiting, together, until, useService } from '../harness.ts';

const opened: Database[] = [];
let isStuck = false;
const sockets: Socket[] = [];
const gateway = createServer((socket) => {
  sockets.push(socket.on('error', () => undefined));
  if (isStuck) return;
  const { host, port } = service.ctx.db.pool.options;
  const path = `${host}/.s.PGSQL.${port}`;
  const server = host?.startsWith('/') ? connect({ path }) : connect({ host, port: Number(port) });
  sockets.push(server.on('error', () => undefined));
  socket.pipe(server).pipe(socket);
});

// Registered before the service's own: nothing of ours is open when its database is closed.
after(async () => {
  for (const db of opened) await db.close();
  for (const socket of sockets) socket.destroy();
  gateway.close();
});
const service = useService();
before(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
});

/** The database by way of the gateway, with one connection that is open. */
async function openOne(): Promise<Database> {
  const { user, password, database } = service.ctx.db.pool.options;
  const { port } = gateway.address() as AddressInfo;
  const way = { host: '127.0.0.1', port, user, password, database } as Connection;
  isStuck = false;
  const db = openDatabase(way, pino({ level: 'silent' }), 1_500);
  opened.push(db);
  await db.query('select 1');
  isStuck = true;
  return db;
}

/** Has the one connection wait for a lock until it is let go. */
async function keepBusy(busy: Database) {
  const { promise: isEnough, resolve: letGo } = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const holding = service.ctx.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7)');
    isLocked.resolve();
    await isEnough;
  });
  await isLocked.promise;
  const waiting = busy.query('select pg_advisory_xact_lock(7)');
  await until('it waits for the lock', () => isSomebodyWaiting(service.sql));
  return {
    async letGo() {
      letGo();
      await holding;
      await waiting;
    },
  };
}

test('a new connection that hangs fails nobody while another one is free', async () => {
  const one = await openOne();
  const busy = await keepBusy(one);
  const asked = one.query('select 2 as two');
  const changed = one.transaction((tx) => tx.query('select 3 as three'));
  await busy.letGo();
  // All in one turn, when a single connection is idle.
  const many = together(20, () => one.query<{ four: number }>('select 4 as four'));
  assert.equal((await many).flat().length, 20);
  assert.deepEqual(await asked, [{ two: 2 }]);
  assert.deepEqual(await changed, [{ three: 3 }]);
});

test('when none is free it fails, and nothing has been asked', async () => {
  const one = await openOne();
  const client = await one.pool.connect();
  try {
    await assert.rejects(one.query('select 2'), (error) => !isOutcomeUnknown(error));
  } finally {
    client.release();
  }
});

test('its limits are in proportion to the one that is set', async () => {
  const { host, port, user, password, database } = service.ctx.db.pool.options;
  const at = new URLSearchParams({ host: String(host), port: String(port) });
  const databaseUrl = `postgres://${user}:${password ?? ''}@localhost/${database}?${at}`;
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
