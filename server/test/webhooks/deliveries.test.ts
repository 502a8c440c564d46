import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { WEBHOOK_RETRY_SECONDS } from '@zhiber/contract/api/events.ts';
import { Webhook } from 'standardwebhooks';
import { rotateSecret, switchWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { replayWebhook } from '../../src/webhooks/replay-webhook.ts';
import { until, useService } from '../harness.ts';
import { accepts, answers, hangs, type Received } from './receiver.ts';
import { createWebhookRig } from './webhook-rig.ts';

const service = useService();
const rig = createWebhookRig(service);
const { addEvents, deliverAll, deliveries, endpoint, passTime } = rig;

/** Written from the text of the specification alone, to compare two readings of it. */
function isSigned(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>): boolean {
  const key = Buffer.from(secret.split('_')[1] as string, 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed, 'utf8').digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}

function isAccepted(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>) {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

test('a call is signed as Standard Webhooks says, and no changed bit of it passes', async () => {
  const companyId = await service.company();
  const target = await rig.receiver();
  const { secret } = await endpoint(companyId, target.url);
  await addEvents(companyId, 1);
  await deliverAll(rig.worker());
  const [call] = target.received as [Received];
  assert.equal(call.headers['content-type'], 'application/json');
  assert.match(String(call.headers['webhook-id']), /^evt_[0-9a-f]{32}$/);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert(isSigned(secret, call));
  assert(isAccepted(secret, call));

  let flips = 0;
  const bytes = Buffer.from(call.body);
  for (let bit = 0; bit < bytes.length * 8; bit += 7) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    assert(!isAccepted(secret, { headers: call.headers, body: changed.toString('latin1') }));
    flips += 1;
  }
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
    const headers = { ...call.headers, [name]: `${call.headers[name]}1` };
    assert(!isAccepted(secret, { ...call, headers }), name);
  }
  assert(flips > 100);
});

test('after a rotation both secrets sign for a day, and then the new one alone', async () => {
  const companyId = await service.company();
  const target = await rig.receiver();
  const { id, secret: first } = await endpoint(companyId, target.url);
  const { secret: second } = await rotateSecret(service.ctx, {}, { companyId, id });
  const worker = rig.worker();
  await addEvents(companyId, 1);
  await deliverAll(worker);
  const [both] = target.received as [Received];
  assert.equal(String(both.headers['webhook-signature']).split(' ').length, 2);
  assert(isAccepted(first, both) && isAccepted(second, both));

  await passTime(24 * 3_600 + 1);
  await addEvents(companyId, 1);
  await deliverAll(worker);
  const alone = target.received[1] as Received;
  assert(!isAccepted(first, alone));
  assert(isAccepted(second, alone));
});

test('a target that is down for ten minutes gets every event, repeats under the same id', async () => {
  const companyId = await service.company();
  const target = await rig.receiver((response) => response.destroy());
  const { id } = await endpoint(companyId, target.url);
  const worker = rig.worker();
  await addEvents(companyId, 20);
  await deliverAll(worker);
  // 0, 5 s, 35 s and 335 s after the event it is still down.
  for (const seconds of WEBHOOK_RETRY_SECONDS.slice(0, 3)) {
    for (const row of await deliveries(id)) assert(Math.abs((row.seconds ?? 0) - seconds) <= 2);
    await passTime(seconds);
    await deliverAll(worker);
  }
  assert.deepEqual(
    new Set((await deliveries(id)).map(({ state, tries }) => `${state} ${tries}`)),
    new Set(['waiting 4']),
  );
  const tried = target.ids();
  assert.equal(new Set(tried).size, 20);

  target.answer = accepts;
  const before = target.received.length;
  await passTime(WEBHOOK_RETRY_SECONDS[3]);
  await deliverAll(worker);
  const delivered = target.ids().slice(before);
  assert.deepEqual(delivered.toSorted(), [...new Set(tried)].toSorted());
  const numbers = target.received.slice(before).map(({ event }) => event.data.balance);
  assert.deepEqual(
    numbers.toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: 20 }, (_, i) => i),
  );
  assert.deepEqual(
    new Set((await deliveries(id)).map(({ state }) => state)),
    new Set(['delivered']),
  );
  const [row] = await service.sql(
    'select failing_since, last_error from webhook_endpoint where id = $1',
    [id],
  );
  assert.deepEqual(row, { failing_since: null, last_error: null });
});

