import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Receipt } from '../../src/channels/channel.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { runConcurrently } from '../harness.ts';
import { useRestartedService } from '../money/two-nodes.ts';
import { readMessage, type Sent } from './dead-process.ts';
import { accepts, countSends, refuses, scriptedChannels, throws } from './scripted-channel.ts';

const channels = scriptedChannels();
const { service, restarted } = useRestartedService(channels);

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
  const timeline = await findTimeline(service.ctx.db, key.companyId, id);
  assert(timeline);
  return timeline;
}

test('a duplicate receipt is not new', async () => {
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

test('hundreds of concurrent receipts on two nodes end in the best state and move no money', async () => {
  const all = await runConcurrently(20, () => send());
  const other = restarted();
  const kinds: Receipt[] = ['failed', 'read', 'delivered'];
  const recorded = await runConcurrently(600, (i) =>
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

test('a receipt for an unknown message or for another company changes nothing', async () => {
  const sent = await send();
  const otherCompany = await service.company();
  for (const ref of [
    { ...refOf(sent), messageId: newId(Date.now()) },
    { ...refOf(sent), companyId: otherCompany },
  ]) {
    assert.deepEqual(await recordReceipt(service.ctx, { ref, receipt: 'delivered' }), {
      isNew: false,
    });
  }
  assert.equal((await timelineOf(sent)).state, 'sent');
});

test('a receipt before settlement is kept, and the send is charged once', async () => {
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

test('a receipt of the second channel before settlement is in the timeline', async () => {
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

test('a failure receipt of the second channel before settlement causes a fallback', async () => {
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
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
});

test('a failure receipt of an earlier channel does not fail a message that a later channel accepted', async () => {
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

test('after a fallback, a delivered receipt of the first channel counts and a failure receipt does not', async () => {
  const delivered = await send({});
  const failed = await send({});
  await service.passTime(32);
  await watchOnce(service.ctx);
  for (const sent of [delivered, failed]) {
    assert.equal((await readMessage(service, sent.key, sent.id)).channel, 'telegram');
  }
  await recordReceipt(service.ctx, { ref: refOf(delivered), receipt: 'delivered' });
  await recordReceipt(service.ctx, { ref: refOf(failed), receipt: 'failed' });
  assert.equal((await timelineOf(delivered)).state, 'delivered');
  assert.equal((await timelineOf(failed)).state, 'sent');
  for (const sent of [delivered, failed]) {
    assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 0 });
  }
});
