/** What is told of a company's messages: each change once, in the transaction of the change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_DATA, type EventType } from '@zhiber/contract/api/events.ts';
import { Check } from 'typebox/value';
import { markAnnounced } from '../../src/alerts/alert-store.ts';
import { setEnded } from '../../src/broadcasts/run/broadcast-store.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { type BroadcastId, type CompanyId, type MessageId, newId } from '../../src/ids.ts';
import { recordPersonClicks, recordRobotClicks } from '../../src/links/click-store.ts';
import { expandOutbox } from '../../src/webhooks/delivery-store.ts';
import { bodyOfEvent, type StoredEvent } from '../../src/webhooks/event-body.ts';
import { deleteWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { refuses, scriptedChannels } from '../delivery/scripted-channel.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { createWebhookRig } from './webhook-rig.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });
const rig = createWebhookRig(service);

async function keyWithWebhook(
  settings: Parameters<typeof service.key>[0] = {},
  events?: EventType[],
) {
  const key = await service.key(settings);
  await rig.endpoint(key.companyId, 'https://shop.kz/hook', events === undefined ? {} : { events });
  return key;
}

async function send(key: TestKey) {
  const phone = service.phone();
  const { status, body } = await service.call('/otp/send', { phone }, key);
  assert.equal(status, 200);
  return { key, phone, id: body.message_id as MessageId };
}
type Sent = Awaited<ReturnType<typeof send>>;

const report = (sent: Sent, receipt: 'delivered' | 'read' | 'failed', attempt = 1) =>
  recordReceipt(service.ctx, {
    ref: { companyId: sent.key.companyId, messageId: sent.id, attempt },
    receipt,
    ...(receipt === 'failed' ? { reason: 'Не доставлено' } : {}),
  });

const LIMITS = { rowsMax: 64, eventsMax: 1_000 };
const expand = () => expandOutbox(service.ctx.db, LIMITS, 'https://zh.kz');

type Told = { type: EventType; data: Record<string, unknown> };

/** The bodies of all events of a company, the oldest first; each has the form of the contract. */
async function eventsOf(companyId: CompanyId): Promise<Told[]> {
  while ((await expand()) > 0);
  const rows = await service.sql<StoredEvent>(
    `select id, type, at, is_test as "isTest", phone::text as phone, data from webhook_event
     where company_id = $1 order by at, id`,
    [companyId],
  );
  return rows.map((row) => {
    const body = bodyOfEvent(row, { hasPhone: false });
    assert(Buffer.byteLength(body) < 20_000);
    const told = JSON.parse(body);
    assert(Check(EVENT_DATA[row.type], told.data), body);
    return told;
  });
}

const typesOf = async (companyId: CompanyId) => (await eventsOf(companyId)).map(({ type }) => type);

async function afterFallbackTime(): Promise<void> {
  await service.passTime(32);
  await watchOnce(service.ctx);
}

test('a message is told when it is sent, delivered and read, each once however often it is reported', async () => {
  const key = await keyWithWebhook();
  const sent = await send(key);
  for (const receipt of [
    'delivered',
    'delivered',
    'read',
    'read',
    'delivered',
    'failed',
  ] as const) {
    await report(sent, receipt);
  }
  const masked = `${sent.phone.slice(0, 5)}***${sent.phone.slice(-4)}`;
  const message = {
    message_id: sent.id,
    kind: 'otp',
    phone: masked,
    channel: 'whatsapp',
    cost: 3,
    test: false,
  };
  assert.deepEqual(
    (await eventsOf(key.companyId)).map(({ type, data: { purpose: _, ...data } }) => ({
      type,
      data,
    })),
    [
      { type: 'message.sent', data: { ...message, state: 'sent' } },
      { type: 'message.delivered', data: { ...message, state: 'delivered' } },
      { type: 'message.read', data: { ...message, state: 'read' } },
    ],
  );
});

test('a message that is settled a second time, by a late worker, is not told again', async () => {
  const key = await keyWithWebhook();
  const { id } = await send(key);
  const [again] = await service.sql<{ moved: boolean }>(
    `select moved from settle(array[$1::bigint], array[$2::uuid], array['sent'::message_state],
       array['whatsapp'::channel], array[3], array[null], array[null], array[''], array[1], null, $3)`,
    [key.companyId, id, newId(Date.now())],
  );
  assert.equal(again?.moved, false);
  assert.deepEqual(await typesOf(key.companyId), ['message.sent']);
});

