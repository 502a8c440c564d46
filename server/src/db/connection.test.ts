import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import pino from 'pino';
import { toConnection } from './connection.ts';
import { openDatabase } from './database.ts';

const CASES: readonly [string, ReturnType<typeof toConnection>][] = [
  ['postgres://u:p@db/zhiber', { connectionString: 'postgres://u:p@db/zhiber' }],
  [
    'postgres://u:p@one,two:6432/zhiber?sslmode=require',
    {
      connectionString: 'postgres://u:p@one/zhiber?sslmode=require',
      hosts: {
        all: [
          { host: 'one', port: 5432 },
          { host: 'two', port: 6432 },
        ],
      },
    },
  ],
  [
    'postgresql:///zhiber?host=/run/one,/run/two&port=5433&user=u',
    {
      connectionString: 'postgresql:///zhiber?host=%2Frun%2Fone&port=5433&user=u',
      hosts: {
        all: [
          { host: '/run/one', port: 5433 },
          { host: '/run/two', port: 5433 },
        ],
      },
    },
  ],
];

for (const [url, connection] of CASES) {
  test(`${url} has ${connection.hosts?.all.length ?? 1} hosts`, () => {
    assert.deepEqual(toConnection(url), connection);
  });
}

/** A message of PostgreSQL's protocol: its type, its length, its text. */
function message(type: string, text: string): Buffer {
  const body = Buffer.from(text, 'latin1');
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

test('a server that ends a connection in the moment it is made fails the query, not the process', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.end(
        Buffer.concat([
          message('R', '\0\0\0\0'), // The login is accepted,
          message('Z', 'I'), // queries may come,
          message('E', 'SFATAL\0C57P01\0Mterminating connection\0\0'), // and all is over.
        ]),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const place = { host: '127.0.0.1', port, user: 'zhiber', password: '', database: 'zhiber' };
  const db = openDatabase(place, pino({ level: 'silent' }), 1_500);
  await assert.rejects(db.query('select'));
  await db.close();
  server.close();
});
