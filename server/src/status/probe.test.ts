import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { probe } from './probe.ts';

async function listen(t: TestContext, server: net.Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the status of an answer is told, with the path, the method and the host as given', async (t) => {
  const asked: (string | undefined)[][] = [];
  const server = http.createServer(({ method, url, headers }, response) => {
    asked.push([method, url, headers.host]);
    response.writeHead(url === '/down' ? 503 : 200).end('x'.repeat(100_000));
  });
  const site = await listen(t, server);
  assert.equal(await probe(`${site}/api/health?a=1`), 200);
  assert.equal(await probe(`${site}/down`, { method: 'HEAD', host: 'zh.kz' }), 503);
  assert.deepEqual(asked, [
    ['GET', '/api/health?a=1', site.slice('http://'.length)],
    ['HEAD', '/down', 'zh.kz'],
  ]);
});

test('nobody, silence, half an answer and what is no HTTP are no answer', async (t) => {
  const answering = (text: string) =>
    listen(
      t,
      net.createServer((socket) => {
        socket.on('error', () => undefined);
        if (text !== '') socket.end(text);
      }),
    );
  const LIMIT_MS = 300;
  for (const text of ['', 'HTTP/1.1 20', 'SSH-2.0-OpenSSH_9.6\r\n', 'x'.repeat(5_000)]) {
    assert.equal(await probe(await answering(text), {}, LIMIT_MS), undefined, text.slice(0, 20));
  }
  const gone = net.createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = gone.address() as AddressInfo;
  gone.close();
  await once(gone, 'close');
  assert.equal(await probe(`http://127.0.0.1:${port}/`), undefined);
  assert.equal(await probe(`https://127.0.0.1:${port}/`), undefined);
});
