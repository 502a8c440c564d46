import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { type TestKey, useService } from '../harness.ts';
import {
  accepts,
  answersUnavailable,
  answersUnknown,
  countSends,
  refuses,
  rejects,
  type Script,
  scriptedChannels,
  throws,
} from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

async function stepsOf(key: TestKey, id: unknown) {
  const timeline = await findTimeline(service.ctx.db, key.companyId, id as MessageId);
  return timeline?.steps.map(({ step, channel }) => (channel ? `${channel} ${step}` : step));
}

async function recentSendsOf(key: TestKey): Promise<Date[]> {
  const rows = await service.sql<{ recent: Date[] }>(
    'select recent from recent_sends where company_id = $1',
    [key.companyId],
  );
  return rows[0]?.recent ?? [];
}

const failures: Record<string, [Script, string]> = {
  'a refusal': [refuses, 'refused'],
  'an unavailable channel': [answersUnavailable, 'unavailable'],
  'a broken connection': [answersUnknown, 'unknown'],
  'an adapter that throws': [throws, 'unknown'],
  'an adapter that rejects': [rejects, 'unknown'],
};
for (const [failure, [script, step]] of Object.entries(failures)) {
  test(`auto goes on to the next channel after ${failure}, and charges for the next one`, async () => {
    const key = await service.key();
    const phone = service.phone();
    channels.whatsapp.onSend(phone, script);
    const sent = await service.call('/otp/send', { phone }, key);
    assert.equal(sent.status, 200);
    assert.equal(sent.body.channel, 'telegram');
    assert.equal(sent.body.cost, 3);
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 0 });
    const [message] = channels.telegram.sentTo(phone);
    assert.equal(message?.code, channels.whatsapp.sentTo(phone)[0]?.code, 'the same code');
    assert.deepEqual(await stepsOf(key, sent.body.message_id), [
      'accepted',
      'whatsapp attempt',
      `whatsapp ${step}`,
      'telegram fallback',
      'telegram sent',
    ]);
    const verified = await service.call('/otp/verify', { phone, code: message?.code }, key);
    assert.equal(verified.status, 200);
    assert.equal((await service.balance(key.companyId)).balance, 47);
  });
}

test('SMS is charged as SMS when both messengers refuse', async () => {
  const key = await service.key();
  const phone = service.phone();
  channels.whatsapp.onSend(phone, refuses);
  channels.telegram.onSend(phone, answersUnavailable);
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.body.channel, 'sms');
  assert.equal(sent.body.cost, 8);
  assert.equal(sent.body.balance, 42);
});

test('auto tries channels in the order of the key and skips disabled ones', async () => {
  const key = await service.key({ channels: ['sms', 'whatsapp'] });
  const phone = service.phone();
  channels.sms.onSend(phone, refuses);
  channels.whatsapp.onSend(phone, refuses);
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.status, 502);
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 1 });
});

test('when all channels refuse: 502, no charge, no valid code, and the send does not count against limits', async () => {
  const key = await service.key();
  const phone = service.phone();
  for (const channel of Object.values(channels)) channel.onSend(phone, refuses);
  const refused = await service.call('/otp/send', { phone }, key);
  assert.equal(refused.status, 502);
  assert.equal(refused.body.error_code, 'delivery_failed');
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  assert.deepEqual(await recentSendsOf(key), []);
  const code = channels.whatsapp.sentTo(phone)[0]?.code;
  const guess = await service.call('/otp/verify', { phone, code }, key);
  assert.equal(guess.body.error_code, 'code_not_found');

  channels.telegram.onSend(phone, () => ({ result: 'accepted', providerId: 'now it works' }));
  const again = await service.call('/otp/send', { phone }, key);
  assert.equal(again.status, 200);
  assert.equal((await recentSendsOf(key)).length, 1);
});

