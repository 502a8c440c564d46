import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { type Operation, PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { markKeyRevoked } from '../../src/keys/key-store.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { signedIn, type TestPerson } from './signed-in.ts';

const service = useService();
const { person, as } = signedIn(service);
const { runOperation, phoneMessages, clearPhone } = PLAYGROUND_ENDPOINTS;

/** A developer, and a key of their company. */
async function desk(settings: Parameters<typeof service.key>[0] = { isTest: true }) {
  const key = await service.key(settings);
  const who = await person({ companyId: key.companyId, role: 'developer' });
  const run = (operation: Operation, body: Record<string, unknown>, keyId: number = key.keyId) =>
    as(who).call(runOperation, { body: { key_id: keyId, operation, body } });
  return { key, who, run };
}

const logOf = (key: TestKey) =>
  service.sql(
    'select path, status, error_code, phone, channel from request_log where key_id = $1',
    [key.keyId],
  );
const messagesFor = async (who: TestPerson, keyId: number) =>
  (await as(who).call(phoneMessages, { query: { key_id: keyId } })).ok().messages;

describe('a call from the playground', () => {
  test('sends a code that the virtual phone shows, and that verifies', async () => {
    const { key, who, run } = await desk();
    const phone = service.phone();
    const sent = (await run('otpSend', { phone })).ok();
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    assert.equal(sent.body.success, true);
    const [message] = await messagesFor(who, key.keyId);
    assert.deepEqual([message?.phone, message?.message_id], [phone, sent.body.message_id]);
    const verified = (await run('otpVerify', { phone, code: message?.code })).ok();
    assert.deepEqual(verified.body, { success: true, message: 'Код подтверждён' });
    // A call that became a message is looked up by it; the others are in the request log.
    await until('it is logged', async () => (await logOf(key)).length === 1);
    const [logged] = await logOf(key);
    assert.deepEqual([logged?.path, logged?.status], ['/api/otp/verify', 200]);
  });

  test('costs what it costs from outside', async () => {
    const { key, run } = await desk({ isTest: false, balance: 10 });
    const sent = (await run('otpSend', { phone: service.phone(), channel: 'sms' })).ok();
    assert.deepEqual([sent.body.cost, sent.body.balance], [8, 2]);
    assert.deepEqual(await service.balance(key.companyId), { balance: 2, held: 0 });
    const short = (await run('otpSend', { phone: service.phone(), channel: 'sms' })).ok();
    assert.deepEqual([short.status, short.body.error_code], [402, 'insufficient_tokens']);
  });

  test('is refused in the words of the API, body and all, and logged as refused', async () => {
    const { key, run } = await desk();
    for (const [operation, path, body] of [
      ['otpSend', '/otp/send', { phone: '123' }],
      ['otpSend', '/otp/send', {}],
      ['linkSend', '/links/send', { phone: service.phone(), url: 'x', channel: 'sms' }],
      ['linkShorten', '/links/shorten', { url: 'https://example.kz', alias: 'a b' }],
      ['groupSend', '/group/send', { group: 'нет такой', text: 'x' }],
    ] as [Operation, string, Record<string, unknown>][]) {
      const { status, body: answer, request_id } = (await run(operation, body)).ok();
      const { body: outside } = await service.call(path, body, key);
      assert.deepEqual({ ...answer, request_id: '' }, { ...outside, request_id: '' });
      assert.deepEqual([status, answer.request_id], [422, request_id]);
    }
    await until('all are logged', async () => (await logOf(key)).length === 10);
    const logged = await logOf(key);
    assert.deepEqual(new Set(logged.map(({ status }) => status)), new Set([422]));
  });

  test('is limited together with those from outside', async () => {
    const { key, run } = await desk({ isTest: true, ratePerMinute: 2 });
    const body = { url: 'https://example.kz' };
    assert.equal((await service.call('/links/shorten', body, key)).status, 200);
    assert.equal((await run('linkShorten', body)).ok().status, 200);
    const { status, body: answer } = (await run('linkShorten', body)).ok();
    assert.deepEqual([status, answer.error_code], [429, 'api_rate_limited']);
    assert.equal((await service.call('/links/shorten', body, key)).status, 429);
  });

  test('needs no domain, and a key that is active and the company’s own', async () => {
    const body = { url: 'https://example.kz' };
    const bound = await desk({ isTest: true, domain: 'shop.kz' });
    assert.equal((await bound.run('linkShorten', body)).ok().status, 200);
    const other = await service.key();
    (await bound.run('linkShorten', body, other.keyId)).refused('not_found');
    (await bound.run('linkShorten', body, 999_999)).refused('not_found');
    await markKeyRevoked(service.ctx.db, bound.key);
    (await bound.run('linkShorten', body)).refused('key_not_active');
    assert.deepEqual(await logOf(other), []);
  });

  test('is written down when it is in earnest', async () => {
    const { key, who, run } = await desk({ isTest: false });
    const testKey = await service.key({ companyId: key.companyId, isTest: true });
    await run('linkShorten', { url: 'https://example.kz' }, testKey.keyId);
    await run('linkShorten', { url: 'https://example.kz' });
    const deeds = await service.sql(
      'select action, object, person_id, after from audit_record where company_id = $1',
      [key.companyId],
    );
    const deed = { action: 'playground.sent', object: '/links/shorten', person_id: who.personId };
    assert.deepEqual(deeds, [{ ...deed, after: { key_id: key.keyId } }]);
  });
});

describe('the virtual phone', () => {
  test('shows and clears what came from one key alone', async () => {
    const { key, who, run } = await desk();
    const second = await service.key({ companyId: key.companyId, isTest: false });
    await run('otpSend', { phone: service.phone() });
    await run('otpSend', { phone: service.phone() }, second.keyId);
    assert.equal((await messagesFor(who, key.keyId)).length, 1);
    (await as(who).call(clearPhone, { query: { key_id: key.keyId } })).ok();
    assert.equal((await messagesFor(who, key.keyId)).length, 0);
    assert.equal((await messagesFor(who, second.keyId)).length, 1);
  });

  test('of a company is nobody else’s', async () => {
    const mine = await desk();
    const theirs = await desk();
    await theirs.run('otpSend', { phone: service.phone() });
    const query = { key_id: theirs.key.keyId };
    for (const endpoint of Object.values(PLAYGROUND_ENDPOINTS).slice(1)) {
      (await as(mine.who).call(endpoint, { query })).refused('not_found');
    }
    assert.equal((await messagesFor(theirs.who, theirs.key.keyId)).length, 1);
  });
});

describe('outside the sandbox', () => {
  const { telegram } = {
    telegram: { name: 'away', carries: new Set<never>(), send: () => Promise.reject() },
  };
  const live = useService({ providers: { telegram } });
  const cabinet = signedIn(live);

  test('a live key has no virtual phone, and a test key has', async () => {
    const key = await live.key();
    const testKey = await live.key({ companyId: key.companyId, isTest: true });
    const who = cabinet.as(await cabinet.person({ companyId: key.companyId, role: 'owner' }));
    const body = { key_id: testKey.keyId, operation: 'otpSend' as const };
    const phone = live.phone();
    (await who.call(runOperation, { body: { ...body, body: { phone } } })).ok();
    // As if it had been sent while there was no provider yet.
    live.sandbox.phone.receive({
      ...(live.sandbox.phone.messages({ keyId: testKey.keyId })[0] as never as object),
      keyId: key.keyId,
    } as never);
    const seen = async (key_id: number) =>
      (await who.call(phoneMessages, { query: { key_id } })).ok().messages.length;
    assert.deepEqual([await seen(key.keyId), await seen(testKey.keyId)], [0, 1]);
    const events = PLAYGROUND_ENDPOINTS.phoneEvents;
    (await who.call(events, { query: { key_id: key.keyId } })).refused('not_found');
  });
});

describe('the stream of a phone', () => {
  const listening = async () => {
    if (!service.http.server.listening) await service.http.listen({ port: 0, host: '127.0.0.1' });
    return (service.http.server.address() as AddressInfo).port;
  };
  /** What a page hears, as text, until it closes. */
  async function listen(who: TestPerson, keyId: number) {
    const path = `/cabinet/playground/events?key_id=${keyId}`;
    const headers = { cookie: who.cookie };
    const request = get({ port: await listening(), path, headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let heard = '';
    response.setEncoding('utf8').on('data', (text) => {
      heard += text;
    });
    const close = () => request.destroy();
    return { status: response.statusCode, heard: () => heard, close };
  }

  test('tells what is there, what comes, and its receipts: of one key', async () => {
    const { key, who, run } = await desk();
    const stranger = await desk();
    const first = (await run('otpSend', { phone: service.phone() })).ok().body.message_id;
    const stream = await listen(who, key.keyId);
    const foreign = (await stranger.run('otpSend', { phone: service.phone() })).ok();
    const next = (await run('otpSend', { phone: service.phone() })).ok().body.message_id;
    const isHeard = (text: string) => until(text, async () => stream.heard().includes(text));
    for (const id of [first, next]) {
      await isHeard(`event: message\ndata: {"message_id":"${id}"`);
      await isHeard(`event: receipt\ndata: {"message_id":"${id}"}`);
    }
    assert.ok(!stream.heard().includes(String(foreign.body.message_id)));
    stream.close();
  });

  test('may be open five times in a session, and ends with its page', async () => {
    const { key, who } = await desk();
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(who, key.keyId)));
    assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]));
    assert.equal((await listen(who, key.keyId)).status, 429);
    const colleague = await person({ companyId: key.companyId, role: 'owner' });
    const theirs = await listen(colleague, key.keyId);
    assert.equal(theirs.status, 200);
    streams[0]?.close();
    await until('there is room again', async () => {
      const again = await listen(who, key.keyId);
      if (again.status === 200) streams[0] = again;
      return again.status === 200;
    });
    for (const { close } of [...streams, theirs]) close();
  });
});
