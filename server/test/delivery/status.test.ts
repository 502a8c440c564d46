import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipt } from '../../src/delivery/receipts/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { readTimeline } from '../../src/history/timeline.ts';
import type { MessageId } from '../../src/ids.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { readMessage } from './dead-process.ts';
import { countsFor, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

type Sent = { key: TestKey; phone: string; id: MessageId };

async function send(body: object = {}): Promise<Sent> {
  const key = await service.key();
  const phone = service.phone();
  const sent = await service.call('/otp/send', { ...body, phone }, key);
  assert.equal(sent.status, 200);
  return { key, phone, id: sent.body.message_id as MessageId };
}

async function timelineOf({ key, id }: Sent) {
  return await readTimeline(service.ctx.db, key.companyId, id);
}

async function afterFallbackTime(): Promise<void> {
  await service.passTime(32);
  await watchOnce(service.ctx);
}

test('WhatsApp that does not confirm an explicit send is shown in the words of the contract', async () => {
  const sent = await send({ channel: 'whatsapp' });
  await service.passTime(20);
  await watchOnce(service.ctx);
  assert.equal((await timelineOf(sent))?.state, 'sent', 'not before its time');

  await service.passTime(12);
  await watchOnce(service.ctx);
  const timeline = await timelineOf(sent);
  assert.equal(timeline?.state, 'unconfirmed');
  assert.deepEqual(
    timeline?.steps.filter(({ step }) => step === 'unconfirmed').map(({ text }) => text),
    ['WhatsApp не подтвердил доставку. Проверьте, правильно ли указан номер'],
  );
  assert.equal(timeline?.cost, 3, 'it was accepted, so it stays charged');
  assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 0 });
});

test('a confirmation after that still counts', async () => {
  const sent = await send({ channel: 'whatsapp' });
  await afterFallbackTime();
  const ref = { companyId: sent.key.companyId, messageId: sent.id, attempt: 1 };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  assert.equal((await timelineOf(sent))?.state, 'delivered');
});

test('the provider is asked before a fallback, and a delivery it knows of prevents it', async () => {
  const sent = await send();
  channels.whatsapp.onAsk(sent.phone, () => Promise.resolve({ receipt: 'delivered' }));
  await afterFallbackTime();
  const [question] = channels.whatsapp.askedAbout(sent.phone);
  assert.deepEqual(question?.ref, {
    companyId: sent.key.companyId,
    messageId: sent.id,
    attempt: 1,
  });
  assert(Number(question?.secondsAgo) >= 30);
  assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 0 });
  assert.equal((await timelineOf(sent))?.state, 'delivered');
});

test('a failure that the provider knows of falls back', async () => {
  const sent = await send();
  channels.whatsapp.onAsk(sent.phone, () =>
    Promise.resolve({ receipt: 'failed', reason: 'Телефон выключен' }),
  );
  await afterFallbackTime();
  await until('telegram accepts', async () => {
    return (await readMessage(service, sent.key, sent.id)).channel === 'telegram';
  });
  assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
});

test('an explicit send is asked about too before it is called unconfirmed', async () => {
  const sent = await send({ channel: 'whatsapp' });
  channels.whatsapp.onAsk(sent.phone, () => Promise.resolve({ receipt: 'read' }));
  await afterFallbackTime();
  assert.equal((await timelineOf(sent))?.state, 'read');
});

test('a provider that cannot say now does not hold the fallback up', async (t) => {
  t.mock.method(service.ctx.log, 'error', () => undefined);
  const sent = await send();
  channels.whatsapp.onAsk(sent.phone, () => Promise.reject(new Error('status service is down')));
  await afterFallbackTime();
  await afterFallbackTime();
  assert.equal(channels.telegram.sentTo(sent.phone).length, 1);
});

test('a provider that hangs when it is asked stops neither the fallback nor the watch', async () => {
  const sent = await send();
  let letGo: (() => void) | undefined;
  channels.whatsapp.onAsk(sent.phone, () => {
    return new Promise((resolve) => {
      letGo = () => resolve({ receipt: 'delivered' });
    });
  });
  await service.passTime(32);
  const round = watchOnce(service.ctx).then(() => 'over');
  const tooLong = new Promise((resolve) => setTimeout(resolve, 6_000, 'hangs').unref());
  const outcome = await Promise.race([round, tooLong]);
  letGo?.();
  await round;
  assert.equal(outcome, 'over');
  assert.equal(channels.telegram.sentTo(sent.phone).length, 1);
});
