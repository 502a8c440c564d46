/** What a developer leaves running in a terminal: forwarded events, and the log of a company. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { until, useService } from '../harness.ts';
import { createTerminal } from '../terminal.ts';
import { createWebhookRig } from './webhook-rig.ts';

const service = useService();
const rig = createWebhookRig(service);
const { run, runJson, start } = createTerminal(service);

async function serverUrl(): Promise<string> {
  const { http } = service;
  if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
}

describe('listen', () => {
  test('forwards what happens and what is triggered, signed with the secret it has printed', async (t) => {
    const url = await serverUrl();
    const { key } = await service.key({ isTest: true });
    const receiver = await rig.receiver();
    const arrived = once(receiver.arrivals, 'arrived');
    const listener = start(
      t,
      `listen --forward-to ${receiver.port}/hook --key ${key} --url ${url} --json`,
    );
    const { listening, secret } = JSON.parse(await listener.next()) as Record<string, string>;
    assert.equal(listening, `http://localhost:${receiver.port}/hook`);
    const printed = await runJson(
      t,
      `listen --forward-to ${receiver.port} --print-secret --key ${key} --url ${url}`,
    );
    assert.deepEqual(printed, { code: 0, json: { secret } });

    const triggered = await runJson(t, `trigger otp.verified --key ${key} --url ${url}`);
    assert.equal(triggered.code, 0);
    await arrived;
    const [call] = receiver.received;
    const event = new Webhook(secret ?? '').verify(
      call?.body ?? '',
      call?.headers as Record<string, string>,
    ) as { type: string };
    assert.equal(event.type, 'otp.verified');
    const { type, status } = JSON.parse(await listener.next()) as Record<string, unknown>;
    assert.deepEqual({ type, status }, { type: 'otp.verified', status: 204 });
  });

  test('says when the server on this machine does not answer, and goes on', async (t) => {
    const url = await serverUrl();
    const { key } = await service.key({ isTest: true });
    const gone = await rig.receiver();
    const args = `listen --forward-to localhost:${gone.port} --key ${key} --url ${url}`;
    await gone.close();
    const listener = start(t, args);
    assert.match(await listener.next(), new RegExp(`http://localhost:${gone.port}/`));
    assert.match(await listener.next(), /whsec_/);
    for (const type of ['message.failed', 'link.clicked']) {
      await run(t, `trigger ${type} --key ${key} --url ${url}`);
      assert.match(await listener.next(), new RegExp(`${type}.*ECONNREFUSED`));
    }
  });

  test('a wrong key, event or address is told at once', async (t) => {
    const url = await serverUrl();
    const { key } = await service.key({ isTest: true });
    const refused = [
      `listen --forward-to 4000 --key zk_test_wrong --url ${url}`,
      `listen --forward-to 4000 --events nonsense --key ${key} --url ${url}`,
      `listen --forward-to http:// --key ${key} --url ${url}`,
      `listen --key ${key} --url ${url}`,
      `trigger nonsense --key ${key} --url ${url}`,
    ];
    for (const args of refused) {
      const { code, err } = await run(t, args);
      assert.notEqual(code, 0, args);
      assert.notEqual(err, '', args);
    }
  });
});

describe('logs', () => {
  test('shows the last hour of one company, of one key, or what failed', async (t) => {
    const key = await service.key();
    const second = await service.key({ companyId: key.companyId });
    const other = await service.key();
    const phone = '+77011230001';
    const sent = await service.call('/otp/send', { phone }, key);
    await service.call('/otp/verify', { phone, code: '0000000' }, second);
    await service.call('/otp/send', { phone: service.phone() }, other);
    type Rows = { rows: Record<string, unknown>[] };
    const rowsOf = async (options = '') => {
      const { json } = await runJson(t, `logs --company ${key.companyId}${options}`);
      return (json as Rows).rows.map(({ path, is_failed, detail }) => [path, is_failed, detail]);
    };
    const message = ['otp', false, null];
    const refusal = ['/api/otp/verify', true, 'invalid_code'];
    // Calls are logged in groups.
    await until('both are logged', async () => (await rowsOf()).length === 2);
    assert.deepEqual(await rowsOf(), [message, refusal]);
    assert.deepEqual(await rowsOf(' --failed'), [refusal]);
    assert.deepEqual(await rowsOf(` --key ${key.keyId}`), [message]);

    const { out } = await run(t, `logs --company ${key.companyId}`);
    assert.match(out, new RegExp(`✓ {2}otp .*\\+7701\\*\\*\\*0001 .*${sent.body.message_id}`));
    assert.doesNotMatch(out, /77011230001/);
    const empty = await service.company();
    assert.match((await run(t, `logs --company ${empty}`)).out, /^Nothing has happened/);
    assert.equal((await run(t, 'logs --company 99999')).code, 1);
  });

  test('--tail tells what comes, and a message again when its state changes', async (t) => {
    const key = await service.key();
    const send = async () =>
      (await service.call('/otp/send', { phone: service.phone() }, key)).body.message_id;
    const earlier = await send();
    const tail = start(t, `logs --company ${key.companyId} --tail --json`);
    const next = async () => {
      const { id, result } = JSON.parse(await tail.next()) as Record<string, string>;
      return [id, result];
    };
    const [first] = await next();
    assert.equal(first, earlier);
    const later = await send();
    // The receipts of the sandbox come by themselves, so the states of both may come in any order.
    const told = new Map<string, string[]>();
    while (!told.get(String(later))?.includes('read')) {
      const [id = '', result = ''] = await next();
      assert(!told.get(id)?.includes(result), `${result} of ${id} is told once`);
      told.set(id, [...(told.get(id) ?? []), result]);
    }
  });
});