test('a message that every channel refuses has failed, for nothing', async () => {
  const key = await keyWithWebhook({ channels: ['sms'] });
  const phone = service.phone();
  channels.sms.onSend(phone, refuses);
  await service.call('/otp/send', { phone }, key);
  const [event, ...others] = await eventsOf(key.companyId);
  assert.deepEqual(others, []);
  assert.equal(event?.type, 'message.failed');
  assert.deepEqual(
    [event?.data.cost, event?.data.state, event?.data.reason],
    [0, 'failed', 'Номера нет'],
  );
});

test('a fallback is told with both channels, and its delivery with the charge that has moved', async () => {
  const key = await keyWithWebhook({ channels: ['whatsapp', 'sms'] });
  const sent = await send(key);
  await afterFallbackTime();
  await report(sent, 'delivered', 2);
  const told = (await eventsOf(key.companyId)).map(({ type, data }) => [
    type,
    data.from_channel,
    data.channel,
    data.cost,
  ]);
  assert.deepEqual(told, [
    ['message.sent', undefined, 'whatsapp', 3],
    ['message.fallback', 'whatsapp', 'sms', 3],
    ['message.delivered', undefined, 'sms', 8],
  ]);
});

test('a late delivery by the first channel is told as that of the first channel', async () => {
  const key = await keyWithWebhook({ channels: ['whatsapp', 'sms'] });
  const sent = await send(key);
  await afterFallbackTime();
  await report(sent, 'delivered', 1);
  const last = (await eventsOf(key.companyId)).at(-1);
  assert.deepEqual(
    [last?.type, last?.data.channel, last?.data.cost],
    ['message.delivered', 'whatsapp', 3],
  );
});

test('a failure is told once it is final, and not while another channel is left', async () => {
  const key = await keyWithWebhook({ channels: ['whatsapp', 'telegram'] });
  const sent = await send(key);
  await report(sent, 'failed', 1);
  await until('telegram accepts', async () =>
    (await typesOf(key.companyId)).includes('message.fallback'),
  );
  assert.deepEqual(await typesOf(key.companyId), ['message.sent', 'message.fallback']);
  await report(sent, 'failed', 2);
  await afterFallbackTime();
  await afterFallbackTime();
  assert.deepEqual(await typesOf(key.companyId), [
    'message.sent',
    'message.fallback',
    'message.failed',
  ]);
});

test('a failure whose fallback is refused is told once as well', async () => {
  const key = await keyWithWebhook({ channels: ['whatsapp', 'sms'] });
  const sent = await send(key);
  channels.sms.onSend(sent.phone, refuses);
  await report(sent, 'failed', 1);
  await until('it has failed', async () =>
    (await typesOf(key.companyId)).includes('message.failed'),
  );
  await afterFallbackTime();
  assert.deepEqual(await typesOf(key.companyId), ['message.sent', 'message.failed']);
});

test('a message that nobody confirms is told as delivered when its code was entered', async () => {
  const key = await keyWithWebhook({ channels: ['sms'] });
  const sent = await send(key);
  const code = channels.sms.sentTo(sent.phone)[0]?.code;
  await service.call('/otp/verify', { phone: sent.phone, code }, key);
  await afterFallbackTime();
  const events = await eventsOf(key.companyId);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['message.sent', 'otp.verified', 'message.delivered'],
  );
  assert.deepEqual(Object.keys(events[1]?.data ?? {}), ['message_id', 'phone', 'purpose', 'test']);
});

test('a code is verified once, wrong guesses are not told, and no event has a code', async () => {
  const key = await keyWithWebhook({ channels: ['sms'], codeLength: 8 });
  const sent = await send(key);
  const code = String(channels.sms.sentTo(sent.phone)[0]?.code);
  const wrong = code === '00000000' ? '00000001' : '00000000';
  await service.call('/otp/verify', { phone: sent.phone, code: wrong }, key);
  await Promise.all(
    [1, 2, 3].map(() => service.call('/otp/verify', { phone: sent.phone, code }, key)),
  );
  const events = await eventsOf(key.companyId);
  assert.equal(events.filter(({ type }) => type === 'otp.verified').length, 1);
  const stored = await service.sql(`select * from webhook_event where company_id = $1`, [
    key.companyId,
  ]);
  assert(!JSON.stringify(stored).includes(code));
});

