import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Context } from '../../context.ts';
import { allowLongBody, limitBodyTime } from './body-deadline.ts';

const ctx = { urls: { publicUrl: 'https://zhiber.kz' }, config: {} } as Context;

test('a body that does not come in time is refused; a file may take longer', async (t) => {
  const server = createServer(async (received, response) => {
    if (received.url === '/file') allowLongBody(received);
    response.end(await text(received).catch(() => ''));
  });
  limitBodyTime(server, ctx, 50);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const start = (path: string) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path, agent: false });
    sent.write('begun');
    return { sent, answer: once(sent, 'response') as Promise<[IncomingMessage]> };
  };

  const file = start('/file');
  await once(server, 'request');
  const slow = start('/slow');
  const [refusal] = await slow.answer;
  assert.equal(refusal.statusCode, 422);
  assert.equal(JSON.parse(await text(refusal)).error_code, 'validation_error');
  // It is older than the one that was refused, and still open.
  file.sent.end(' and ended');
  const [answer] = await file.answer;
  assert.equal(await text(answer), 'begun and ended');

  const quick = start('/quick');
  quick.sent.end();
  assert.equal((await quick.answer)[0].statusCode, 200);
});
