import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { openDatabase } from '../../src/db/database.ts';

const CONNECTIONS = 5;
/** What a client says before it hangs up: "Terminate", with nothing inside. */
const GOODBYE = Buffer.from([0x58, 0, 0, 0, 4]);

type Server = { host: string; port: number; user: string; password: string; database: string };
const real = JSON.parse(process.env.ZHIBER_TEST_DATABASE ?? '{}') as Server;

/** A line to the database on which goodbyes are held back until the test lets them through. */
const held: (() => void)[] = [];
const sockets: net.Socket[] = [];
const line = net.createServer({ allowHalfOpen: true }, (near) => {
  const far = net.connect(`${real.host}/.s.PGSQL.${real.port}`);
  near.on('data', (bytes) => {
    if (bytes.equals(GOODBYE)) held.push(() => far.end(bytes));
    else far.write(bytes);
  });
  far.on('data', (bytes) => near.write(bytes));
  far.on('close', () => near.destroy());
  near.on('close', () => far.destroy());
  for (const socket of [near, far]) {
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
});
before(async () => {
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
});
after(() => {
  for (const socket of sockets) socket.destroy();
  line.close();
});

async function openWithConnections(statementMs: number) {
  held.length = 0;
  const { port } = line.address() as net.AddressInfo;
  const connection = { ...real, host: '127.0.0.1', port, database: 'postgres' };
  const db = openDatabase(connection, pino({ level: 'silent' }), statementMs);
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => db.transaction((tx) => tx.query('select 1'))),
  );
  return db;
}

/** A close that waits for its limit instead of the server takes 40 s with this. */
const STATEMENT_MS_MAX = 60_000;

test('a database is closed when the server has answered the last goodbye, not before', {
  timeout: 20_000,
}, async () => {
  const db = await openWithConnections(STATEMENT_MS_MAX);
  const count = db.pool.totalCount;
  let isClosed = false;
  const closing = db.close().then(() => {
    isClosed = true;
  });
  while (held.length < count) await nextTurn();
  assert.equal(isClosed, false);
  for (const letThrough of held) letThrough();
  await closing;
  assert.equal(db.pool.totalCount, 0);
});

describe('a server that answers no goodbye is not waited for', () => {
  test('when all connections are idle', async () => {
    const db = await openWithConnections(1_500);
    await db.close();
    assert.ok(held.length > 0, 'the goodbyes were held back');
  });

  test('when one comes back after the close has begun', async () => {
    const db = await openWithConnections(1_500);
    const client = await db.pool.connect();
    const closing = db.close();
    while (held.length < db.pool.totalCount) await nextTurn();
    client.release();
    await closing;
    assert.ok(held.length > 0, 'the goodbyes were held back');
  });
});
