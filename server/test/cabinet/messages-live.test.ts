import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import type { MessageFilter } from '@zhiber/contract/cabinet/messages.ts';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import Fastify, { type FastifyRequest } from 'fastify';
import type { Database } from '../../src/db/database.ts';
import { toQuery } from '../../src/history/list/message-query.ts';
import { followMessages } from '../../src/http/cabinet/resources/live-messages.ts';
import { createEventStreams, type EventStream } from '../../src/http/streams/event-stream.ts';
import { lowestIdAt } from '../../src/ids.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { explained } from './explained.ts';
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

/** Pages of a company that listen, without a socket each; what each was told last is gathered. */
async function follow(
  db: Database,
  { companyId }: TestKey,
  lists: readonly { filter?: MessageFilter; secondsAgo: number }[],
  checkMs = 200,
) {
  const { cookie } = await cabinet.person({ companyId, role: 'owner' });
  const request = { headers: { cookie } } as FastifyRequest;
  const people = service.people;
  const now = Date.now();
  const told = lists.map(() => 0);
  const ends: (() => void)[] = [];
  for (const [i, { filter = {}, secondsAgo }] of lists.entries()) {
    const stream: EventStream = {
      send(_event, content) {
        told[i] = (content as { count: number }).count;
      },
      onEnd: (work) => void ends.push(work),
      end: () => undefined,
    };
    const after = lowestIdAt(now - secondsAgo * 1_000);
    const following = { request, companyId, query: toQuery(filter, new Date()), after };
    const pace = { lookMs: 20, checkMs };
    followMessages({ ctx: { ...service.ctx, db }, people }, stream, following, pace);
  }
  const leave = () => {
    for (const end of ends.splice(0)) end();
  };
  return { told, leave };
}

/** So many messages of some seconds ago. */
const insertNews = (key: TestKey, count: number, secondsAgo: number) =>
  insertPast(service.sql, {
    ...key,
    count,
    fromHours: secondsAgo / 3_600,
    toHours: (secondsAgo - 1) / 3_600,
    columns: { recipient: `77030000000 + n + ${secondsAgo} * 10000` },
  });

test('however many pages listen, the messages of a company are read once for all of them', async () => {
  const key = await service.key();
  await insertNews(key, 30, 5);
  let statements = 0;
  const query: Database['query'] = async (text, values, name) => {
    statements += 1;
    return await service.ctx.db.query(text, values, name);
  };
  const lists = Array.from({ length: 40 }, (_, i) => ({
    filter: i % 2 === 0 ? {} : { channel: ['telegram' as const] },
    secondsAgo: i % 4 < 2 ? 10 : 0,
  }));
  const pages = await follow({ ...service.ctx.db, query }, key, lists);
  await until('news', async () => pages.told.filter((count) => count === 30).length === 10);
  pages.leave();
  assert(statements < lists.length, `${statements} statements for ${lists.length} pages`);
  assert.deepEqual(
    pages.told,
    lists.map((_, i) => (i % 4 === 0 ? 30 : 0)),
  );
});

test('what a page was told of and does not change any more is not read again', async () => {
  const key = await service.key();
  await insertNews(key, 90, 100);
  const { db, largest } = explained(service.ctx.db);
  let statements = 0;
  const query: Database['query'] = async (text, values, name) => {
    statements += 1;
    return await db.query(text, values, name);
  };
  const pages = await follow({ ...db, query }, key, [{ secondsAgo: 110 }], 60_000);
  await until('news', async () => pages.told[0] === 90);
  statements = 0;
  largest.rowsUsed = 0;
  await until('some more looks', async () => statements > 5);
  pages.leave();
  assert.equal(largest.rowsUsed, 0);
});

test('a page hears of messages that came, changed, or changed late', async () => {
  const key = await service.key();
  await insertNews(key, 3, 10);
  await insertNews(key, 4, 90);
  const pages = await follow({ ...service.ctx.db }, key, [
    { secondsAgo: 120 },
    { secondsAgo: 120, filter: { state: ['failed'] } },
    { secondsAgo: 20 },
  ]);
  const isTold = (...counts: number[]) =>
    until(`news of ${counts}`, async () => String(pages.told) === String(counts));
  await isTold(7, 0, 3);
  const fail = (from: number, to: number) =>
    service.sql(
      `update message set receipt = 'failed' where company_id = $1 and id >= $2 and id < $3`,
      [key.companyId, lowestIdAt(Date.now() - from * 1_000), lowestIdAt(Date.now() - to * 1_000)],
    );
  await fail(30, 0);
  await isTold(7, 3, 3);
  await fail(120, 60);
  await isTold(7, 7, 3);
  await insertNews(key, 200, 1);
  await isTold(100, 7, 100);
  pages.leave();
});
