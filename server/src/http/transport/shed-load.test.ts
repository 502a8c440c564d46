import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { countCalls } from './shed-load.ts';

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
