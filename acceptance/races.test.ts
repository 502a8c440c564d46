import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { integrator } from './integrator.ts';
import { useServer } from './started-server.ts';

const { running, zhiber } = useServer();

let key: string;
let live: ReturnType<typeof integrator>;

before(async () => {
  const { company_id } = await zhiber('company', 'create', '--name', 'Гонки');
  await zhiber('topup', '--company', String(company_id), '--amount', '1000');
  const made = await zhiber('key', 'create', '--company', String(company_id), '--name', 'ключ');
  key = String(made.key);
  live = integrator(running().facts.urls.site, key);
});

/** Each request on a connection of its own, all of them at once. */
async function together(path: string, bodies: object[]): Promise<number[]> {
  const agent = new Agent({ maxSockets: bodies.length });
  const { api } = running().facts.urls;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = async (body: object): Promise<number> => {
    const sent = request(`${api}${path}`, { method: 'POST', agent, headers });
    sent.end(JSON.stringify(body));
    const [answer] = await once(sent, 'response');
    answer.resume();
    return answer.statusCode;
  };
  try {
    return await Promise.all(bodies.map(post));
  } finally {
    agent.destroy();
  }
}

function countOf(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function assertSound(): Promise<void> {
  const { ok, violations } = await zhiber('audit');
  assert.equal(ok, true, JSON.stringify(violations));
}

test('a hundred sends to one phone at once are one send', async () => {
  const phone = '+77014000001';
  const bodies = Array.from({ length: 100 }, (_, at) => ({ phone, purpose: `p${at % 7}` }));
  assert.deepEqual(countOf(await together('/otp/send', bodies)), { 200: 1, 429: 99 });
  assert.equal((await live.inbox(phone)).length, 1);
  await assertSound();
});

test('a hundred right answers at once are one success', async () => {
  const phone = '+77014000002';
  await live.send(phone);
  const code = await live.codeOn(phone);
  const statuses = await together('/otp/verify', Array(100).fill({ phone, code }));
  assert.deepEqual(countOf(statuses), { 200: 1, 422: 99 });
});

test('a hundred wrong guesses at once are five, and then even the right code is refused', async () => {
  const phone = '+77014000003';
  await live.send(phone);
  const code = await live.codeOn(phone);
  const wrong = code === '111111' ? '222222' : '111111';
  const statuses = await together('/otp/verify', Array(100).fill({ phone, code: wrong }));
  assert.deepEqual(countOf(statuses), { 422: 5, 429: 95 });
  assert.equal((await live.verify(phone, code)).body.error_code, 'too_many_attempts');
});

test('one Idempotency-Key fifty times at once is one send', async () => {
  const phone = '+77014000004';
  const header = { 'idempotency-key': 'once' };
  const answers = await Promise.all(Array.from({ length: 50 }, () => live.send(phone, {}, header)));
  const good = answers.filter(({ status }) => status === 200);
  assert(good.length >= 1);
  assert.equal(new Set(good.map(({ body }) => body.message_id)).size, 1);
  for (const { status } of answers) assert([200, 409].includes(status), String(status));
  assert.equal((await live.inbox(phone)).length, 1);
});

test('one alias asked for by fifty at once for different pages goes to one of them', async () => {
  const bodies = Array.from({ length: 50 }, (_, at) => ({
    url: `https://example.kz/${at}`,
    alias: 'wanted',
  }));
  assert.deepEqual(countOf(await together('/links/shorten', bodies)), { 200: 1, 422: 49 });
});

test('a client that hangs up right after its request still gets its code on the phone', async () => {
  const phone = '+77014000005';
  const { port } = running().facts;
  const body = JSON.stringify({ phone });
  const socket = connect({ port, host: 'localhost' });
  await once(socket, 'connect');
  const head = [
    'POST /api/otp/send HTTP/1.1',
    `Host: localhost:${port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  // The callback comes when the bytes have left; nobody stays to read the answer.
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  await once(socket, 'close');
  const code = await live.codeOn(phone);
  assert.equal((await live.send(phone)).status, 429, 'the minute counts');
  assert.equal((await live.verify(phone, code)).status, 200);
  await assertSound();
});

test('a client that hangs up in the middle of its request has sent nothing', async () => {
  const phone = '+77014000006';
  const { port } = running().facts;
  const socket = connect({ port, host: 'localhost' });
  await once(socket, 'connect');
  const head = `POST /api/otp/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  const rest = `Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"phone":"${phone}"`;
  socket.write(head + rest, () => socket.destroy());
  await once(socket, 'close');
  assert.equal((await live.send(phone)).status, 200);
  assert.equal((await live.inbox(phone)).length, 1);
});