test('after the eighth try a delivery has failed, and a replay sends it under the same id', async () => {
  const companyId = await service.company();
  const target = await rig.receiver(answers(500));
  const { id } = await endpoint(companyId, target.url);
  const worker = rig.worker();
  await addEvents(companyId, 2);
  await deliverAll(worker);
  for (const seconds of WEBHOOK_RETRY_SECONDS) {
    await passTime(seconds);
    await deliverAll(worker);
  }
  assert.equal(target.received.length, 16);
  await passTime(30 * 24 * 3_600);
  await deliverAll(worker);
  assert.equal(target.received.length, 16, 'nothing is tried a ninth time');
  assert.deepEqual(
    (await deliveries(id)).map(({ state, tries, status }) => ({ state, tries, status })),
    [
      { state: 'failed', tries: 8, status: 500 },
      { state: 'failed', tries: 8, status: 500 },
    ],
  );

  target.answer = accepts;
  const chosen = { which: 'failed' as const, since: new Date(Date.now() - 60_000) };
  assert.equal(await replayWebhook(service.ctx, {}, { companyId, id, chosen }), 2);
  await deliverAll(worker);
  assert.deepEqual(
    target.ids().slice(16).toSorted(),
    [...new Set(target.ids().slice(0, 16))].toSorted(),
  );
  // What has been delivered is sent again only when it is chosen.
  assert.equal(await replayWebhook(service.ctx, {}, { companyId, id, chosen }), 0);
  const eventIds = await service.sql<{ event_id: string }>(
    'select event_id from webhook_delivery where endpoint_id = $1 limit 1',
    [id],
  );
  const ids = eventIds.map(({ event_id }) => event_id);
  assert.equal(await replayWebhook(service.ctx, {}, { companyId, id, chosen: ids }), 1);
  await deliverAll(worker);
  assert.equal(target.received.length, 19);
});

