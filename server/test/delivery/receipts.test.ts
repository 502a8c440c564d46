import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Receipt } from '../../src/channels/channel.ts';
import { recordReceipt } from '../../src/delivery/receipts/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { readTimeline } from '../../src/history/timeline.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import { type TestKey, together, useService } from '../harness.ts';
import { type OpenedContext, openContext } from '../money/two-nodes.ts';
import { readMessage } from './dead-process.ts';
import { accepts, countsFor, refuses, scriptedChannels, throws } from './scripted-channel.ts';

const channels = scriptedChannels();
let opened: OpenedContext | undefined;
after(async () => opened?.close());
const service = useService({ providers: channels });

type Sent = { key: TestKey; phone: string; id: MessageId };

async function send(
  body: object = { channel: 'whatsapp' },
  phone = service.phone(),
): Promise<Sent> {
  const key = await service.key();
  const sent = await service.call('/otp/send', { ...body, phone }, key);
  assert.equal(sent.status, 200);
  return { key, phone, id: sent.body.message_id as MessageId };
}

const refOf = ({ key, id }: Sent, attempt = 1) => ({
  companyId: key.companyId,
  messageId: id,
  attempt,
});

async function timelineOf({ key, id }: Sent) {
  const timeline = await readTimeline(service.ctx.db, key.companyId, id);
  assert(timeline);
  return timeline;
}

test('a receipt that comes twice is new once', async () => {
  const sent = await send();
  const report = { ref: refOf(sent), receipt: 'delivered' as const };
  assert.deepEqual(await recordReceipt(service.ctx, report), { isNew: true });
  assert.deepEqual(await recordReceipt(service.ctx, report), { isNew: false });
});

const orders: [Receipt[], Receipt][] = [
  [['delivered', 'read'], 'read'],
  [['read', 'delivered'], 'read'],
  [['delivered', 'failed'], 'delivered'],
  [['failed', 'delivered'], 'delivered'],
  [['read', 'failed', 'delivered'], 'read'],
];
for (const [receipts, final] of orders) {
  test(`${receipts.join(', then ')} ends as ${final}`, async () => {
    const sent = await send();
    for (const receipt of receipts) await recordReceipt(service.ctx, { ref: refOf(sent), receipt });
    assert.equal((await timelineOf(sent)).state, final);
  });
}

test('hundreds of receipts at once in any order on two nodes end as the best, and move no money', async () => {
  const all = await together(20, () => send());
  opened ??= openContext(service, channels);
  const other = opened.ctx;
  const kinds: Receipt[] = ['failed', 'read', 'delivered'];
  const recorded = await together(600, (i) =>
    recordReceipt(i % 2 === 0 ? service.ctx : other, {
      ref: refOf(all[i % 20] as Sent),
      receipt: kinds[Math.floor(i / 20) % 3] as Receipt,
    }),
  );
  assert(recorded.filter((one) => one.isNew).length >= 20);
  for (const sent of all) {
    assert.equal((await timelineOf(sent)).state, 'read');
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 0 });
  }
});

test('a receipt for a message nobody knows, or of another company, changes nothing', async () => {
  const sent = await send();
  const stranger = await service.company();
  for (const ref of [
    { ...refOf(sent), messageId: newId(Date.now()) },
    { ...refOf(sent), companyId: stranger },
  ]) {
    assert.deepEqual(await recordReceipt(service.ctx, { ref, receipt: 'delivered' }), {
      isNew: false,
    });
  }
  assert.equal((await timelineOf(sent)).state, 'sent');
});

test('a receipt that is faster than the settle is kept, and the send is charged once', async () => {
  const phone = service.phone();
  channels.whatsapp.onSend(phone, async (message, signal) => {
    await recordReceipt(service.ctx, { ref: message.ref, receipt: 'delivered' });
    return await accepts(message, signal);
  });
  const sent = await send({ channel: 'whatsapp' }, phone);
  const timeline = await timelineOf(sent);
  assert.equal(timeline.state, 'delivered');
  assert.equal(timeline.cost, 3);
  assert(timeline.steps.some(({ step }) => step === 'delivered'));
});

test('a receipt of the second channel that is faster than the settle is in its story', async () => {
  const phone = service.phone();
  channels.whatsapp.onSend(phone, refuses);
  channels.telegram.onSend(phone, async (message, signal) => {
    await recordReceipt(service.ctx, { ref: message.ref, receipt: 'delivered' });
    return await accepts(message, signal);
  });
  const sent = await send({}, phone);
  const timeline = await timelineOf(sent);
  assert.equal(timeline.state, 'delivered');
  const delivered = timeline.steps.filter(({ step }) => step === 'delivered');
  assert.deepEqual(
    delivered.map(({ channel }) => channel),
    ['telegram'],
  );
});

test('a failure receipt of the second channel that is faster than the settle falls back', async () => {
  const phone = service.phone();
  channels.whatsapp.onSend(phone, refuses);
  channels.telegram.onSend(phone, async (message, signal) => {
    await recordReceipt(service.ctx, { ref: message.ref, receipt: 'failed', reason: 'Выключен' });
    return await accepts(message, signal);
  });
  const sent = await send({}, phone);
  assert.equal((await readMessage(service, sent.key, sent.id)).receipt, 'failed');
  await service.passTime(32);
  await watchOnce(service.ctx);
  assert.deepEqual(countsFor(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
});

test('a failure of a channel that was given up does not fail the message of the next one', async () => {
  const phone = service.phone();
  channels.whatsapp.onSend(phone, throws);
  channels.telegram.onSend(phone, async (message, signal) => {
    const ref = { ...message.ref, attempt: 1 };
    await recordReceipt(service.ctx, { ref, receipt: 'failed', reason: 'Номера нет' });
    return await accepts(message, signal);
  });
  const sent = await send({}, phone);
  assert.equal((await timelineOf(sent)).state, 'sent');
});

test('after a fallback, good news about the first channel counts and bad news does not', async () => {
  const good = await send({});
  const bad = await send({});
  await service.passTime(32);
  await watchOnce(service.ctx);
  for (const sent of [good, bad]) {
    assert.equal((await readMessage(service, sent.key, sent.id)).channel, 'telegram');
  }
  await recordReceipt(service.ctx, { ref: refOf(good), receipt: 'delivered' });
  await recordReceipt(service.ctx, { ref: refOf(bad), receipt: 'failed' });
  assert.equal((await timelineOf(good)).state, 'delivered');
  assert.equal((await timelineOf(bad)).state, 'sent');
  for (const sent of [good, bad]) {
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 0 });
  }
});
