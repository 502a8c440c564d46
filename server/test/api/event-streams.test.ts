import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import {
  createEventStreams,
  type EventStream,
  type EventStreams,
  type StreamOwner,
  type StreamTimes,
} from '../../src/http/transport/event-stream.ts';
import type { CompanyId, PersonId } from '../../src/ids.ts';

/** Short heartbeats, so that many of them occur while an ended stream waits for its reader. */
const TIMES: StreamTimes = { heartbeatMs: 1, lastReadMs: 300 };
/** More than the socket buffers of the system can hold. */
const STUCK_BYTES = 256 * 1024;
const PIECE = 'x'.repeat(64 * 1024);
/** Far more than a stream may take to close. */
const LIMIT_MS = 5_000;

const OWNER: StreamOwner = {
  sessionId: 'ses_1',
  personId: 'usr_1' as PersonId,
  companyId: 1 as CompanyId,
  right: 'messages.see',
};

type Opened = { stream: EventStream; reply: FastifyReply };

let app: FastifyInstance;
let opened: Opened | undefined;
let streams: EventStreams;

before(async () => {
  app = Fastify({ forceCloseConnections: 'idle' });
  streams = createEventStreams(app, TIMES);
  app.get('/events', (request, reply) => {
    opened = { stream: streams.open(request, reply), reply };
  });
  app.get('/events-for-nobody', async (request, reply) => {
    await once(reply.raw, 'close');
    opened = { stream: streams.open(request, reply, OWNER), reply };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

/** Sends a request for a stream. */
function request(path: string): Socket {
  const reader = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  reader.on('error', () => undefined);
  after(() => reader.destroy());
  reader.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return reader;
}

/** Opens a stream whose reader has stopped reading while more data is pending than buffers hold. */
async function openStalledStream(): Promise<Opened & { reader: Socket }> {
  opened = undefined;
  const reader = request('/events');
  await once(reader, 'readable');
  reader.pause();
  assert(opened !== undefined);
  const { stream, reply } = opened as Opened;
  while (reply.raw.writableLength < STUCK_BYTES) {
    stream.send('piece', { PIECE });
    await nextTurn();
  }
  return { stream, reply, reader };
}

test('an ended stream is closed even when its reader has stopped reading', {
  timeout: LIMIT_MS,
}, async () => {
  const { stream, reply } = await openStalledStream();
  const closed = once(reply.raw, 'close');
  stream.end();
  stream.send('after the end', {});
  await closed;
  assert(!reply.raw.writableFinished, 'the reader received everything');
});

test('a stream for a page that has already left ends at once, and counts for nobody', {
  timeout: LIMIT_MS,
}, async () => {
  opened = undefined;
  const reader = request('/events-for-nobody');
  await once(app.server, 'request');
  reader.destroy();
  while (opened === undefined) await nextTurn();
  const { stream } = opened as Opened;
  assert.deepEqual(streams.owners(), []);
  let endings = 0;
  stream.onEnd(() => {
    endings += 1;
  });
  assert.equal(endings, 1);
});

test('a shutdown does not wait for a reader that has stopped reading', {
  timeout: LIMIT_MS,
}, async () => {
  await openStalledStream();
  await app.close();
  const { promise, resolve } = Promise.withResolvers<number>();
  app.server.getConnections((_error, count) => resolve(count));
  assert.equal(await promise, 0);
});
