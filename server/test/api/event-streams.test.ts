import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import {
  createEventStreams,
  type EventStream,
  type StreamTimes,
} from '../../src/http/streams/event-stream.ts';

/** Many heartbeats come while an ended stream waits for its reader. */
const TIMES: StreamTimes = { heartbeatMs: 1, lastReadMs: 300 };
/** No buffer of the system is left that could still take this much. */
const STUCK_BYTES = 256 * 1024;
const PIECE = 'x'.repeat(64 * 1024);
/** Far more than a stream may take to end, and less than anybody would wait. */
const LIMIT_MS = 5_000;

type Opened = { stream: EventStream; reply: FastifyReply };

let app: FastifyInstance;
let opened: Opened | undefined;

before(async () => {
  app = Fastify({ forceCloseConnections: 'idle' });
  const streams = createEventStreams(app, TIMES);
  app.get('/events', (request, reply) => {
    opened = { stream: streams.open(request, reply), reply };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

/** A stream whose reader stopped reading, with more under way than the system keeps for it. */
async function stalled(): Promise<Opened & { reader: Socket }> {
  opened = undefined;
  const reader = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  reader.on('error', () => undefined);
  after(() => reader.destroy());
  reader.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n');
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

test('a stream that was ended is closed soon, though its reader has stopped reading', {
  timeout: LIMIT_MS,
}, async () => {
  const { stream, reply } = await stalled();
  const closed = once(reply.raw, 'close');
  stream.end();
  stream.send('after the end', {});
  await closed;
  assert(!reply.raw.writableFinished, 'the reader has read the rest after all');
});

test('a stop does not wait for a reader that has stopped reading', {
  timeout: LIMIT_MS,
}, async () => {
  await stalled();
  await app.close();
  const { promise, resolve } = Promise.withResolvers<number>();
  app.server.getConnections((_error, count) => resolve(count));
  assert.equal(await promise, 0);
});
