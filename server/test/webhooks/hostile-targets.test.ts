/** Targets that lie, hang, flood or lead into the inside of a network. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { createEndpointCaller } from '../../src/webhooks/call-endpoint.ts';
import type { Resolve } from '../../src/webhooks/checked-connector.ts';
import { useService } from '../harness.ts';
import { SELF_SIGNED } from '../self-signed.ts';
import { answers, startReceiver } from './receiver.ts';
import { createWebhookRig } from './webhook-rig.ts';

const service = useService();
const rig = createWebhookRig(service);
const CALL = { headers: { 'content-type': 'application/json' }, body: '{}' };
const LIVE = { isSandbox: false, allowsLoopback: false };
/** Like live, but with http and any port, so that a plain server of the test can stand for a target. */
const PUBLIC_HTTP = { isSandbox: true, allowsLoopback: false };
const LOCAL = { isSandbox: true, allowsLoopback: true };
const never: Resolve = async (host) => assert.fail(`${host} was looked up`);

test('a redirect is a failure, and is not followed', async () => {
  const inside = await rig.receiver();
  const companyId = await service.company();
  const target = await rig.receiver(answers(302, { location: inside.url }));
  const { id } = await rig.endpoint(companyId, target.url);
  await rig.addEvents(companyId, 1);
  await rig.deliverAll(rig.worker());
  assert.equal(inside.connections(), 0);
  const [row] = await rig.deliveries(id);
  assert.deepEqual(
    { ...row, seconds: 5 },
    { state: 'waiting', tries: 1, error: 'redirect', status: 302, seconds: 5 },
  );
});

test('a name that was public and now leads inside is not connected to, whatever else it leads to', async (t) => {
  const inside = await startReceiver();
  const caller = (resolve: Resolve, reach = PUBLIC_HTTP) =>
    createEndpointCaller({ reach, resolve, timeoutMs: 2_000 });
  t.after(() => inside.close());
  const url = `http://rebinding.example.kz:${inside.port}/hook`;
  let lookups = 0;
  // The first answer is public, the second is not: the check and the connection must use one answer.
  const rebinding = caller(async () => {
    lookups += 1;
    return [{ address: lookups === 1 ? '203.0.114.1' : '127.0.0.1', family: 4 }];
  });
  await rebinding.call({ ...CALL, url });
  const second = await rebinding.call({ ...CALL, url });
  assert.deepEqual([second.outcome, second.error], ['blocked', 'not_public']);
  assert.equal(lookups, 2, 'each connection is looked up once, and by us');
  for (const addresses of [
    ['127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['fd00:ec2::254'],
  ]) {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const result = await caller(async () => found).call({ ...CALL, url });
    assert.deepEqual([result.outcome, result.error], ['blocked', 'not_public'], String(addresses));
  }
  // A literal address is never looked up, so it has a check of its own.
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    'localhost',
  ]) {
    const result = await caller(never).call({ ...CALL, url: `http://${host}:${inside.port}/` });
    assert.equal(result.outcome, 'blocked', host);
  }
  assert.equal(inside.connections(), 0);
  await rebinding.close();
});

test('live, neither http nor another port is called, even when such an address was stored', async () => {
  const caller = createEndpointCaller({ reach: LIVE, resolve: never });
  for (const url of [
    'http://shop.kz/',
    'https://shop.kz:6379/',
    'https://user@shop.kz/',
    'https://localhost/',
  ]) {
    assert.equal((await caller.call({ ...CALL, url })).outcome, 'blocked', url);
  }
});

