import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import type { MessageFilter } from '@zhiber/contract/cabinet/messages.ts';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import Fastify from 'fastify';
import type { Database } from '../../src/db/database.ts';
import { followMessages } from '../../src/http/cabinet/live-messages.ts';
import { createEventStreams, type EventStream } from '../../src/http/transport/event-stream.ts';
import { lowestIdAt } from '../../src/ids.ts';
import { createMessageFeeds } from '../../src/messages/message-feeds.ts';
import { toQuery } from '../../src/messages/message-query.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { explainQueries } from './explain-queries.ts';
import { insertPastMessages } from './past-messages.ts';

const service = useService();
const cabinet = createCabinetClient(service);

/** Makes the service listen on the first call, and returns the port and path of the stream. */
async function openListener() {
  if (!service.http.server.listening) await service.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.http.server.address() as AddressInfo;
  return { port, path: '/cabinet/messages/live' };
}

/** Opens a stream as a page and collects the text it receives. */
async function listen(cookie: string, query = '', target?: { port: number; path: string }) {
  const { port, path } = target ?? (await openListener());
  const socket = connect(port, '127.0.0.1');
  const received = { text: '', isClosed: false };
  socket.on('data', (bytes) => {
    received.text += bytes;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    received.isClosed = true;
  });
  socket.write(`GET ${path}${query} HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`);
  await once(socket, 'data');
  return { received, leave: () => socket.destroy() };
}

test('a page receives the number of messages newer than those it shows', async () => {
  const key = await service.key();
  const owner = await cabinet.person({ companyId: key.companyId, role: 'owner' });
  const page = await listen(owner.cookie, '?channel=sms');
  assert.match(page.received.text, /^HTTP\/1\.1 200 [\s\S]*text\/event-stream/);
  // The times lie in the future: ids from the millisecond in which the page opened would not count.
  await insertPastMessages(service.sql, { ...key, count: 3, fromHours: -0.001, toHours: -0.002 });
  await insertPastMessages(service.sql, {
    ...key,
    count: 2,
    fromHours: -0.003,
    toHours: -0.004,
    columns: { channel: `'whatsapp'`, recipient: '77020000000 + n' },
  });
  await until('the event arrives', async () => page.received.text.includes('event: new'));
  assert.match(page.received.text, /event: new\ndata: \{"count":3\}\n\n/);
  page.leave();
});

test('a session has at most five streams, and closing one allows another', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  const pages = [];
  for (let i = 0; i < 5; i++) pages.push(await listen(owner.cookie));
  (await cabinet.as(owner).call(M.liveMessages)).refused('too_many_streams');
  pages[0]?.leave();
  await until('a new stream is accepted', async () => {
    const page = await listen(owner.cookie);
    page.leave();
    return page.received.text.startsWith('HTTP/1.1 200');
  });
  for (const page of pages) page.leave();
});

test('a stream requires a session and a valid start id', async () => {
  (await cabinet.call(M.liveMessages)).refused('not_signed_in');
  const owner = await cabinet.person({ role: 'owner' });
  const query = { after: "x' or 1=1" };
  (await cabinet.as(owner).call(M.liveMessages, { query })).refused('validation_error');
});

test('a stream ends with its session, and those of others go on', async () => {
  const owner = await cabinet.person({ role: 'owner' });
  const other = await listen((await cabinet.person(owner as never)).cookie);
  const page = await listen(owner.cookie);
  (await cabinet.as(owner).call(S.signOut)).ok();
  await until('the stream of the ended session ends', async () => page.received.isClosed);
  assert(!other.received.isClosed);
  other.leave();
});

