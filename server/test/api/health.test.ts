import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { openDatabaseProxy } from '../database-proxy.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { readTestServer } from '../test-database.ts';

// Not in a hook: those of a file start together, and the service must find the proxy.
const server = readTestServer();
const proxy = await openDatabaseProxy(server);
process.env.ZHIBER_TEST_DATABASE = JSON.stringify({ ...server, ...proxy.address });
const service = useService();
after(() => proxy.close());

/** Closes open connections, so that the next request meets the new mode. */
function setProxy(mode: 'forward' | 'refuse'): void {
  proxy.setMode(mode);
  proxy.closeConnections();
}

const FIELDS = ['message', 'status', 'success', 'time', 'version'];

describe('a healthy service', () => {
  for (const method of ['GET', 'POST']) {
    test(`answers ${method} without a key and reveals nothing else`, async () => {
      const answer = await service.call('/health', undefined, { method });
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.body).sort(), FIELDS);
      assert.equal(answer.body.success, true);
      assert.equal(answer.body.status, 'ok');
      assert.match(String(answer.body.message), /[а-яё]/i);
      assert.match(String(answer.body.version), /^\d+\.\d+\.\d+/);
      const age = Date.now() - new Date(String(answer.body.time)).getTime();
      assert(age >= 0 && age < 60_000, `time ${answer.body.time}`);
    });
  }

  test('answers HEAD without a body', async () => {
    const address = await service.http.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${address}/api/health`, { method: 'HEAD' });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
    assert.equal(await answer.text(), '');
  });

  test('asks the database once for many that ask at once', async () => {
    const { pool } = service.ctx.db;
    let taken = 0;
    const count = () => {
      taken += 1;
    };
    pool.on('acquire', count);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => service.call('/health', undefined, { method: 'GET' })),
    );
    pool.off('acquire', count);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    // Jobs of the service take some too.
    assert(taken < 40, `${taken} questions`);
  });

  const bodies: Record<string, { payload: string; type?: string }> = {
    'a JSON object': { payload: '{"a":1}', type: 'application/json' },
    'broken JSON': { payload: '{', type: 'application/json' },
    'plain text': { payload: 'ping', type: 'text/plain' },
    'a form': { payload: 'a=1', type: 'application/x-www-form-urlencoded' },
    'no content type': { payload: 'ping' },
    'an invalid content type': { payload: 'ping', type: 'nonsense' },
    '64 KiB': { payload: 'x'.repeat(64 * 1024), type: 'application/json' },
  };
  for (const [name, { payload, type }] of Object.entries(bodies)) {
    test(`ignores a body: ${name}`, async () => {
      const response = await service.http.inject({
        method: 'POST',
        url: '/api/health',
        headers: type === undefined ? {} : { 'content-type': type },
        payload,
      });
      assert.equal(response.statusCode, 200, response.payload);
      assert.equal(response.json().success, true);
    });
  }

  test('ignores an API key', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const answer = await service.call('/health', undefined, { method: 'GET', headers });
    assert.equal(answer.status, 200);
  });
});

async function assertUnavailable(key: TestKey): Promise<void> {
  const [health, send, verify, junk, missing] = await Promise.all([
    service.call('/health', undefined, { method: 'GET' }),
    service.call('/otp/send', { phone: service.phone() }, key),
    service.call('/otp/verify', { phone: service.phone(), code: '123456' }, key),
    service.call('/otp/send', {}, { key: 'zk_live_nonsense' }),
    service.call('/otp/send', {}),
  ]);
  for (const answer of [health, send, verify]) {
    assert.equal(answer.body.error_code, 'service_unavailable');
    assert.equal(answer.body.success, false);
    assert(Number(answer.headers['retry-after']) >= 1);
    assert.match(String(answer.headers['content-type']), /^application\/json/);
  }
  // The checksum of a key is verified without a query.
  assert.equal(junk.body.error_code, 'invalid_api_key');
  assert.equal(missing.body.error_code, 'missing_api_key');
}

async function assertRecovers(key: TestKey): Promise<void> {
  await until('the service is healthy', async () => {
    const health = await service.call('/health', undefined, { method: 'GET' });
    return health.status === 200;
  });
  const sent = await service.call('/otp/send', { phone: service.phone() }, key);
  assert.equal(sent.status, 200);
}

describe('health and the endpoints answer 503 while sends are impossible', () => {
  test('the database is disconnected and returns', async () => {
    const key = await service.key();
    setProxy('refuse');
    try {
      await assertUnavailable(key);
    } finally {
      setProxy('forward');
    }
    await assertRecovers(key);
  });

  test('the database stops answering and returns', async () => {
    const key = await service.key();
    proxy.setMode('drop');
    try {
      await assertUnavailable(key);
    } finally {
      setProxy('forward');
    }
    await assertRecovers(key);
  });

  test('the database has become a read-only standby', async () => {
    const key = await service.key();
    const [row] = await service.sql<{ name: string }>('select current_database() as name');
    await service.sql(`alter database ${row?.name} set default_transaction_read_only = on`);
    setProxy('forward');
    try {
      const send = await service.call('/otp/send', { phone: service.phone() }, key);
      assert.equal(send.body.error_code, 'service_unavailable');
      const health = await service.call('/health', undefined, { method: 'GET' });
      assert.equal(health.body.error_code, 'service_unavailable');
    } finally {
      await service.ctx.db.transaction(async (tx) => {
        await tx.query('set transaction read write');
        await tx.query(`alter database ${row?.name} reset default_transaction_read_only`);
      });
      setProxy('forward');
    }
    await assertRecovers(key);
  });
});

test('a balancer hears that the process serves, whatever the database does', async () => {
  const address = await service.http.listen({ port: 0, host: '127.0.0.1' }).catch(() => {
    const { port } = service.http.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  });
  setProxy('refuse');
  try {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${address}/live`, { method, headers: { host: 'any.example' } });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(await answer.text(), method === 'GET' ? 'live\n' : '');
    }
    assert.equal((await fetch(`${address}/live`, { method: 'POST' })).status, 404);
  } finally {
    setProxy('forward');
  }
});