test('429 and 503 are left alone for as long as they ask, within bounds', async () => {
  const companyId = await service.company();
  const target = await rig.receiver(answers(429, { 'retry-after': '120' }));
  const { id } = await endpoint(companyId, target.url);
  const worker = rig.worker();
  await addEvents(companyId, 1);
  await deliverAll(worker);
  assert.deepEqual(
    (await deliveries(id)).map(({ seconds }) => Math.abs((seconds ?? 0) - 120) <= 2),
    [true],
  );
  await addEvents(companyId, 1);
  await deliverAll(worker);
  assert.equal(target.received.length, 1, 'other events of the endpoint wait as well');

  target.answer = answers(503, { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' });
  await passTime(121);
  await deliverAll(worker);
  const waits = (await deliveries(id)).map(({ seconds }) => seconds ?? 0);
  assert(Math.max(...waits) <= 24 * 3_600 && Math.max(...waits) > 23 * 3_600, String(waits));
  target.answer = accepts;
  await passTime(24 * 3_600);
  await deliverAll(worker);
  assert.deepEqual(
    new Set((await deliveries(id)).map(({ state }) => state)),
    new Set(['delivered']),
  );
});

test('410 switches an endpoint off at once; events go on being kept, and are caught up on', async () => {
  const owner = await service.sql<{ id: string }>(
    `insert into person (id, name, email) values ('owner-410', 'Имя', 'owner@example.kz') returning id`,
  );
  const companyId = await service.company();
  await service.sql(`insert into member (company_id, person_id, role) values ($1, $2, 'owner')`, [
    companyId,
    owner[0]?.id,
  ]);
  const target = await rig.receiver(answers(410));
  const { id } = await endpoint(companyId, target.url);
  const worker = rig.worker();
  await addEvents(companyId, 1);
  await deliverAll(worker);
  const [row] = await service.sql(
    'select off_reason, off_at is not null as is_off from webhook_endpoint where id = $1',
    [id],
  );
  assert.deepEqual(row, { off_reason: 'gone', is_off: true });
  assert.equal(rig.letters.filter(({ to }) => to === 'owner@example.kz').length, 1);
  assert.match(rig.letters.at(-1)?.text ?? '', new RegExp(`${target.url.replaceAll('.', '\\.')}`));
  const audit = await service.sql<{ action: string; after: unknown }>(
    `select action, after from audit_record where company_id = $1 and action = 'webhook.switched_off'`,
    [companyId],
  );
  assert.deepEqual(audit, [{ action: 'webhook.switched_off', after: { reason: 'gone' } }]);

  await addEvents(companyId, 3);
  await deliverAll(worker);
  assert.equal(target.received.length, 1, 'nothing is sent while it is off');
  target.answer = accepts;
  const on = { companyId, id, isOn: true, catchesUp: true };
  assert.equal(await switchWebhook(service.ctx, {}, on), 3);
  await deliverAll(worker);
  assert.equal(target.received.length, 4);
});

test('an endpoint that has failed for five days is switched off, one that has had a success is not', async () => {
  const companyId = await service.company();
  const target = await rig.receiver(answers(500));
  const { id } = await endpoint(companyId, target.url);
  const worker = rig.worker();
  const isOff = async () => {
    const [row] = await service.sql<{ off_reason: string | null }>(
      'select off_reason from webhook_endpoint where id = $1',
      [id],
    );
    return row?.off_reason;
  };
  await addEvents(companyId, 1);
  await deliverAll(worker);
  await passTime(119 * 3_600);
  await deliverAll(worker);
  assert.equal(await isOff(), null);
  target.answer = accepts;
  await addEvents(companyId, 1);
  await deliverAll(worker);
  target.answer = answers(500);
  await passTime(10 * 3_600);
  await addEvents(companyId, 1);
  await deliverAll(worker);
  assert.equal(await isOff(), null, 'the five days begin again after a success');
  await passTime(121 * 3_600);
  await addEvents(companyId, 1);
  await deliverAll(worker);
  assert.equal(await isOff(), 'failing');
  const states = new Set((await deliveries(id)).map(({ state }) => state));
  assert(!states.has('waiting'), 'what waits is missed, to be caught up on');
});

test('a claim whose worker has died is repeated after its lease; the late worker changes nothing', async () => {
  const companyId = await service.company();
  const target = await rig.receiver(hangs);
  const { id } = await endpoint(companyId, target.url);
  await addEvents(companyId, 1);
  const frozen = rig.worker({ timeoutMs: 60_000 });
  await frozen.runOnce();
  await until('it is called', async () => target.received.length === 1);
  const other = rig.worker();
  await deliverAll(other);
  assert.equal(target.received.length, 1, 'it is claimed');

  target.answer = accepts;
  await passTime(31);
  await deliverAll(other);
  assert.deepEqual(target.ids()[1], target.ids()[0]);
  assert.deepEqual(
    (await deliveries(id)).map(({ state, tries }) => ({ state, tries })),
    [{ state: 'delivered', tries: 1 }],
  );
  await target.close().catch(() => undefined);
  await frozen.idle();
  assert.deepEqual(
    (await deliveries(id)).map(({ state, tries }) => ({ state, tries })),
    [{ state: 'delivered', tries: 1 }],
  );
});

test('an endpoint gets at most four calls at a time, and one after it has timed out', async () => {
  const companyId = await service.company();
  const target = await rig.receiver(hangs);
  await endpoint(companyId, target.url);
  await addEvents(companyId, 12);
  const workers = [rig.worker({ timeoutMs: 3_000 }), rig.worker({ timeoutMs: 3_000 })] as const;
  await Promise.all(workers.map((worker) => worker.runOnce()));
  await Promise.all(workers.map((worker) => worker.runOnce()));
  await until('four are called', async () => target.received.length >= 4);
  await Promise.all(workers.map((worker) => worker.runOnce()));
  assert.equal(target.received.length, 4, 'over all workers');
  await Promise.all(workers.map((worker) => worker.idle()));
  await workers[0].runOnce();
  await workers[1].runOnce();
  await until('one more is called', async () => target.received.length >= 5);
  await Promise.all(workers.map((worker) => worker.runOnce()));
  assert.equal(target.received.length, 5);
});

test('a call is a span that names no address, and passes on no trace', async () => {
  const companyId = await service.company();
  const target = await rig.receiver();
  await endpoint(companyId, `${target.url}/canary`);
  await addEvents(companyId, 1);
  const spans: object[] = [];
  const worker = rig.worker(
    {},
    {
      tracer: {
        async span({ attributes, ...start }, work, describe) {
          const result = await work();
          spans.push({ ...start, ...attributes, ...describe?.(result) });
          return result;
        },
        openRequest: () => assert.fail('no request'),
        close: async () => undefined,
      },
    },
  );
  await deliverAll(worker);
  assert.deepEqual(spans, [
    {
      name: 'webhook',
      kind: 'client',
      'zhiber.event': 'balance.low',
      'zhiber.outcome': 'delivered',
      'http.response.status_code': 204,
    },
  ]);
  assert.equal(target.received[0]?.headers.traceparent, undefined);
});