test('a stream ends at a shutdown', async () => {
  const { companyId } = await service.key();
  const app = Fastify();
  const streams = createEventStreams(app);
  const feeds = createMessageFeeds(service.ctx, 10);
  app.get('/live', (request, reply) => {
    const query = toQuery({}, new Date());
    const following = { companyId, query, after: lowestIdAt(Date.now()) };
    followMessages(feeds, streams.open(request, reply), following, 50);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const target = { port: (app.server.address() as AddressInfo).port, path: '/live' };
  const page = await listen('', '', target);
  const closing = app.close();
  await until('the stream ends', async () => page.received.isClosed);
  await closing;
});

/** Follows messages as several pages, without sockets; records the last count sent to each. */
function follow(
  db: Database,
  { companyId }: TestKey,
  lists: readonly { filter?: MessageFilter; secondsAgo: number }[],
  recountMs = 200,
) {
  const feeds = createMessageFeeds({ ...service.ctx, db }, 20);
  const now = Date.now();
  const lastCounts = lists.map(() => 0);
  const ends: (() => void)[] = [];
  for (const [i, { filter = {}, secondsAgo }] of lists.entries()) {
    const stream: EventStream = {
      send(_event, content) {
        lastCounts[i] = (content as { count: number }).count;
      },
      onEnd: (work) => void ends.push(work),
      end: () => undefined,
    };
    const after = lowestIdAt(now - secondsAgo * 1_000);
    const following = { companyId, query: toQuery(filter, new Date()), after };
    followMessages(feeds, stream, following, recountMs);
  }
  const leave = () => {
    for (const end of ends.splice(0)) end();
  };
  return { lastCounts, leave };
}

/** Inserts messages that are `secondsAgo` old. */
const insertRecent = (key: TestKey, count: number, secondsAgo: number) =>
  insertPastMessages(service.sql, {
    ...key,
    count,
    fromHours: secondsAgo / 3_600,
    toHours: (secondsAgo - 1) / 3_600,
    columns: { recipient: `77030000000 + n + ${secondsAgo} * 10000` },
  });

test('the messages of a company are read once for all listening pages', async () => {
  const key = await service.key();
  await insertRecent(key, 30, 5);
  let statements = 0;
  const query: Database['query'] = async (text, values, name) => {
    statements += 1;
    return await service.ctx.db.query(text, values, name);
  };
  const lists = Array.from({ length: 40 }, (_, i) => ({
    filter: i % 2 === 0 ? {} : { channel: ['telegram' as const] },
    secondsAgo: i % 4 < 2 ? 10 : 0,
  }));
  const pages = follow({ ...service.ctx.db, query }, key, lists);
  await until(
    'the event arrives',
    async () => pages.lastCounts.filter((count) => count === 30).length === 10,
  );
  pages.leave();
  assert(statements < lists.length, `${statements} statements for ${lists.length} pages`);
  assert.deepEqual(
    pages.lastCounts,
    lists.map((_, i) => (i % 4 === 0 ? 30 : 0)),
  );
});

test('old messages that were already reported are not read again', async () => {
  const key = await service.key();
  await insertRecent(key, 90, 100);
  const { db, largest } = explainQueries(service.ctx.db);
  let statements = 0;
  const query: Database['query'] = async (text, values, name) => {
    statements += 1;
    return await db.query(text, values, name);
  };
  const pages = follow({ ...db, query }, key, [{ secondsAgo: 110 }], 60_000);
  await until('the event arrives', async () => pages.lastCounts[0] === 90);
  statements = 0;
  largest.rowsUsed = 0;
  await until('the feed has polled again', async () => statements > 5);
  pages.leave();
  assert.equal(largest.rowsUsed, 0);
});

test('a page receives counts of new, changed and late-changed messages', async () => {
  const key = await service.key();
  await insertRecent(key, 3, 10);
  await insertRecent(key, 4, 90);
  const pages = follow({ ...service.ctx.db }, key, [
    { secondsAgo: 120 },
    { secondsAgo: 120, filter: { state: ['failed'] } },
    { secondsAgo: 20 },
  ]);
  const waitForCounts = (...counts: number[]) =>
    until(`counts ${counts}`, async () => String(pages.lastCounts) === String(counts));
  await waitForCounts(7, 0, 3);
  const fail = (from: number, to: number) =>
    service.sql(
      `update message set receipt = 'failed' where company_id = $1 and id >= $2 and id < $3`,
      [key.companyId, lowestIdAt(Date.now() - from * 1_000), lowestIdAt(Date.now() - to * 1_000)],
    );
  await fail(30, 0);
  await waitForCounts(7, 3, 3);
  await fail(120, 60);
  await waitForCounts(7, 7, 3);
  await insertRecent(key, 200, 1);
  await waitForCounts(100, 7, 100);
  pages.leave();
});
