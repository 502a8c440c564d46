import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { createHttpServer } from '../../src/http/transport/server.ts';
import { useService } from '../harness.ts';

const service = useService();

/** Far more than a shutdown with nothing to wait for may take. */
const LIMIT_MS = 10_000;
/** Together they need more time than a shutdown waits for requests in flight. */
const CLIENTS = 60;
const BUSY_MS = 20;

/** Clients in another thread, which all send before this thread can serve any of them. */
const CLIENT_SCRIPT = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { connect } = require('node:net');
  const { port, sent, clients } = workerData;
  const answers = Array.from({ length: clients }, () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /api/health HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n', () => {
        Atomics.add(sent, 0, 1);
        Atomics.notify(sent, 0);
      });
    });
    socket.once('data', (bytes) => resolve(String(bytes).split('\\r\\n')[0]));
    socket.once('error', (error) => resolve(error.message));
    socket.once('close', () => resolve('closed without an answer'));
  }));
  Promise.all(answers).then((lines) => parentPort.postMessage(lines));
`;

function blockThread(word: Int32Array, value: number, ms: number): void {
  Atomics.wait(word, 0, value, ms);
}

test('a shutdown does not wait for a connection that has sent nothing', {
  timeout: LIMIT_MS,
}, async () => {
  const http = createHttpServer(service.ctx, service.sandbox);
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  // Browsers open one ahead of need.
  const unused = connect(port, '127.0.0.1');
  await once(http.server, 'connection');
  const closed = once(unused.resume(), 'close');
  await http.close();
  await closed;
});

test('a request sent before a shutdown is answered, even by a busy server', async () => {
  await service.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.http.server.address() as AddressInfo;
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port, sent, clients: CLIENTS };
  const worker = new Worker(CLIENT_SCRIPT, { eval: true, workerData });
  const received = once(worker, 'message');
  await once(worker, 'online');
  for (let count = 0; count < CLIENTS; count = Atomics.load(sent, 0)) blockThread(sent, count, 100);

  let isDone = false;
  const unchanged = new Int32Array(new SharedArrayBuffer(4));
  const keepBusy = () => {
    blockThread(unchanged, 0, BUSY_MS);
    if (!isDone) setImmediate(keepBusy);
  };
  setImmediate(keepBusy);
  const stopped = service.http.close();
  const [lines] = (await received) as [string[]];
  isDone = true;
  assert.deepEqual(new Set(lines), new Set(['HTTP/1.1 200 OK']));
  await stopped;
});
