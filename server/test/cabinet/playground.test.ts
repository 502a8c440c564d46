import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { type Operation, PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { markKeyRevoked } from '../../src/keys/key-store.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';

const service = useService();
const { person, as } = createCabinetClient(service);
const { runOperation, phoneMessages, clearPhone } = PLAYGROUND_ENDPOINTS;

/** A signed-in developer, a key of their company, and a way to run operations with it. */
async function openCabinet(settings: Parameters<typeof service.key>[0] = { isTest: true }) {
  const key = await service.key(settings);
  const who = await person({ companyId: key.companyId, role: 'developer' });
  const run = (operation: Operation, body: Record<string, unknown>, keyId: number = key.keyId) =>
    as(who).call(runOperation, { body: { key_id: keyId, operation, body } });
  return { key, who, run };
}

const listLogged = (key: TestKey) =>
  service.sql(
    'select path, status, error_code, phone, channel from request_log where key_id = $1',
    [key.keyId],
  );
const readInbox = async (who: TestPerson, keyId: number) =>
  (await as(who).call(phoneMessages, { query: { key_id: keyId } })).ok().messages;

describe('a call from the playground', () => {
  test('sends a code that arrives at the virtual phone and can be verified', async () => {
    const { key, who, run } = await openCabinet();
    const phone = service.phone();
    const sent = (await run('otpSend', { phone })).ok();
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    assert.equal(sent.body.success, true);
    const [message] = await readInbox(who, key.keyId);
    assert.deepEqual([message?.phone, message?.message_id], [phone, sent.body.message_id]);
    const verified = (await run('otpVerify', { phone, code: message?.code })).ok();
    assert.deepEqual(verified.body, { success: true, message: 'Код подтверждён' });
    // An accepted send is logged by its message; other calls are in the request log.
    await until('the verification is logged', async () => (await listLogged(key)).length === 1);
    const [logged] = await listLogged(key);
    assert.deepEqual([logged?.path, logged?.status], ['/api/otp/verify', 200]);
  });

  test('costs the same as an API call', async () => {
    const { key, run } = await openCabinet({ isTest: false, balance: 10 });
    const sent = (await run('otpSend', { phone: service.phone(), channel: 'sms' })).ok();
    assert.deepEqual([sent.body.cost, sent.body.balance], [8, 2]);
    assert.deepEqual(await service.balance(key.companyId), { balance: 2, held: 0 });
    const short = (await run('otpSend', { phone: service.phone(), channel: 'sms' })).ok();
    assert.deepEqual([short.status, short.body.error_code], [402, 'insufficient_tokens']);
  });

  test('is refused with the same body as an API call, and logged', async () => {
    const { key, run } = await openCabinet();
    for (const [operation, path, body] of [
      ['otpSend', '/otp/send', { phone: '123' }],
      ['otpSend', '/otp/send', {}],
      ['linkSend', '/links/send', { phone: service.phone(), url: 'x', channel: 'sms' }],
      ['linkShorten', '/links/shorten', { url: 'https://example.kz', alias: 'a b' }],
      ['groupSend', '/group/send', { group: 'нет такой', text: 'x' }],
    ] as [Operation, string, Record<string, unknown>][]) {
      const { status, body: answer, request_id } = (await run(operation, body)).ok();
      const { body: apiAnswer } = await service.call(path, body, key);
      assert.deepEqual({ ...answer, request_id: '' }, { ...apiAnswer, request_id: '' });
      assert.deepEqual([status, answer.request_id], [422, request_id]);
    }
    await until('all calls are logged', async () => (await listLogged(key)).length === 10);
    const logged = await listLogged(key);
    assert.deepEqual(new Set(logged.map(({ status }) => status)), new Set([422]));
  });

  test('shares the rate limit with API calls', async () => {
    const { key, run } = await openCabinet({ isTest: true, ratePerMinute: 2 });
    const body = { url: 'https://example.kz' };
    assert.equal((await service.call('/links/shorten', body, key)).status, 200);
    assert.equal((await run('linkShorten', body)).ok().status, 200);
    const { status, body: answer } = (await run('linkShorten', body)).ok();
    assert.deepEqual([status, answer.error_code], [429, 'api_rate_limited']);
    assert.equal((await service.call('/links/shorten', body, key)).status, 429);
  });

  test('needs no origin, but an active key of the company', async () => {
    const body = { url: 'https://example.kz' };
    const bound = await openCabinet({ isTest: true, domain: 'shop.kz' });
    assert.equal((await bound.run('linkShorten', body)).ok().status, 200);
    const other = await service.key();
    (await bound.run('linkShorten', body, other.keyId)).refused('not_found');
    (await bound.run('linkShorten', body, 999_999)).refused('not_found');
    await markKeyRevoked(service.ctx.db, bound.key);
    (await bound.run('linkShorten', body)).refused('key_not_active');
    assert.deepEqual(await listLogged(other), []);
  });

  test('is recorded in the audit log when it uses a live key', async () => {
    const { key, who, run } = await openCabinet({ isTest: false });
    const testKey = await service.key({ companyId: key.companyId, isTest: true });
    await run('linkShorten', { url: 'https://example.kz' }, testKey.keyId);
    await run('linkShorten', { url: 'https://example.kz' });
    const auditEvents = await service.sql(
      'select action, object, person_id, after from audit_record where company_id = $1',
      [key.companyId],
    );
    const auditEvent = {
      action: 'playground.sent',
      object: '/links/shorten',
      person_id: who.personId,
    };
    assert.deepEqual(auditEvents, [{ ...auditEvent, after: { key_id: key.keyId } }]);
  });
});

describe('the virtual phone', () => {
  test('shows and clears the messages of one key only', async () => {
    const { key, who, run } = await openCabinet();
    const second = await service.key({ companyId: key.companyId, isTest: false });
    await run('otpSend', { phone: service.phone() });
    await run('otpSend', { phone: service.phone() }, second.keyId);
    assert.equal((await readInbox(who, key.keyId)).length, 1);
    (await as(who).call(clearPhone, { query: { key_id: key.keyId } })).ok();
    assert.equal((await readInbox(who, key.keyId)).length, 0);
    assert.equal((await readInbox(who, second.keyId)).length, 1);
  });

  test('is not visible to another company', async () => {
    const mine = await openCabinet();
    const theirs = await openCabinet();
    await theirs.run('otpSend', { phone: service.phone() });
    const query = { key_id: theirs.key.keyId };
    for (const endpoint of Object.values(PLAYGROUND_ENDPOINTS).slice(1)) {
      (await as(mine.who).call(endpoint, { query })).refused('not_found');
    }
    assert.equal((await readInbox(theirs.who, theirs.key.keyId)).length, 1);
  });
});

describe('outside the sandbox', () => {
  const { telegram } = {
    telegram: { name: 'away', carries: new Set<never>(), send: () => Promise.reject() },
  };
  const live = useService({ providers: { telegram } });
  const cabinet = createCabinetClient(live);

  test('a test key has a virtual phone, and a live key has none', async () => {
    const key = await live.key();
    const testKey = await live.key({ companyId: key.companyId, isTest: true });
    const who = cabinet.as(await cabinet.person({ companyId: key.companyId, role: 'owner' }));
    const body = { key_id: testKey.keyId, operation: 'otpSend' as const };
    const phone = live.phone();
    (await who.call(runOperation, { body: { ...body, body: { phone } } })).ok();
    // A message of the live key from the time before a provider was configured.
    live.sandbox.phone.receive({
      ...(live.sandbox.phone.messages({ keyId: testKey.keyId })[0] as never as object),
      keyId: key.keyId,
    } as never);
    const countMessages = async (key_id: number) =>
      (await who.call(phoneMessages, { query: { key_id } })).ok().messages.length;
    assert.deepEqual([await countMessages(key.keyId), await countMessages(testKey.keyId)], [0, 1]);
    const events = PLAYGROUND_ENDPOINTS.phoneEvents;
    (await who.call(events, { query: { key_id: key.keyId } })).refused('not_found');
  });
});

describe('the event stream of a virtual phone', () => {
  const openListener = async () => {
    if (!service.http.server.listening) await service.http.listen({ port: 0, host: '127.0.0.1' });
    return (service.http.server.address() as AddressInfo).port;
  };
  /** Opens the stream as a page and collects the text it receives. */
  async function listen(who: TestPerson, keyId: number) {
    const path = `/cabinet/playground/events?key_id=${keyId}`;
    const headers = { cookie: who.cookie };
    const request = get({ port: await openListener(), path, headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let received = '';
    response.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    const close = () => request.destroy();
    return { status: response.statusCode, received: () => received, close };
  }

  test('sends existing and new messages and their receipts, of one key', async () => {
    const { key, who, run } = await openCabinet();
    const stranger = await openCabinet();
    const first = (await run('otpSend', { phone: service.phone() })).ok().body.message_id;
    const stream = await listen(who, key.keyId);
    const foreign = (await stranger.run('otpSend', { phone: service.phone() })).ok();
    const next = (await run('otpSend', { phone: service.phone() })).ok().body.message_id;
    const waitForEvent = (text: string) =>
      until(text, async () => stream.received().includes(text));
    for (const id of [first, next]) {
      await waitForEvent(`event: message\ndata: {"message_id":"${id}"`);
      await waitForEvent(`event: receipt\ndata: {"message_id":"${id}"}`);
    }
    assert.ok(!stream.received().includes(String(foreign.body.message_id)));
    stream.close();
  });

  test('can be open five times per session, and closing one allows another', async () => {
    const { key, who } = await openCabinet();
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(who, key.keyId)));
    assert.deepEqual(new Set(streams.map(({ status }) => status)), new Set([200]));
    assert.equal((await listen(who, key.keyId)).status, 429);
    const colleague = await person({ companyId: key.companyId, role: 'owner' });
    const theirs = await listen(colleague, key.keyId);
    assert.equal(theirs.status, 200);
    streams[0]?.close();
    await until('a new stream is accepted', async () => {
      const again = await listen(who, key.keyId);
      if (again.status === 200) streams[0] = again;
      return again.status === 200;
    });
    for (const { close } of [...streams, theirs]) close();
  });
});
