import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createProviderClient, type ProviderAnswer } from './provider-client.ts';

async function listen(t: TestContext, server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (t: TestContext, listener: RequestListener) => listen(t, createServer(listener));
const speaking = (t: TestContext, talk: (socket: Socket) => void) =>
  listen(
    t,
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      talk(socket);
    }),
  );

async function callTo(
  t: TestContext,
  url: string,
  signal = AbortSignal.timeout(5_000),
): Promise<ProviderAnswer> {
  const client = createProviderClient({ url });
  t.after(() => client.close());
  return await client.call({ method: 'POST', path: '/send?a=1', body: '{}', signal });
}

test('a whole answer is read, whatever its status', async (t) => {
  const url = await answering(t, (request, response) => {
    response.statusCode = 503;
    response.end(`${request.method} ${request.url} ${request.headers['accept-encoding']}`);
  });
  assert.deepEqual(await callTo(t, `${url}/v1/`), {
    kind: 'answer',
    status: 503,
    text: 'POST /v1/send?a=1 identity',
  });
});

test('a refused connection: not sent', async (t) => {
  const server = createTcpServer();
  const url = await listen(t, server);
  server.close();
  await once(server, 'close');
  assert.deepEqual(await callTo(t, url), { kind: 'not_sent', why: 'ECONNREFUSED' });
});

test('an unknown host: not sent', async (t) => {
  const { kind } = await callTo(t, 'http://no-such-host.invalid');
  assert.equal(kind, 'not_sent');
});

test('a failed TLS handshake: not sent', async (t) => {
  const url = await speaking(t, (socket) => socket.end('hello'));
  const { kind } = await callTo(t, url.replace('http:', 'https:'));
  assert.equal(kind, 'not_sent');
});

const BREAKS: Record<string, (socket: Socket) => void> = {
  'a reset before the answer': (socket) => socket.once('data', () => socket.resetAndDestroy()),
  'a reset within the answer': (socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"half":');
      setImmediate(() => socket.resetAndDestroy());
    }),
  'an end within the answer': (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{')),
  'no HTTP at all': (socket) => socket.once('data', () => socket.end('220 smtp ready\r\n')),
};
for (const [name, talk] of Object.entries(BREAKS)) {
  test(`${name}: the outcome is unknown`, async (t) => {
    const { kind } = await callTo(t, await speaking(t, talk));
    assert.equal(kind, 'broken');
  });
}

/** A deadline that passes when the test says so, on a machine of any speed. */
function createDeadline() {
  const controller = new AbortController();
  const pass = () => controller.abort(new DOMException('the time is up', 'TimeoutError'));
  return { signal: controller.signal, pass };
}

test('silence ends at the deadline of the call, and the outcome is unknown', async (t) => {
  const deadline = createDeadline();
  const url = await speaking(t, (socket) => socket.once('data', deadline.pass));
  const answer = await callTo(t, url, deadline.signal);
  assert.deepEqual(answer, { kind: 'broken', why: 'no answer in time' });
});

test('an answer that arrives byte by byte does not extend the deadline', async (t) => {
  const deadline = createDeadline();
  const url = await answering(t, (_request, response) => {
    response.writeHead(200);
    let bytes = 0;
    const drip = setInterval(() => {
      response.write(' ');
      bytes += 1;
      if (bytes === 10) deadline.pass();
    }, 10);
    response.on('close', () => clearInterval(drip));
  });
  assert.equal((await callTo(t, url, deadline.signal)).kind, 'broken');
});

test('an endless answer is cut off, and the rest of it is never read', async (t) => {
  let written = 0;
  const url = await answering(t, (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) written += 64 * 1024;
    };
    response.on('drain', more);
    more();
  });
  assert.equal((await callTo(t, url)).kind, 'broken');
  assert.ok(written < 50_000_000, `${written} bytes were taken`);
});

test('a compressed answer is not decompressed', async (t) => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const url = await answering(t, (_request, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(bomb);
  });
  assert.equal((await callTo(t, url)).kind, 'broken');
});

test('a call that reaches its deadline while it waits for a connection was not sent', async (t) => {
  const url = await speaking(t, () => undefined);
  const client = createProviderClient({ url, connections: 1 });
  t.after(() => client.close());
  const call = (ms: number) =>
    client.call({ method: 'POST', path: '/', body: '{}', signal: AbortSignal.timeout(ms) });
  const [first, second] = await Promise.all([call(400), call(100)]);
  assert.equal(first.kind, 'broken');
  assert.equal(second.kind, 'not_sent');
});

test('a call that is aborted before it starts is not sent', async (t) => {
  let calls = 0;
  const url = await answering(t, (_request, response) => {
    calls += 1;
    response.end();
  });
  const client = createProviderClient({ url });
  t.after(() => client.close());
  const answer = await client.call({ method: 'POST', path: '/', signal: AbortSignal.abort() });
  assert.deepEqual([answer.kind, calls], ['not_sent', 0]);
});

/** A server that answers every call and counts its connections. */
async function counting(t: TestContext) {
  const server = createServer((_request, response) => setTimeout(() => response.end('{}'), 5));
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const client = createProviderClient({ url: await listen(t, server) });
  t.after(() => client.close());
  const call = async () => {
    // A connection becomes free one event-loop turn after its answer; real sends are further apart.
    await nextTurn();
    const signal = AbortSignal.timeout(5_000);
    return await client.call({ method: 'POST', path: '/', body: '{}', signal });
  };
  return { call, connections: () => connections };
}

test('sequential calls share one connection', async (t) => {
  const { call, connections } = await counting(t);
  for (let i = 0; i < 20; i++) assert.equal((await call()).kind, 'answer');
  assert.equal(connections(), 1);
});

test('concurrent calls have a connection each, which later calls reuse', async (t) => {
  const { call, connections } = await counting(t);
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, call));
    assert.deepEqual(new Set(answers.map(({ kind }) => kind)), new Set(['answer']));
    assert.equal(connections(), 20);
  }
});
