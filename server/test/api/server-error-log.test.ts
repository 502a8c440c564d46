/** Whoever reports the request id of a failure gives the operator one line of the log. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { refuseOverload, shedLoad } from '../../src/http/transport/shed-load.ts';
import { newRequestId } from '../../src/ids.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { answersUnknown, scriptedChannels } from '../delivery/scripted-channel.ts';
import { type ApiAnswer, until, useService } from '../harness.ts';

type Line = { level: number; msg: string; request_id?: string; status?: number; path?: string };

const WARN = 40;
const ERROR = 50;

/** A service that collects its log, with a short timeout where the database is made to hang. */
function useLoggedService(options: Parameters<typeof useService>[0] = {}) {
  const texts: string[] = [];
  const service = useService({ ...options, log: { write: (text) => void texts.push(text) } });
  const linesOf = (requestId: unknown): Line[] =>
    texts.map((text) => JSON.parse(text)).filter((line) => line.request_id === requestId);
  /** The one line of a failed call. It is written just after the answer. */
  const readLine = async (answer: Pick<ApiAnswer, 'headers'>): Promise<Line & object> => {
    const requestId = answer.headers['x-request-id'];
    assert.match(String(requestId), /^req_/);
    await until(`${requestId} is logged`, async () => linesOf(requestId).length > 0);
    const lines = linesOf(requestId);
    assert.equal(lines.length, 1, JSON.stringify(lines));
    return lines[0] as Line;
  };
  return { service, linesOf, readLine, texts };
}

const { service, readLine, linesOf, texts } = useLoggedService();
const cabinet = createCabinetClient(service);
/** Every channel refuses it. */
const REFUSED_PHONE = '+77000000004';

describe('one line of the log has the request id of', () => {
  test('a delivery that failed, without the phone, the code or the key', async () => {
    const key = await service.key({ isTest: true });
    const failed = await service.call('/otp/send', { phone: REFUSED_PHONE }, key);
    assert.equal(failed.status, 502);
    const line = await readLine(failed);
    assert.deepEqual(
      { ...line, time: 0, pid: 0, hostname: '', duration_ms: 0 },
      {
        level: WARN,
        time: 0,
        pid: 0,
        hostname: '',
        request_id: failed.headers['x-request-id'],
        path: '/api/otp/send',
        status: 502,
        error_code: 'delivery_failed',
        message_id: failed.body.message_id,
        duration_ms: 0,
        msg: 'request failed',
      },
    );
    const all = texts.join('');
    for (const secret of [REFUSED_PHONE, REFUSED_PHONE.slice(1), key.key]) {
      assert(!all.includes(secret), secret);
    }
  });

  test('each answer to a repeated call', async () => {
    const key = await service.key({ isTest: true });
    const headers = { 'idempotency-key': 'repeated' };
    for (const isReplayed of [false, true]) {
      const body = { phone: REFUSED_PHONE };
      const failed = await service.call('/otp/send', body, { ...key, headers });
      assert.equal(failed.headers['idempotent-replayed'], isReplayed ? 'true' : undefined);
      assert.equal((await readLine(failed)).status, 502);
    }
  });

  test('a call that the cabinet makes for a person', async () => {
    const owner = await cabinet.person({ role: 'owner' });
    const key = await service.key({ companyId: owner.companyId as never, isTest: true });
    const body = {
      key_id: key.keyId,
      operation: 'otpSend' as const,
      body: { phone: REFUSED_PHONE },
    };
    const answer = await cabinet.as(owner).call(PLAYGROUND_ENDPOINTS.runOperation, { body });
    assert.equal(answer.ok().status, 502);
    assert.equal((await readLine(answer)).status, 502);
  });

  test('a bug, with the error behind it', async () => {
    const key = await service.key();
    await service.sql('alter table link rename to link_moved');
    const failed = await service.call('/links/shorten', { url: 'https://example.kz' }, key);
    await service.sql('alter table link_moved rename to link');
    assert.equal(failed.status, 500);
    const line = (await readLine(failed)) as Line & { err: { message: string } };
    assert.equal(line.level, ERROR);
    assert.equal(line.msg, 'unexpected error');
    assert.match(line.err.message, /link/);
  });

  test('a failure alone, not of a refusal', async () => {
    const refused = await service.call('/otp/send', { phone: service.phone() });
    assert.equal(refused.status, 401);
    const key = await service.key({ isTest: true });
    await readLine(await service.call('/otp/send', { phone: REFUSED_PHONE }, key));
    assert.deepEqual(linesOf(refused.headers['x-request-id']), []);
  });
});

describe('one line of the log has the request id of a delivery without a known outcome', () => {
  const channels = scriptedChannels();
  const { service: scripted, readLine: read } = useLoggedService({ providers: channels });

  test('and no phone', async () => {
    const phone = scripted.phone();
    for (const channel of Object.values(channels)) channel.onSend(phone, answersUnknown);
    const body = { phone, channel: 'sms' };
    const unconfirmed = await scripted.call('/otp/send', body, await scripted.key());
    assert.equal(unconfirmed.status, 504);
    const line = await read(unconfirmed);
    assert.equal(line.status, 504);
    assert(!JSON.stringify(line).includes(phone.slice(1)));
  });
});

describe('while the database does not answer', () => {
  const { service: stuck, readLine: read } = useLoggedService({
    // Long enough to open a connection on a busy machine.
    env: { DATABASE_TIMEOUT_MS: '5000' },
  });
  /** Runs some work while nobody else can use links. */
  const withLockedLinks = async <T>(work: () => Promise<T>): Promise<T> =>
    await stuck.ctx.db.transaction(async (tx) => {
      await tx.query('lock table link in access exclusive mode');
      // The transaction must outlive the statements that wait for it.
      await tx.query(`set local idle_in_transaction_session_timeout = '60s'`);
      return await work();
    });

  test('one line of the log has the request id of a call', async () => {
    const key = await stuck.key();
    const failed = await withLockedLinks(() =>
      stuck.call('/links/shorten', { url: 'https://example.kz' }, key),
    );
    assert.equal(failed.status, 503);
    assert.equal((await read(failed)).status, 503);
  });
});

test('one line of the log has the request id of each call that overload refused', async () => {
  const handler = shedLoad(() => assert.fail('the call was admitted'), {
    activity: () => ({ underWay: 1_000_000, answered: 0 }),
    isShortLink: () => false,
    refusalOf: ({ url }) => refuseOverload(service.ctx, { requestId: newRequestId(), url }),
  });
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (path: string) => {
    const { status, headers } = await fetch(address + path);
    assert.equal(status, 503);
    return { headers: Object.fromEntries(headers) };
  };
  const path = `/api/otp/send?phone=${service.phone().slice(1)}`;
  const answers = await Promise.all([ask(path), ask(path), ask('/api/links/send')]);
  const page = await ask('/');
  server.close();
  server.closeAllConnections();
  for (const answer of answers) {
    const line = await readLine(answer);
    assert.deepEqual([line.status, line.msg], [503, 'request refused by overload']);
    assert.doesNotMatch(JSON.stringify(line), /7701\d{7}/);
  }
  assert.deepEqual(linesOf(page.headers['x-request-id']), []);
});
