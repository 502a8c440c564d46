import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { useService } from '../harness.ts';

const service = useService();

/** So many, and so little time for them: a stop does not wait that long for those on their way. */
const CALLERS = 60;
const BUSY_MS = 20;

/** People in a thread of their own, who all ask before the server has time for any of them. */
const CALLING = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { connect } = require('node:net');
  const { port, asked, callers } = workerData;
  const answers = Array.from({ length: callers }, () => new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /api/health HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n', () => {
        Atomics.add(asked, 0, 1);
        Atomics.notify(asked, 0);
      });
    });
    socket.once('data', (bytes) => resolve(String(bytes).split('\\r\\n')[0]));
    socket.once('error', (error) => resolve(error.message));
    socket.once('close', () => resolve('closed without an answer'));
  }));
  Promise.all(answers).then((lines) => parentPort.postMessage(lines));
`;

function waitHere(word: Int32Array, value: number, ms: number): void {
  Atomics.wait(word, 0, value, ms);
}

test('who has asked before a stop is answered, also by a server that has little time', async () => {
  await service.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.http.server.address() as AddressInfo;
  const asked = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port, asked, callers: CALLERS };
  const worker = new Worker(CALLING, { eval: true, workerData });
  const told = once(worker, 'message');
  await once(worker, 'online');
  for (let count = 0; count < CALLERS; count = Atomics.load(asked, 0)) waitHere(asked, count, 100);

  let isOver = false;
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  const beBusy = () => {
    waitHere(nothing, 0, BUSY_MS);
    if (!isOver) setImmediate(beBusy);
  };
  setImmediate(beBusy);
  const stopped = service.http.close();
  const [lines] = (await told) as [string[]];
  isOver = true;
  assert.deepEqual(new Set(lines), new Set(['HTTP/1.1 200 OK']));
  await stopped;
});