test('a sandbox on this machine calls localhost by its name', async (t) => {
  const target = await startReceiver();
  t.after(() => target.close());
  const caller = createEndpointCaller({
    reach: LOCAL,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  t.after(() => caller.close());
  const { outcome, status } = await caller.call({
    ...CALL,
    url: `http://localhost:${target.port}/`,
  });
  assert.deepEqual([outcome, status], ['delivered', 204]);
});

/** A server that answers every connection with these bytes. */
async function startRaw(write: (send: (bytes: string) => boolean) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => write((bytes) => !socket.destroyed && socket.write(bytes)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test('what a target sends is bounded: its headers, its text and its time', async (t) => {
  const caller = createEndpointCaller({ reach: LOCAL, resolve: never, timeoutMs: 1_500 });
  t.after(() => caller.close());
  const call = async (write: Parameters<typeof startRaw>[0]) => {
    const { server, url } = await startRaw(write);
    const startedMs = performance.now();
    const result = await caller.call({ ...CALL, url });
    server.close();
    return { ...result, tookMs: performance.now() - startedMs };
  };
  const huge = await call((send) =>
    send(`HTTP/1.1 200 OK\r\n${'x-junk: 0123456789\r\n'.repeat(5_000)}\r\n`),
  );
  assert.deepEqual([huge.outcome, huge.error], ['refused', 'bad_answer']);

  const endless = await call((send) => {
    send('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = `400\r\n${'ж'.repeat(512)}\r\n`;
    for (let i = 0; i < 2_000 && send(chunk); i++);
  });
  assert.deepEqual([endless.outcome, endless.isAnswerCut], ['delivered', true]);
  assert(Buffer.byteLength(endless.answer ?? '') <= 1_030);

  const dribbling = await call((send) => {
    send('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nsome');
  });
  assert.deepEqual([dribbling.outcome, dribbling.isAnswerCut], ['delivered', true]);
  assert(dribbling.tookMs < 1_450, `${dribbling.tookMs} ms: the text is waited for only a moment`);

  const silent = await call(() => undefined);
  assert.deepEqual([silent.outcome, silent.error], ['timed_out', 'timed_out']);
  const garbage = await call((send) => send('SSH-2.0-OpenSSH_9.6\r\n'));
  assert.deepEqual([garbage.outcome, garbage.error], ['refused', 'bad_answer']);
  const control = await call((send) =>
    send('HTTP/1.1 500 No\r\ncontent-length: 9\r\n\r\n\u001b[2J\u0000<b>\n'),
  );
  assert.equal(control.answer, '\u{fffd}[2J\u{fffd}<b>\n');
});

test('a certificate that nobody trusts, or of another name, is told as a fault of TLS', async (t) => {
  let calls = 0;
  const server = createTlsServer(SELF_SIGNED, (_request, response) => {
    calls += 1;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const caller = createEndpointCaller({ reach: LOCAL, resolve, timeoutMs: 2_000 });
  t.after(() => caller.close());
  for (const host of ['127.0.0.1', 'shop.example.kz']) {
    const { outcome, error, status } = await caller.call({
      ...CALL,
      url: `https://${host}:${port}/`,
    });
    assert.deepEqual([outcome, error, status], ['unreachable', 'tls', null], host);
  }
  assert.equal(calls, 0, 'the event and its signature were not sent');
});

test('a broken TLS connection, a refused one and an unknown name are told apart', async (t) => {
  const plain = await startReceiver();
  t.after(() => plain.close());
  const unknown: Resolve = async () => {
    throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
  };
  const caller = createEndpointCaller({ reach: LOCAL, resolve: unknown, timeoutMs: 2_000 });
  t.after(() => caller.close());
  const errorOf = async (url: string) => {
    const { outcome, error } = await caller.call({ ...CALL, url });
    return [outcome, error];
  };
  assert.deepEqual(await errorOf(`https://127.0.0.1:${plain.port}/`), ['unreachable', 'tls']);
  assert.deepEqual(await errorOf('https://nowhere.example.kz/'), ['unreachable', 'name_unknown']);
  const { server, url } = await startRaw(() => undefined);
  server.close();
  await once(server, 'close');
  assert.deepEqual(await errorOf(url), ['unreachable', 'connection_refused']);
});
