/** What only the client for Node offers: signals, another fetch, types. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  ConnectionFailedError,
  type WebhookEvent,
  Zhiber,
  ZhiberError,
} from '../node/src/zhiber.ts';
import { startAnsweringServer } from './answering-server.ts';

const KEY = 'zk_test_secret';

test('a signal ends a call that is under way, and one that waits for its retry', async () => {
  const server = await startAnsweringServer();
  const waiting = { status: 503, headers: { 'retry-after': '9' }, body: { success: false } };
  for (const answer of ['hang', waiting] as const) {
    const { baseUrl, seen } = server.prepare('case', [answer]);
    const zhiber = new Zhiber({ apiKey: KEY, baseUrl });
    const controller = new AbortController();
    const call = zhiber.otp.send({ phone: '+77011234567' }, { signal: controller.signal });
    while (seen.length === 0) await new Promise(setImmediate);
    controller.abort(new Error('the person has left'));
    await assert.rejects(call, { message: 'the person has left' });
    assert.equal(seen.length, 1);
  }
  const ended = AbortSignal.abort(new Error('before it began'));
  const { baseUrl, seen } = server.prepare('case', ['hang']);
  const zhiber = new Zhiber({ apiKey: KEY, baseUrl });
  await assert.rejects(zhiber.health({ signal: ended }), { message: 'before it began' });
  assert.equal(seen.length, 0);
  await server.close();
});

test('another fetch is used, and its failure is the cause', async () => {
  const cause = new Error('no proxy');
  const zhiber = new Zhiber({
    apiKey: KEY,
    baseUrl: 'https://zhiber.kz/api',
    retriesMax: 0,
    fetch: () => Promise.reject(cause),
  });
  await assert.rejects(zhiber.health(), (error) => {
    assert(error instanceof ConnectionFailedError && error instanceof ZhiberError);
    assert.equal(error.cause, cause);
    return true;
  });
});

test('a client that is logged does not show its key', () => {
  const zhiber = new Zhiber({ apiKey: KEY, baseUrl: 'https://zhiber.kz/api' });
  assert(!inspect(zhiber, { depth: 9, showHidden: true }).includes(KEY));
  assert(!JSON.stringify(zhiber).includes(KEY));
});

test('requests, answers, codes and events are typed', () => {
  const zhiber = new Zhiber({ apiKey: KEY, baseUrl: 'https://zhiber.kz/api' });
  const _typed = async (event: WebhookEvent, purpose: string | undefined) => {
    const sent = await zhiber.otp.send({ phone: '+77011234567', purpose });
    const seconds: number = sent.expiresIn;
    const shortUrl: string | undefined = sent.shortUrl;
    // @ts-expect-error: there is no such channel.
    await zhiber.otp.send({ phone: '+77011234567', channel: 'pigeon' });
    // @ts-expect-error: the channel is required here.
    await zhiber.links.send({ phone: '+77011234567', url: 'https://example.kz' });
    // @ts-expect-error: a code is a string; a number loses its leading zeros.
    await zhiber.otp.verify({ phone: '+77011234567', code: 12345 });
    if (event.type === 'message.delivered') {
      const id: string = event.data.messageId;
      return [seconds, shortUrl, id];
    }
    return [];
  };
  assert.equal(typeof _typed, 'function');
});
