import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type TestKey, until, useService } from '../harness.ts';

/**
 * A line between the service and its database that can be cut or fall silent: an outage as the
 * network makes it, without one for the other files that share the server.
 */
function createLine(to: { host: string; port: number }) {
  const sockets = new Set<net.Socket>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  const server = net.createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = to.host.startsWith('/')
      ? net.connect(`${to.host}/.s.PGSQL.${to.port}`)
      : net.connect(to.port, to.host);
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => state !== 'silent' && into.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        into.destroy();
      });
    }
  });
  return {
    server,
    set(next: typeof state) {
      state = next;
      if (state !== 'silent') for (const socket of sockets) socket.destroy();
    },
  };
}

const real = JSON.parse(process.env.ZHIBER_TEST_DATABASE ?? '{}') as { host: string; port: number };
const line = createLine(real);
before(async () => {
  await new Promise<void>((resolve) => line.server.listen(0, '127.0.0.1', resolve));
  const { port } = line.server.address() as net.AddressInfo;
  process.env.ZHIBER_TEST_DATABASE = JSON.stringify({ ...real, host: '127.0.0.1', port });
});
const service = useService();
after(() => {
  line.server.close();
});

const FIELDS = ['message', 'status', 'success', 'time', 'version'];

describe('a healthy service', () => {
  for (const method of ['GET', 'POST']) {
    test(`answers ${method} without a key, and says nothing but that`, async () => {
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

  test('answers HEAD with no body', async () => {
    const address = await service.http.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(`${address}/api/health`, { method: 'HEAD' });
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
    assert.equal(await answer.text(), '');
  });

  const bodies: Record<string, { payload: string; type?: string }> = {
    'a JSON object': { payload: '{"a":1}', type: 'application/json' },
    'broken JSON': { payload: '{', type: 'application/json' },
    'plain text': { payload: 'ping', type: 'text/plain' },
    'a form': { payload: 'a=1', type: 'application/x-www-form-urlencoded' },
    'no type at all': { payload: 'ping' },
    'a type that is none': { payload: 'ping', type: 'nonsense' },
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

  test('does not look at a key', async () => {
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
  // Junk is recognised by its checksum, without asking the database.
  assert.equal(junk.body.error_code, 'invalid_api_key');
  assert.equal(missing.body.error_code, 'missing_api_key');
}

async function assertRecovers(key: TestKey): Promise<void> {
  await until('it is healthy', async () => {
    const health = await service.call('/health', undefined, { method: 'GET' });
    return health.status === 200;
  });
  const sent = await service.call('/otp/send', { phone: service.phone() }, key);
  assert.equal(sent.status, 200);
}

describe('when a send could not work, health and the endpoints say 503', () => {
  test('the database is cut off, and comes back', async () => {
    const key = await service.key();
    line.set('cut');
    try {
      await assertUnavailable(key);
    } finally {
      line.set('open');
    }
    await assertRecovers(key);
  });

  test('the database has fallen silent, and comes back', async () => {
    const key = await service.key();
    line.set('silent');
    try {
      await assertUnavailable(key);
    } finally {
      line.set('open');
    }
    await assertRecovers(key);
  });

  test('the database has become a standby, which cannot be written to', async () => {
    const key = await service.key();
    const [row] = await service.sql<{ name: string }>('select current_database() as name');
    await service.sql(`alter database ${row?.name} set default_transaction_read_only = on`);
    line.set('open');
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
      line.set('open');
    }
    await assertRecovers(key);
  });
});