test('the click of a person is told with the message of the link; robots are not', async () => {
  const key = await keyWithWebhook({ channels: ['sms'] });
  const phone = service.phone();
  const { body } = await service.call(
    '/links/send',
    { phone, url: 'https://shop.kz/', channel: 'sms' },
    key,
  );
  const slug = String(body.short_url).split('/').at(-1) as string;
  const [link] = await service.sql<{ slug_key: string; message_id: string; recipient: string }>(
    'select slug_key, message_id, recipient::text as recipient from link where slug_key = $1',
    [slug.toLowerCase()],
  );
  const found = { ...link, company_id: key.companyId } as never;
  await service.ctx.db.inGroup(recordRobotClicks, found);
  const { locations } = service.ctx;
  const click = { link: found, isScan: false, agent: '', referrer: '', address: '', locations };
  await service.ctx.db.inGroup(recordPersonClicks, click);
  const clicks = (await eventsOf(key.companyId)).filter(({ type }) => type === 'link.clicked');
  const masked = `${phone.slice(0, 5)}***${phone.slice(-4)}`;
  assert.deepEqual(
    clicks.map(({ data }) => data),
    [
      {
        slug,
        short_url: `https://zh.kz/${slug}`,
        message_id: body.message_id,
        phone: masked,
        test: false,
      },
    ],
  );
});

test('a post to a group has the group, and no phone; a test key says so', async () => {
  const key = await keyWithWebhook({ isTest: true });
  const [group] = await service.sql<{ id: number }>(
    `insert into messenger_group (company_id, channel, name, chat_id) values ($1, 'telegram', 'Дежурные', '-1009') returning id`,
    [key.companyId],
  );
  await service.call('/group/send', { group: 'Дежурные', text: 'Привет' }, key);
  const [event] = await eventsOf(key.companyId);
  assert.deepEqual(
    [event?.type, event?.data.kind, event?.data.group_id, event?.data.phone, event?.data.test],
    ['message.sent', 'group', group?.id, undefined, true],
  );
});

test('a low balance and the end of a broadcast are told', async () => {
  const { companyId } = await keyWithWebhook();
  await service.sql('insert into balance_alert (company_id, threshold) values ($1, 100)', [
    companyId,
  ]);
  const low = { companyId, available: 50, threshold: 100 } as never;
  await markAnnounced(service.ctx.db, low);
  await markAnnounced(service.ctx.db, low);
  const id = newId(Date.now()) as string as BroadcastId;
  await service.sql(
    `insert into broadcast (id, company_id, name, state, recipients) values ($1, $2, 'Скидки', 'running', 7)`,
    [id, companyId],
  );
  await service.ctx.db.transaction((tx) => setEnded(tx, id, 'done'));
  const told = (await eventsOf(companyId)).map(({ type, data }) => ({ type, data }));
  assert.deepEqual(told, [
    { type: 'balance.low', data: { balance: 50, threshold: 100 } },
    {
      type: 'broadcast.finished',
      data: { broadcast_id: id, name: 'Скидки', state: 'done', recipients: 7 },
    },
  ]);
});

test('nothing is written for a company without an endpoint, nor for a type that none wants', async () => {
  const none = await service.key();
  await report(await send(none), 'read');
  const other = await keyWithWebhook({}, ['balance.low']);
  await report(await send(other), 'read');
  const gone = await service.key();
  const { id } = await rig.endpoint(gone.companyId, 'https://shop.kz/hook');
  await deleteWebhook(service.ctx, {}, { companyId: gone.companyId, id });
  await report(await send(gone), 'read');
  const left = await service.sql('select from webhook_outbox where company_id = any ($1)', [
    [none.companyId, other.companyId, gone.companyId],
  ]);
  assert.equal(left.length, 0);
});

test('a worker that dies between taking and writing loses nothing, and the next gives the same ids', async () => {
  const key = await keyWithWebhook();
  while ((await expand()) > 0);
  await report(await send(key), 'delivered');
  const idsIn = async (sql: Pick<typeof service.ctx.db, 'query'>) => {
    await expandOutbox(sql, LIMITS, '');
    const rows = await sql.query<{ id: string }>(
      'select id from webhook_event where company_id = $1',
      [key.companyId],
    );
    return rows.map(({ id }) => id).toSorted();
  };
  let first: string[] = [];
  await service.ctx.db
    .transaction(async (tx) => {
      first = await idsIn(tx);
      throw new Error('killed');
    })
    .catch(() => undefined);
  assert.equal(first.length, 2);
  assert.deepEqual(await idsIn(service.ctx.db), first);
});
