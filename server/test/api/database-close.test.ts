import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { openDatabase } from '../../src/db/database.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../database-proxy.ts';
import { readTestServer } from '../test-database.ts';

const CONNECTIONS = 5;

let proxy: DatabaseProxy;
before(async () => {
  proxy = await openDatabaseProxy(readTestServer());
  proxy.setMode('hold-terminate');
});
after(() => proxy.close());

async function openWithConnections(statementMs: number) {
  proxy.forwardHeld();
  const connection = { ...readTestServer(), ...proxy.address, database: 'postgres' };
  const db = openDatabase(connection, pino({ level: 'silent' }), statementMs);
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => db.transaction((tx) => tx.query('select 1'))),
  );
  return db;
}

/** With this timeout, a close that waits for its own limit instead of the server takes 40 s. */
const STATEMENT_MS_MAX = 60_000;

test('close resolves only after the server has closed the last connection', {
  timeout: 20_000,
}, async () => {
  const db = await openWithConnections(STATEMENT_MS_MAX);
  const count = db.pool.totalCount;
  let isClosed = false;
  const closing = db.close().then(() => {
    isClosed = true;
  });
  while (proxy.heldCount() < count) await nextTurn();
  assert.equal(isClosed, false);
  proxy.forwardHeld();
  await closing;
  assert.equal(db.pool.totalCount, 0);
});

describe('close does not wait for a server that never closes a connection', () => {
  test('when all connections are idle', async () => {
    const db = await openWithConnections(1_500);
    await db.close();
    assert.ok(proxy.heldCount() > 0, 'the Terminate messages were held back');
  });

  test('when a client is released after the close has begun', async () => {
    const db = await openWithConnections(1_500);
    const client = await db.pool.connect();
    const closing = db.close();
    while (proxy.heldCount() < db.pool.totalCount) await nextTurn();
    client.release();
    await closing;
    assert.ok(proxy.heldCount() > 0, 'the Terminate messages were held back');
  });
});
