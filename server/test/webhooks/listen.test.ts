import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { scriptedChannels } from '../delivery/scripted-channel.ts';
import { type TestKey, useService } from '../harness.ts';
import { createWebhookRig } from './webhook-rig.ts';

type Heard = {
  success: boolean;
  error_code?: string;
  secret: string;
  events: { id: string; type: string; body: string }[];
};

function listenerOf(service: ReturnType<typeof useService>) {
  const call = async (
    key: TestKey | undefined,
    method: 'GET' | 'POST',
    query = {},
    payload?: object,
  ) => {
    const response = await service.http.inject({
      method,
      url: '/sandbox/events',
      query,
      headers: key === undefined ? {} : { authorization: `Bearer ${key.key}` },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: response.statusCode, body: response.json() as Heard };
  };
  return {
    hear: (key?: TestKey, query: Record<string, string> = {}) => call(key, 'GET', query),
    trigger: (key: TestKey, type: string) => call(key, 'POST', {}, { type }),
  };
}

describe('a terminal in the sandbox', () => {
  const service = useService();
  const rig = createWebhookRig(service);
  const { hear, trigger } = listenerOf(service);

  test('hears what happens since it has begun to listen, once, signed with a secret that stays', async () => {
    const key = await service.key({ isTest: true });
    const worker = rig.worker();
    const first = await hear(key);
    assert.deepEqual(first.body.events, []);
    const sent = await service.call('/otp/send', { phone: service.phone() }, key);
    await worker.runOnce();
    const { body } = await hear(key);
    const [event] = body.events.filter(({ type }) => type === 'message.sent');
    assert.equal(JSON.parse(event?.body ?? '').data.message_id, sent.body.message_id);
    assert.equal(body.secret, first.body.secret);
    assert.doesNotThrow(() => new Webhook(body.secret));
    assert(!(await hear(key)).body.events.some(({ id }) => id === event?.id));
    const other = await service.key({ isTest: true });
    assert.notEqual((await hear(other)).body.secret, body.secret);
    assert.deepEqual((await hear(other)).body.events, [], 'nothing of another company');
  });

  test('chooses its events, and gets samples of them', async () => {
    const key = await service.key({ isTest: true });
    await hear(key, { events: 'otp.verified,link.clicked' });
    await trigger(key, 'message.sent');
    await trigger(key, 'otp.verified');
    const { body } = await hear(key, { events: 'otp.verified,link.clicked' });
    assert.deepEqual(
      body.events.map(({ type }) => type),
      ['otp.verified'],
    );
    assert.equal((await trigger(key, 'nonsense')).status, 422);
    assert.equal((await hear(key, { events: 'nonsense' })).status, 422);
    assert.equal((await hear()).status, 401);
  });

  test('is no webhook: it is not listed, not called, and not counted', async () => {
    const key = await service.key({ isTest: true });
    await hear(key);
    await trigger(key, 'message.sent');
    const worker = rig.worker();
    await rig.deliverAll(worker);
    const { listWebhooks } = await import('../../src/webhooks/manage-webhooks.ts');
    assert.deepEqual(await listWebhooks(service.ctx, key.companyId), []);
    assert.equal((await hear(key)).body.events.length, 1);
  });
});

describe('a terminal outside the sandbox', () => {
  const service = useService({ providers: scriptedChannels() });
  const rig = createWebhookRig(service);
  const { hear } = listenerOf(service);

  test('a test key hears nothing of live keys outside the sandbox', async () => {
    const key = await service.key({ isTest: true });
    const live = await service.key({ companyId: key.companyId });
    await hear(key);
    await service.call('/otp/send', { phone: service.phone() }, live);
    await service.call('/otp/send', { phone: service.phone() }, key);
    await rig.worker().runOnce();
    const { body } = await hear(key);
    assert(body.events.length > 0);
    assert(body.events.every((event) => JSON.parse(event.body).data.test === true));
    assert.equal((await hear(live)).status, 404);
  });
});
