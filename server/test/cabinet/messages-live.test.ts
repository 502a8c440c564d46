import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import Fastify from 'fastify';
import { toQuery } from '../../src/history/list/message-query.ts';
import { followMessages } from '../../src/http/cabinet/resources/live-messages.ts';
import { createEventStreams } from '../../src/http/streams/event-stream.ts';
import { lowestIdAt } from '../../src/ids.ts';
import { until, useService } from '../harness.ts';
import { insertPast } from './past.ts';
import { signedIn } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);

/** Where the service listens, from the first time that somebody asks. */
async function address() {
  if (!service.http.server.listening) await service.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.http.server.address() as AddressInfo;
  return { port, path: '/cabinet/messages/live' };
}

/** A page that listens; what it hears is gathered. */
async function listen(cookie: string, query = '', place?: { port: number; path: string }) {
  const at = place ?? (await address());
  const socket = connect(at.port, '127.0.0.1');
  const heard = { text: '', isOver: false };
  socket.on('data', (bytes) => {
    heard.text += bytes;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    heard.isOver = true;
  });
  socket.write(`GET ${at.path}${query} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  await once(socket, 'data');
  return { heard, leave: () => socket.destroy() };
}

test('a page hears how many messages there are past the newest it shows', async () => {
  const key = await service.key();
  const owner = await cabinet.person({ companyId: key.companyId, role: 'owner' });
  const page = await listen(owner.cookie, '?channel=sms');
  assert.match(page.heard.text, /^HTTP\/1\.1 200 [\s\S]*text\/event-stream/);
  // A clock that stands still would make ids of the very millisecond in which the page began.
  await insertPast(service.sql, { ...key, count: 3, fromHours: -0.001, toHours: -0.002 });
  await insertPast(service.sql, {
    ...key,
    count: 2,
    fromHours: -0.003,
    toHours: -0.004,
    columns: { channel: `'whatsapp'`, recipient: '77020000000 + n' },
  });
  await until('news', async () => page.heard.text.includes('event: new'));
  assert.match(page.heard.text, /event: new\ndata: \{"count":3\}\n\n/);
  page.leave();
});

test('a session has five streams at most, and one that was left makes room', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  const pages = [];
  for (let i = 0; i < 5; i++) pages.push(await listen(owner.cookie));
  (await cabinet.as(owner).call(M.liveMessages)).refused('too_many_streams');
  pages[0]?.leave();
  await until('there is room', async () => {
    const page = await listen(owner.cookie);
    page.leave();
    return page.heard.text.startsWith('HTTP/1.1 200');
  });
  for (const page of pages) page.leave();
});

test('a stream is for members, and takes no odd place to begin', async () => {
  (await cabinet.call(M.liveMessages)).refused('not_signed_in');
  const owner = await cabinet.person({ role: 'owner' });
  const query = { after: "x' or 1=1" };
  (await cabinet.as(owner).call(M.liveMessages, { query })).refused('validation_error');
});

test('a stream ends with its session, and with the server', async (t) => {
  const owner = await cabinet.person({ role: 'owner' });
  const { ctx, people } = service;
  const app = Fastify();
  const streams = createEventStreams(app);
  app.get('/live', (request, reply) => {
    const following = {
      request,
      companyId: owner.companyId as NonNullable<typeof owner.companyId>,
      query: toQuery({}, new Date()),
      after: lowestIdAt(Date.now()),
    };
    const pace = { lookMs: 10, checkMs: 50 };
    followMessages({ ctx, people }, streams.open(request, reply), following, pace);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const at = { port: (app.server.address() as AddressInfo).port, path: '/live' };
  const stays = await listen((await cabinet.person(owner as never)).cookie, '', at);
  const page = await listen(owner.cookie, '', at);
  t.after(async () => {
    for (const { leave } of [stays, page]) leave();
    await app.close();
  });
  (await cabinet.as(owner).call(S.signOut)).ok();
  await until('the stream of a session that is over ends', async () =>
    page.heard.text.endsWith('0\r\n\r\n'),
  );
  assert(!stays.heard.text.endsWith('0\r\n\r\n'));
  const closing = app.close();
  await until('the others end with the server', async () => stays.heard.isOver);
  await closing;
});
