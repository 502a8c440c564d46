import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { ChannelAdapter } from '../../src/channels/channel.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import { markKeyRevoked } from '../../src/keys/key-store.ts';
import { newKeyText } from '../../src/keys/key-text.ts';
import { checkAnswer } from '../check-answer.ts';
import { type TestKey, useService } from '../harness.ts';

const service = useService();
type Shown = Record<string, unknown> & { phone: string; at: string; code: string | null };

async function callInbox(
  key: string | undefined,
  query: Record<string, string> = {},
  { method = 'GET', on = service }: { method?: 'GET' | 'DELETE'; on?: typeof service } = {},
) {
  const response = await on.http.inject({
    method,
    url: '/sandbox/messages',
    query,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  const body = response.json() as { messages: Shown[]; error_code?: ErrorCode; success: boolean };
  const { statusCode: status, headers } = response;
  checkAnswer({ path: '/sandbox/messages', method, status, body, headers });
  return { status, body };
}

async function send(key: TestKey, phone: string): Promise<string> {
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.status, 200);
  return String(sent.body.message_id);
}

describe('the sandbox inbox shows messages', () => {
  test('with a code', async () => {
    const key = await service.key({ isTest: true });
    const phone = service.phone();
    const messageId = await send(key, phone);
    const { status, body } = await callInbox(key.key, { phone });
    assert.equal(status, 200);
    assert.equal(body.success, true);
    const [message, ...others] = body.messages;
    assert.deepEqual(others, []);
    const fields = ['at', 'channel', 'code', 'kind', 'link', 'message_id', 'phone', 'text'];
    assert.deepEqual(Object.keys(message ?? {}).sort(), fields);
    assert.equal(message?.message_id, messageId);
    assert.equal(message?.phone, phone);
    assert.equal(message?.channel, 'whatsapp');
    assert.equal(message?.kind, 'otp');
    assert(String(message?.text).includes(String(message?.code)));
    assert.equal(message?.link, null);
    assert(Date.now() - new Date(String(message?.at)).getTime() < 60_000);
    const verified = await service.call('/otp/verify', { phone, code: message?.code }, key);
    assert.equal(verified.status, 200);
  });

  test('with a link and of a group', async () => {
    const key = await service.key({ isTest: true });
    const body = { phone: service.phone(), url: 'https://example.kz', channel: 'sms' };
    const sent = await service.call('/links/send', body, key);
    const { companyId } = key;
    const group = { companyId, channel: 'telegram', name: 'Г', chatId: '-77' } as const;
    await insertGroup(service.ctx.db, group);
    await service.call('/group/send', { group: 'Г', text: 'Привет' }, key);
    const { messages } = (await callInbox(key.key)).body;
    assert.deepEqual(
      messages.map(({ kind, phone, link, code }) => ({ kind, phone, link, code })),
      [
        { kind: 'link', phone: body.phone, link: sent.body.short_url, code: null },
        { kind: 'group', phone: '-77', link: null, code: null },
      ],
    );
  });

  test('newest last, of all phones or of one in any spelling', async () => {
    const key = await service.key();
    const phones = [service.phone(), service.phone(), service.phone()];
    for (const phone of phones) await send(key, phone);
    const all = (await callInbox(key.key)).body.messages;
    assert.deepEqual(
      all.map((message) => message.phone),
      phones,
    );
    const second = phones[1] as string;
    for (const phone of [second, `8${second.slice(2)}`, ` ${second.slice(1)}`]) {
      const { messages } = (await callInbox(key.key, { phone })).body;
      assert.deepEqual(
        messages.map((message) => message.phone),
        [second],
      );
    }
  });

  test('only to the key that sent it', async () => {
    const key = await service.key();
    const sister = await service.key({ companyId: key.companyId });
    const phone = service.phone();
    await send(key, phone);
    assert.deepEqual((await callInbox(sister.key, { phone })).body.messages, []);
    assert.equal((await callInbox(key.key, { phone })).body.messages.length, 1);
  });

  test('newer than a given time', async () => {
    const key = await service.key({ isTest: true });
    const phone = service.phone();
    await send(key, phone);
    const [first] = (await callInbox(key.key, { phone })).body.messages;
    assert(first);
    assert.deepEqual((await callInbox(key.key, { phone, since: first.at })).body.messages, []);
    const earlier = new Date(new Date(first.at).getTime() - 1).toISOString();
    assert.equal((await callInbox(key.key, { phone, since: earlier })).body.messages.length, 1);
  });
});

/** Tells whether an answer came before the requested wait time had passed. */
function startWait(seconds: number) {
  const endMs = performance.now() + seconds * 1_000;
  return { isTimeLeft: () => performance.now() < endMs };
}

describe('waiting for a message', () => {
  test('ends as soon as the message arrives', async () => {
    const address = await service.http.listen({ port: 0, host: '127.0.0.1' });
    const key = await service.key();
    const phone = service.phone();
    const wait = startWait(30);
    const waiting = fetch(
      `${address}/sandbox/messages?phone=${encodeURIComponent(phone)}&wait=30`,
      { headers: { authorization: `Bearer ${key.key}` } },
    );
    // A message to another phone does not end the wait.
    await send(key, service.phone());
    await send(key, phone);
    const body = (await (await waiting).json()) as { messages: Shown[] };
    assert.equal(body.messages.length, 1);
    assert.equal(body.messages[0]?.phone, phone);
    assert(wait.isTimeLeft());
  });

  test('ends with an empty list after the given time', async () => {
    const key = await service.key();
    const startedAt = performance.now();
    const { status, body } = await callInbox(key.key, { phone: service.phone(), wait: '1' });
    assert.equal(status, 200);
    assert.deepEqual(body.messages, []);
    assert(performance.now() - startedAt >= 990);
  });

  test('ends at once when a message is already there', async () => {
    const key = await service.key();
    const phone = service.phone();
    await send(key, phone);
    const wait = startWait(30);
    assert.equal((await callInbox(key.key, { phone, wait: '30' })).body.messages.length, 1);
    assert(wait.isTimeLeft());
  });
});

describe('clearing the inbox', () => {
  test('removes only the messages that match the query', async () => {
    const key = await service.key();
    const other = await service.key();
    const [one, two] = [service.phone(), service.phone()];
    for (const phone of [one, two]) await send(key, phone);
    await send(other, one);
    const cleared = await callInbox(key.key, { phone: one }, { method: 'DELETE' });
    assert.equal(cleared.status, 200);
    assert.equal(cleared.body.success, true);
    assert.deepEqual((await callInbox(key.key, { phone: one })).body.messages, []);
    assert.equal((await callInbox(key.key)).body.messages.length, 1);
    assert.equal((await callInbox(other.key)).body.messages.length, 1);
    await callInbox(key.key, {}, { method: 'DELETE' });
    assert.deepEqual((await callInbox(key.key)).body.messages, []);
  });
});

describe('the inbox refuses', () => {
  const queries: Record<string, { query: Record<string, string>; code: string }> = {
    'an invalid phone': { query: { phone: 'x' }, code: 'invalid_phone' },
    'an invalid time': { query: { since: 'yesterday' }, code: 'validation_error' },
    'a wait that is not a number': { query: { wait: 'long' }, code: 'validation_error' },
    'a wait too long': { query: { wait: '31' }, code: 'validation_error' },
    'a negative wait': { query: { wait: '-1' }, code: 'validation_error' },
  };
  for (const [name, { query, code }] of Object.entries(queries)) {
    test(name, async () => {
      const { status, body } = await callInbox((await service.key()).key, query);
      assert.equal(status, 422);
      assert.equal(body.error_code, code);
    });
  }

  test('a key that is missing, unknown or revoked', async () => {
    assert.equal((await callInbox(undefined)).body.error_code, 'missing_api_key');
    assert.equal((await callInbox(newKeyText(true))).body.error_code, 'invalid_api_key');
    const key = await service.key();
    await markKeyRevoked(service.ctx.db, key);
    assert.equal((await callInbox(key.key)).body.error_code, 'key_revoked');
  });
});

describe('with a provider configured', () => {
  const sms: ChannelAdapter = {
    name: 'edge',
    carries: new Set(['code', 'text'] as const),
    send: async () => ({ result: 'accepted', providerId: 'p' }),
  };
  const live = useService({ providers: { sms } });

  test('there is no inbox for a live key, and one for a test key', async () => {
    const key = await live.key();
    const phone = live.phone();
    await live.call('/otp/send', { phone }, key);
    for (const method of ['GET', 'DELETE'] as const) {
      const refused = await callInbox(key.key, { phone }, { method, on: live });
      assert.equal(refused.status, 404);
      assert.equal(refused.body.error_code, 'not_found');
    }
    const forTests = await live.key({ isTest: true });
    await live.call('/otp/send', { phone: live.phone() }, forTests);
    const { body } = await callInbox(forTests.key, {}, { on: live });
    assert.equal(body.messages.length, 1);
  });

  test('the page with the virtual phone is gone, and with it everything behind it', async () => {
    for (const url of ['/try', '/try/session', '/try/events']) {
      assert.equal((await live.http.inject({ url })).statusCode, 404, url);
      if (url === '/try') assert.notEqual((await service.http.inject({ url })).statusCode, 404);
    }
    assert.doesNotMatch((await live.http.inject({ url: '/' })).payload, /href="\/try/);
  });
});
