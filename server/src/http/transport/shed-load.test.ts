import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { countCalls, shedLoad } from './shed-load.ts';

test('a call whose client leaves before the answer is not under way any more', async (t) => {
  const activity = { underWay: 0, answered: 0 };
  const app = fastify();
  t.after(() => app.close());
  countCalls(app, activity);
  const handled = Promise.withResolvers<{ closed: Promise<unknown> }>();
  app.get('/', (_request, reply) => {
    handled.resolve({ closed: once(reply.raw, 'close') });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const { closed } = await handled.promise;
  assert.deepEqual(activity, { underWay: 1, answered: 0 });
  socket.destroy();
  await closed;
  assert.deepEqual(activity, { underWay: 0, answered: 1 });
});

test('under overload the status page is shown, and other pages are refused', async () => {
  const handled: string[] = [];
  const refused: string[] = [];
  const handle = shedLoad(({ url }) => void handled.push(url ?? ''), {
    activity: () => ({ underWay: 1_000_000, answered: 0 }),
    isShortLink: () => false,
    refusalOf: ({ url }) => {
      refused.push(url ?? '');
      return { status: 503, headers: {}, body: { request_id: 'x' } } as never;
    },
  });
  const ended = Promise.withResolvers<void>();
  const response = { writeHead: () => undefined, end: () => ended.resolve() };
  const shown = ['/status', '/status?lang=kk', '/status/summary.json'];
  const others = ['/statuses', '/app', '/api/otp/send'];
  for (const url of [...shown, ...others]) handle({ url } as IncomingMessage, response as never);
  await ended.promise;
  assert.deepEqual([handled, refused], [shown, others]);
});
