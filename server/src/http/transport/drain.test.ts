import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import { drainOnClose } from './drain.ts';

const HOST = '127.0.0.1';
const REQUEST_TIMEOUT_MS = 200;
/** Far more than a shutdown may take. */
const LIMIT_MS = 10_000;
const WHOLE = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

let server = createServer();
let drain = drainOnClose(server, REQUEST_TIMEOUT_MS);
let underWay: ServerResponse[] = [];

beforeEach(async () => {
  underWay = [];
  server = createServer((_request, response) => void underWay.push(response));
  // By default Node closes a connection five seconds after its last answer.
  server.keepAliveTimeout = 2 * LIMIT_MS;
  drain = drainOnClose(server, REQUEST_TIMEOUT_MS);
  server.listen(0, HOST);
  await once(server, 'listening');
});

/** Opens a connection and sends the text; resolves when the server has read it. */
async function send(text: string): Promise<{ socket: Socket; received(): string }> {
  const socket = connect((server.address() as AddressInfo).port, HOST);
  after(() => socket.destroy());
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  const [accepted] = (await once(server, 'connection')) as [Socket];
  if (text !== '') {
    const read = once(accepted, 'data');
    socket.write(text);
    await read;
  }
  return { socket, received: () => received };
}

/** As Fastify does it: first the hook, then the server. */
async function close(): Promise<void> {
  await drain.start();
  const closed = once(server, 'close');
  server.close();
  await closed;
}

for (const [name, text] of [
  ['has sent nothing', ''],
  ['has sent half a header', 'GET / HTTP/1.1\r\nHo'],
  ['has sent half a body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf'],
] as const) {
  test(`a connection that ${name} does not block a shutdown`, { timeout: LIMIT_MS }, async () => {
    const { socket } = await send(text);
    const closed = once(socket, 'close');
    await close();
    await closed;
  });
}

test('half a request after an answered one does not block a shutdown', {
  timeout: LIMIT_MS,
}, async () => {
  const { socket } = await send(WHOLE);
  const answered = once(socket, 'data');
  underWay[0]?.end('first');
  await answered;
  socket.write('GET / HTTP/1.1\r\nHo');
  const closed = once(socket, 'close');
  await close();
  await closed;
});

test('a whole request is answered, however long it takes', { timeout: LIMIT_MS }, async () => {
  const whole = await send(WHOLE);
  const half = await send('GET / HTTP/1.1\r\nHo');
  const cut = once(half.socket, 'close');
  const answered = once(whole.socket, 'close');
  const closed = close();
  await cut;
  underWay[0]?.setHeader('connection', 'close').end('late');
  await Promise.all([answered, closed]);
  assert.match(whole.received(), /late/);
});
