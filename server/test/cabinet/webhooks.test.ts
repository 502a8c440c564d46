import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_TYPES } from '@zhiber/contract/api/events.ts';
import { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import {
  TEST_EVENTS_PER_MINUTE_MAX,
  WEBHOOK_ENDPOINTS as W,
} from '@zhiber/contract/cabinet/webhooks.ts';
import { Webhook } from 'standardwebhooks';
import { useService } from '../harness.ts';
import { accepts, answers } from '../webhooks/receiver.ts';
import { createWebhookRig } from '../webhooks/webhook-rig.ts';
import { createCabinetClient } from './cabinet-client.ts';

const service = useService();
const { person, as } = createCabinetClient(service);
const rig = createWebhookRig(service);

async function createOwner() {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as never;
  const key = await service.key({ companyId, isTest: true });
  return { owner, companyId, key, my: as(owner) };
}

const body = (url: string) => ({ url, events: [...EVENT_TYPES] });

test('a webhook is created, tested, changed, switched off and on, and deleted, and the audit log tells it', async () => {
  const { my } = await createOwner();
  const target = await rig.receiver();
  const worker = rig.worker();
  const { id, secret } = (await my.call(W.createWebhook, { body: body(target.url) })).ok();
  assert.match(secret, /^whsec_/);
  assert.equal((await my.call(W.webhookSecret, { params: { id } })).ok().secret, secret);
  const { event } = (await my.call(W.testWebhook, { params: { id } })).ok();
  await rig.deliverAll(worker);
  assert.deepEqual(target.ids(), [event]);
  assert.equal(target.received[0]?.event.type, 'test.ping');

  const [listed] = (await my.call(W.webhooks)).ok().webhooks;
  assert.deepEqual(
    [listed?.state, listed?.success_share, listed?.last_error, listed?.waiting, listed?.missed],
    ['active', 1, null, 0, 0],
  );
  assert((listed?.p95_ms ?? 0) > 0);

  const other = { ...body(`${target.url}/other`), description: 'CRM', shows_phones: true };
  (await my.call(W.changeWebhook, { params: { id }, body: other })).ok();
  const { secret: second, previous_until } = (
    await my.call(W.rotateWebhookSecret, { params: { id } })
  ).ok();
  assert.notEqual(second, secret);
  assert(previous_until !== null);
  (await my.call(W.switchWebhook, { params: { id }, body: { is_on: false } })).ok();
  (await my.call(W.testWebhook, { params: { id } })).refused('webhook_off');
  assert.equal((await my.call(W.webhook, { params: { id } })).ok().off_reason, 'person');
  (await my.call(W.switchWebhook, { params: { id }, body: { is_on: true } })).ok();
  (await my.call(W.deleteWebhook, { params: { id } })).ok();
  (await my.call(W.webhook, { params: { id } })).refused('not_found');
  assert.deepEqual((await my.call(W.webhooks)).ok().webhooks, []);

  const { rows } = (await my.call(AUDIT_ENDPOINTS.audit)).ok();
  const told = rows.map(({ action }) => action).filter((action) => action.startsWith('webhook.'));
  assert.deepEqual(told.toReversed(), [
    'webhook.created',
    'webhook.secret_shown',
    'webhook.changed',
    'webhook.secret_rotated',
    'webhook.switched_off',
    'webhook.switched_on',
    'webhook.deleted',
  ]);
  assert(!JSON.stringify(rows).includes('whsec_'), 'no secret is in the audit log');
});

test('an address that cannot be called is refused with the reason', async () => {
  const { my } = await createOwner();
  for (const url of [
    'shop.kz',
    'https://10.0.0.1/',
    'http://169.254.169.254/latest',
    'https://user@shop.kz/',
    'ftp://shop.kz',
  ]) {
    const refused = (await my.call(W.createWebhook, { body: body(url) })).refused(
      'validation_error',
    );
    assert.match(JSON.stringify(refused.errors), /[а-я]{5}/, url);
  }
});

test('a delivery shows every try, what was sent, what was answered and how it was signed', async () => {
  const { my, key } = await createOwner();
  const target = await rig.receiver(answers(500));
  const { id, secret } = (
    await my.call(W.createWebhook, { body: { url: target.url, events: ['message.sent'] } })
  ).ok();
  await service.call('/otp/send', { phone: service.phone() }, key);
  const worker = rig.worker();
  await rig.deliverAll(worker);
  target.answer = accepts;
  await rig.passTime(5);
  await rig.deliverAll(worker);
  const { rows, next } = (await my.call(W.webhookDeliveries, { params: { id } })).ok();
  assert.equal(next, null);
  assert.deepEqual(
    rows.map(({ type, state, tries, status, test: isTest }) => ({
      type,
      state,
      tries,
      status,
      isTest,
    })),
    [{ type: 'message.sent', state: 'delivered', tries: 2, status: 204, isTest: true }],
  );
  const event = rows[0]?.id as string;
  const { try_log, url } = (await my.call(W.webhookDelivery, { params: { id, event } })).ok();
  assert.equal(url, target.url);
  assert.deepEqual(
    try_log.map(({ number, outcome, status, answer }) => ({ number, outcome, status, answer })),
    [
      { number: 2, outcome: 'delivered', status: 204, answer: '' },
      { number: 1, outcome: 'refused', status: 500, answer: 'no' },
    ],
  );
  for (const [i, { request, signature }] of try_log.toReversed().entries()) {
    const received = target.received[i];
    assert.equal(request.body, received?.body);
    assert.equal(request.headers['webhook-signature'], received?.headers['webhook-signature']);
    assert.equal(
      signature.signed,
      `${event}.${request.headers['webhook-timestamp']}.${received?.body}`,
    );
    new Webhook(secret).verify(request.body, request.headers);
  }
  const { buckets, success_share } = (await my.call(W.webhookFigures, { params: { id } })).ok();
  assert.equal(success_share, 0.5);
  assert.deepEqual(
    [buckets.at(-1)?.delivered, buckets.at(-1)?.refused, buckets.length],
    [1, 1, 24],
  );
});

test('deliveries are listed by state, type and time, a page at a time, and sent again by a choice', async () => {
  const { my, companyId } = await createOwner();
  const target = await rig.receiver(answers(410));
  const { id } = (await my.call(W.createWebhook, { body: body(target.url) })).ok();
  await rig.addEvents(companyId, 60);
  const worker = rig.worker();
  await rig.deliverAll(worker);
  target.answer = accepts;
  const off = (await my.call(W.webhook, { params: { id } })).ok();
  assert.equal(off.state, 'off');
  const first = (await my.call(W.webhookDeliveries, { params: { id } })).ok();
  assert.equal(first.rows.length, 50);
  const second = (
    await my.call(W.webhookDeliveries, { params: { id }, query: { cursor: first.next as string } })
  ).ok();
  assert.equal(second.rows.length, 10);
  assert.equal(new Set([...first.rows, ...second.rows].map((row) => row.id)).size, 60);
  const listed = async (query: object) =>
    (await my.call(W.webhookDeliveries, { params: { id }, query })).ok().rows.length;
  assert.equal(await listed({ type: 'message.sent' }), 0);
  assert.equal(await listed({ since: new Date(Date.now() + 60_000).toISOString() }), 0);
  assert.equal(await listed({ since: '0001-01-01T00:00:00Z', state: 'missed' }), 50);

  const since = new Date(Date.now() - 60_000).toISOString();
  const count = async (which: 'failed' | 'missed' | 'all') =>
    (await my.call(W.countReplay, { params: { id }, query: { which, since } })).ok().count;
  const failed = await count('failed');
  assert.equal(failed + (await count('missed')), 60);
  assert.equal(await count('all'), 60);
  (await my.call(W.replayWebhook, { params: { id }, body: { which: 'all', since } })).refused(
    'webhook_off',
  );
  const { replayed } = (
    await my.call(W.switchWebhook, { params: { id }, body: { is_on: true, catch_up: true } })
  ).ok();
  assert.equal(replayed, 60 - failed);
  const again = (
    await my.call(W.replayWebhook, { params: { id }, body: { which: 'failed', since } })
  ).ok();
  assert.equal(again.replayed, failed);
  await rig.deliverAll(worker);
  assert.equal(await listed({ state: 'delivered' }), 50);
  const event = first.rows[0]?.id as string;
  assert.equal(
    (await my.call(W.replayWebhook, { params: { id }, body: { events: [event] } })).ok().replayed,
    1,
  );
  (await my.call(W.replayWebhook, { params: { id }, body: {} })).refused('validation_error');
});

test('a developer neither asks for phones in full nor reads them in the log', async () => {
  const { my, companyId, key } = await createOwner();
  const developer = as(await person({ role: 'developer', companyId }));
  const target = await rig.receiver();
  (
    await developer.call(W.createWebhook, { body: { ...body(target.url), shows_phones: true } })
  ).refused('no_right');
  const { id } = (
    await my.call(W.createWebhook, {
      body: { ...body(target.url), events: ['message.sent'], shows_phones: true },
    })
  ).ok();
  const phone = service.phone();
  await service.call('/otp/send', { phone }, key);
  await rig.deliverAll(rig.worker());
  assert.equal(target.received[0]?.event.data.phone, phone);
  const event = target.ids()[0] as string;
  const seenBy = async (who: typeof my) => {
    const { try_log } = (await who.call(W.webhookDelivery, { params: { id, event } })).ok();
    return JSON.stringify(try_log);
  };
  assert((await seenBy(my)).includes(phone));
  const masked = await seenBy(developer);
  assert(!masked.includes(phone) && masked.includes('"is_masked":true'));
  // A developer may change the rest of an endpoint that shows phones, and keeps what it shows.
  const settings = { ...body(target.url), description: 'CRM', shows_phones: true };
  (await developer.call(W.changeWebhook, { params: { id }, body: settings })).ok();
});

test('test events are limited, and a company has so many endpoints at most', async () => {
  const { my } = await createOwner();
  const { id } = (await my.call(W.createWebhook, { body: body('https://shop.kz/hook') })).ok();
  for (let i = 0; i < TEST_EVENTS_PER_MINUTE_MAX; i++) {
    (await my.call(W.testWebhook, { params: { id } })).ok();
  }
  (await my.call(W.testWebhook, { params: { id } })).refused('test_event_limited');
  for (let i = 1; i < 20; i++) {
    (await my.call(W.createWebhook, { body: body(`https://shop.kz/${i}`) })).ok();
  }
  (await my.call(W.createWebhook, { body: body('https://shop.kz/20') })).refused('too_many');
  const { events } = (await my.call(W.webhookEvents)).ok();
  assert.deepEqual(
    events.map(({ type }) => type),
    [...EVENT_TYPES],
  );
});