test('a failed send removes only its own entry from recent_sends', async () => {
  const key = await service.key();
  const phone = service.phone();
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
  await service.passTime(61);
  const [first] = await recentSendsOf(key);
  for (const channel of Object.values(channels)) channel.onSend(phone, answersUnavailable);
  for (let i = 0; i < 12; i++) {
    assert.equal(
      (await service.call('/otp/send', { phone }, key)).status,
      502,
      'failed sends do not count against limits',
    );
  }
  assert.deepEqual(await recentSendsOf(key), [first]);
});

test('none accepted and one unknown: 504, the code is valid, the send counts against limits, no charge', async () => {
  const key = await service.key();
  const phone = service.phone();
  channels.whatsapp.onSend(phone, refuses);
  channels.telegram.onSend(phone, answersUnknown);
  channels.sms.onSend(phone, refuses);
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.status, 504);
  assert.equal(sent.body.error_code, 'delivery_unconfirmed');
  assert.equal(sent.body.success, false);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  const soon = await service.call('/otp/send', { phone }, key);
  assert.equal(soon.body.error_code, 'send_rate_limited');

  const ref = {
    companyId: key.companyId,
    messageId: sent.body.message_id as MessageId,
    attempt: 2,
  };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  const code = channels.telegram.sentTo(phone)[0]?.code;
  assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
  await service.passTime(62);
  await watchOnce(service.ctx);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
  const timeline = await findTimeline(service.ctx.db, key.companyId, ref.messageId);
  assert.equal(timeline?.state, 'delivered');
  assert.equal(timeline?.cost, 0);
});

test('an unconfirmed send repeated with its Idempotency-Key gets the same 504 and is sent once', async () => {
  const key = await service.key();
  const body = { phone: service.phone(), channel: 'whatsapp' };
  channels.whatsapp.onSend(body.phone, answersUnknown);
  const send = () =>
    service.call('/otp/send', body, { ...key, headers: { 'idempotency-key': 'once' } });
  const first = await send();
  assert.equal(first.status, 504);
  // The one-minute limit of the phone is over, so it cannot be what answers.
  await service.passTime(61);
  for (let repeat = 1; repeat <= 2; repeat++) {
    const again = await send();
    assert.equal(again.status, 504);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(again.body.message_id, first.body.message_id);
  }
  assert.deepEqual(countSends(channels, body.phone), { whatsapp: 1, telegram: 0, sms: 0 });
});

test('the one-minute limit of a phone starts when a channel accepts, however long it took', async () => {
  const key = await service.key();
  const phone = service.phone();
  channels.whatsapp.onSend(phone, async (message, signal) => {
    await service.passTime(40);
    return await accepts(message, signal);
  });
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
  // Seventy seconds after the request, thirty after the acceptance.
  await service.passTime(30);
  const soon = await service.call('/otp/send', { phone }, key);
  assert.equal(soon.body.error_code, 'send_rate_limited');
  assert(Number(soon.body.retry_after) <= 30, `${soon.body.retry_after} s`);
  await service.passTime(30);
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
});

for (const [script, status] of [
  [refuses, 502],
  [answersUnavailable, 502],
  [answersUnknown, 504],
  [throws, 504],
] as const) {
  test(`an explicit channel has no fallback, neither immediate nor later: ${script.name}`, async () => {
    const key = await service.key();
    const phone = service.phone();
    channels.whatsapp.onSend(phone, script);
    const sent = await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
    assert.equal(sent.status, status);
    assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
    await service.passTime(40);
    await watchOnce(service.ctx);
    assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 0, sms: 0 });
  });
}

test('every attempt has its own number, so that receipts can be matched to it', async () => {
  const key = await service.key();
  const phone = service.phone();
  channels.whatsapp.onSend(phone, refuses);
  channels.telegram.onSend(phone, refuses);
  await service.call('/otp/send', { phone }, key);
  const refs = Object.values(channels).map((channel) => channel.sentTo(phone)[0]?.ref.attempt);
  assert.deepEqual(refs, [1, 2, 3]);
});
