import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { until, useService } from '../harness.ts';
import { readMessage, type Sent } from './dead-process.ts';
import { countSends, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

async function send(body: object = {}): Promise<Sent> {
  const key = await service.key();
  const phone = service.phone();
  const sent = await service.call('/otp/send', { ...body, phone }, key);
  assert.equal(sent.status, 200);
  return { key, phone, id: sent.body.message_id as MessageId };
}

async function timelineOf({ key, id }: Sent) {
  return await findTimeline(service.ctx.db, key.companyId, id);
}

async function afterFallbackTime(): Promise<void> {
  await service.passTime(32);
  await watchOnce(service.ctx);
}

test('an explicit WhatsApp send without a receipt is shown with the text of the contract', async () => {
  const sent = await send({ channel: 'whatsapp' });
  await service.passTime(20);
  await watchOnce(service.ctx);
  assert.equal((await timelineOf(sent))?.state, 'sent', 'not before the fallback time');

  await service.passTime(12);
  await watchOnce(service.ctx);
  const timeline = await timelineOf(sent);
  assert.equal(timeline?.state, 'unconfirmed');
  assert.deepEqual(
    timeline?.steps.filter(({ step }) => step === 'unconfirmed').map(({ text }) => text),
    ['WhatsApp не подтвердил доставку. Проверьте, правильно ли указан номер'],
  );
  assert.equal(timeline?.cost, 3, 'an accepted send stays charged');
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 0 });
});

test('a receipt after the unconfirmed state still counts', async () => {
  const sent = await send({ channel: 'whatsapp' });
  await afterFallbackTime();
  const ref = { companyId: sent.key.companyId, messageId: sent.id, attempt: 1 };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  assert.equal((await timelineOf(sent))?.state, 'delivered');
});

test('the provider is queried before a fallback, and a known delivery prevents it', async () => {
  const sent = await send();
  channels.whatsapp.onStatusQuery(sent.phone, () => Promise.resolve({ receipt: 'delivered' }));
  await afterFallbackTime();
  const [query] = channels.whatsapp.statusQueriesFor(sent.phone);
  assert.deepEqual(query?.ref, {
    companyId: sent.key.companyId,
    messageId: sent.id,
    attempt: 1,
  });
  assert(Number(query?.secondsAgo) >= 30);
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 0 });
  assert.equal((await timelineOf(sent))?.state, 'delivered');
});

test('a failure reported by the status query falls back', async () => {
  const sent = await send();
  channels.whatsapp.onStatusQuery(sent.phone, () =>
    Promise.resolve({ receipt: 'failed', reason: 'Телефон выключен' }),
  );
  await afterFallbackTime();
  await until('telegram accepts', async () => {
    return (await readMessage(service, sent.key, sent.id)).channel === 'telegram';
  });
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
});

test('an explicit send is queried too before it becomes unconfirmed', async () => {
  const sent = await send({ channel: 'whatsapp' });
  channels.whatsapp.onStatusQuery(sent.phone, () => Promise.resolve({ receipt: 'read' }));
  await afterFallbackTime();
  assert.equal((await timelineOf(sent))?.state, 'read');
});

test('a failing status query does not hold up the fallback', async (t) => {
  t.mock.method(service.ctx.log, 'error', () => undefined);
  const sent = await send();
  channels.whatsapp.onStatusQuery(sent.phone, () =>
    Promise.reject(new Error('status service is down')),
  );
  await afterFallbackTime();
  await afterFallbackTime();
  assert.equal(channels.telegram.sentTo(sent.phone).length, 1);
});

test('a hanging status query blocks neither the fallback nor the watch', async () => {
  const sent = await send();
  let release: (() => void) | undefined;
  channels.whatsapp.onStatusQuery(sent.phone, () => {
    return new Promise((resolve) => {
      release = () => resolve({ receipt: 'delivered' });
    });
  });
  await service.passTime(32);
  const round = watchOnce(service.ctx).then(() => 'over');
  const tooLong = new Promise((resolve) => setTimeout(resolve, 6_000, 'hangs').unref());
  const outcome = await Promise.race([round, tooLong]);
  release?.();
  await round;
  assert.equal(outcome, 'over');
  assert.equal(channels.telegram.sentTo(sent.phone).length, 1);
});
