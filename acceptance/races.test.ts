import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { eventually, integrator } from './integrator.ts';
import { useServer } from './started-server.ts';

const { running, zhiber } = useServer(async () => {
  const { company_id } = await zhiber('company', 'create', '--name', 'Гонки');
  await zhiber('topup', '--company', String(company_id), '--amount', '1000');
  const made = await zhiber('key', 'create', '--company', String(company_id), '--name', 'ключ');
  key = String(made.key);
  live = integrator(running().facts.urls.site, key);
  const test = ['--company', String(company_id), '--name', 'тест', '--test'];
  freeKey = String((await zhiber('key', 'create', ...test)).key);
  free = integrator(running().facts.urls.site, freeKey);
});

let key: string;
let live: ReturnType<typeof integrator>;
let freeKey: string;
let free: ReturnType<typeof integrator>;

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

test('a client that hangs up while its code is being sent gets it all the same, once', async () => {
  // Four seconds: WhatsApp hangs, then Telegram answers.
  const phone = '+77000000007';
  const socket = await posting(freeKey, { phone }, 'hung-up');
  await hasBeenRead();
  const again = () => free.send(phone, {}, { 'idempotency-key': 'hung-up' });
  await eventually(again, ({ status }) => status === 409);
  socket.destroy();
  const code = await free.codeOn(phone);
  const recorded = await eventually(again, ({ status }) => status !== 409);
  assert.equal(recorded.headers.get('idempotent-replayed'), 'true');
  assert.equal((await free.inbox(phone)).length, 1);
  assert.equal((await free.verify(phone, code)).status, 200);
});

test('a client that hangs up right after its request has sent a code or nothing, never half', async () => {
  const first = await live.send('+77014000005');
  const phones = Array.from({ length: 20 }, (_, at) => `+770140001${String(at).padStart(2, '0')}`);
  await Promise.all(phones.map(async (phone) => (await posting(key, { phone })).destroy()));
  for (const phone of phones) {
    const second = await live.send(phone);
    assert([200, 429].includes(second.status), String(second.status));
    const code = await live.codeOn(phone);
    assert.equal((await live.inbox(phone)).length, 1);
    assert.equal((await live.verify(phone, code)).status, 200);
  }
  const last = await live.send('+77014000006');
  assert.equal(last.body.balance, Number(first.body.balance) - 3 * (phones.length + 1));
  await assertSound();
});

test('a client that hangs up in the middle of its request has sent nothing', async () => {
  const phone = '+77014000007';
  const socket = await posting(key, { phone }, undefined, 500);
  socket.destroy();
  assert.equal((await live.send(phone)).status, 200);
  assert.equal((await live.inbox(phone)).length, 1);
});

/**
 * Bytes that left earlier are read no later than those of a call that was answered since; a new
 * connection takes a turn more to be taken up.
 */
async function hasBeenRead(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await fetch(`${running().facts.urls.api}/health`);
}

/** Sends a request by hand, and resolves when its bytes have left; the caller holds the line. */
async function posting(
  withKey: string,
  content: object,
  idempotencyKey?: string,
  length?: number,
): Promise<Socket> {
  const { port } = running().facts;
  const body = JSON.stringify(content);
  const head = [
    'POST /api/otp/send HTTP/1.1',
    `Host: localhost:${port}`,
    `Authorization: Bearer ${withKey}`,
    'Content-Type: application/json',
    `Content-Length: ${length ?? Buffer.byteLength(body)}`,
    ...(idempotencyKey === undefined ? [] : [`Idempotency-Key: ${idempotencyKey}`]),
  ];
  const socket = connect({ port, host: 'localhost' });
  await once(socket, 'connect');
  await new Promise<void>((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => resolve());
  });
  return socket;
}
