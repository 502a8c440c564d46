import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, integrator, openLink } from './integrator.ts';
import { useServer } from './started-server.ts';

const { running, start, zhiber } = useServer(async () => {
  const { company_id } = await zhiber('company', 'create', '--name', 'Живучие');
  const key = ['--company', String(company_id), '--name', 'ключ', '--fallback', '15'];
  const { site } = running().facts.urls;
  free = integrator(site, String((await zhiber('key', 'create', ...key, '--test')).key));
  live = integrator(site, String((await zhiber('key', 'create', ...key)).key));
});

let free: ReturnType<typeof integrator>;
let live: ReturnType<typeof integrator>;

async function assertSound(): Promise<void> {
  const { ok, violations } = await zhiber('audit');
  assert.equal(ok, true, JSON.stringify(violations));
}

test('a server that is killed goes on after its next start as if nothing had happened', async () => {
  const silent = '+77000000002';
  const phone = '+77015000001';
  const header = { 'idempotency-key': 'before-the-crash' };
  const paid = await live.send(phone, { link: 'https://example.kz/o' }, header);
  const paidCode = await live.codeOn(phone);
  const sent = await free.send(silent);
  assert.equal(sent.body.channel, 'whatsapp');
  const code = await free.codeOn(silent);

  await running().kill();
  await start();

  // The phone's memory went with the process; what lies in it now was sent after the restart.
  const replayed = await live.send(phone, { link: 'https://example.kz/o' }, header);
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(replayed.body, paid.body);
  assert.equal((await live.send(phone)).status, 429, 'the minute outlives the restart');
  assert.equal((await live.verify(phone, paidCode)).status, 200);
  assert.equal((await openLink(String(paid.body.short_url))).status, 302);

  const read = () => free.inbox(silent, { wait: 1 });
  const [second] = await eventually(read, (messages) => messages.length > 0);
  assert.deepEqual(
    [second?.channel, second?.message_id, second?.code],
    ['telegram', sent.body.message_id, code],
  );
  assert.deepEqual(await live.inbox(phone), [], 'a delivered message is not sent again');
  assert.equal((await free.verify(silent, code)).status, 200);
  await assertSound();
});

test('requests that are under way when the server is told to stop are all answered', async () => {
  // These take four seconds each: WhatsApp hangs, then Telegram answers.
  const send = (name: string) =>
    free.send('+77000000007', { purpose: name }, { 'idempotency-key': name });
  const names = Array.from({ length: 20 }, (_, at) => `slow-${at}`);
  const slow = Promise.all(names.map(send));
  // Some time after the requests, the same keys are known to be busy: every one of them has begun.
  await pause(500);
  for (const { status } of await Promise.all(names.map(send))) assert.equal(status, 409);

  const { site } = running().facts.urls;
  const stopped = running().stop();
  for (const { status, body } of await slow) {
    assert.deepEqual([status, body.channel], [200, 'telegram']);
  }
  await stopped;
  await assert.rejects(fetch(`${site}/api/health`), 'nobody listens any more');
});

test('a request that has left its client before the stop is answered', async () => {
  const { facts, stop } = await start();
  const sockets = await Promise.all(Array.from({ length: 100 }, () => connected(facts.port)));
  const answers = sockets.map(statusLine);
  await Promise.all(sockets.map(askHealth));
  const stopped = stop();
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 200 OK']));
  await stopped;

  await start();
  await assertSound();
});

async function connected(port: number): Promise<Socket> {
  const socket = connect({ port, host: 'localhost' });
  await once(socket, 'connect');
  return socket;
}

/** Resolves when the bytes have left. */
async function askHealth(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n', () => resolve());
  });
}

/** The first line of the answer, or why there is none. */
async function statusLine(socket: Socket): Promise<string> {
  return await new Promise<string>((resolve) => {
    let text = '';
    const finish = (line: string) => {
      resolve(line);
      socket.destroy();
    };
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\r\n')) finish(text.slice(0, text.indexOf('\r\n')));
    });
    socket.on('error', (error) => finish(error.message));
    socket.on('close', () => finish('closed without an answer'));
  });
}
