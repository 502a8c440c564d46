import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toConnection } from './connection.ts';

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
