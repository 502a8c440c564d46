import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Receipt } from '../../src/channels/channel.ts';
import { rememberIds } from '../../src/delivery/provider-id-store.ts';
import { recordReport } from '../../src/delivery/record-receipt.ts';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { runConcurrently, useService } from '../harness.ts';
import { scriptedChannels } from './scripted-channel.ts';

const service = useService({ providers: scriptedChannels() });
let ids = 0;

async function send() {
  const key = await service.key();
  const body = { phone: service.phone(), channel: 'sms' };
  const sent = await service.call('/otp/send', body, key);
  assert.equal(sent.status, 200);
  const ref = {
    companyId: key.companyId,
    messageId: sent.body.message_id as MessageId,
    attempt: 1,
  };
  const state = async () =>
    (await findTimeline(service.ctx.db, key.companyId, ref.messageId))?.state;
  const newId = () => `id-${++ids}`;
  const remember = (...own: string[]) =>
    service.ctx.db.inGroup(rememberIds, { ref, providerIds: own.map((id) => `smsc:${id}`) });
  return { ref, state, newId, remember };
}

const report = (providerId: string, receipt: Receipt, reason?: string) =>
  recordReport(service.ctx, 'smsc', { providerId, receipt, reason });

test('a receipt with the id of the provider finds its message', async () => {
  const { state, newId, remember } = await send();
  const id = newId();
  assert.equal(await remember(id), true);
  assert.equal(await state(), 'sent');
  await report(id, 'delivered');
  assert.equal(await state(), 'delivered');
  await report(id, 'failed');
  assert.equal(await state(), 'delivered', 'a delivered message does not fail later');
});

test('a receipt that arrives before the answer of the provider is kept and applied', async () => {
  const { state, newId, remember } = await send();
  const id = newId();
  await report(id, 'delivered');
  await report(id, 'read');
  await report(id, 'delivered');
  assert.equal(await state(), 'sent');
  await remember(id);
  assert.equal(await state(), 'delivered', 'an SMS is never shown as read');
});

test('a receipt and the answer at the same moment: the receipt is applied, whichever is first', async () => {
  const sends = await Promise.all(Array.from({ length: 60 }, send));
  const named = sends.map((sent) => ({ ...sent, id: sent.newId() }));
  await runConcurrently(named.length * 2, async (index) => {
    const sent = named[index >> 1] as (typeof named)[number];
    await (index % 2 === 0 ? sent.remember(sent.id) : report(sent.id, 'delivered'));
  });
  const states = await Promise.all(named.map(({ state }) => state()));
  assert.deepEqual(new Set(states), new Set(['delivered']));
});

test('an id that a provider gave to two messages is reported and stays with the first', async () => {
  const [first, second] = [await send(), await send()];
  const id = first.newId();
  assert.equal(await first.remember(id), true);
  assert.equal(await second.remember(id), false);
  assert.equal(await first.remember(id), true, 'a repeat is harmless');
  await report(id, 'delivered');
  assert.deepEqual([await first.state(), await second.state()], ['delivered', 'sent']);
});

test('ids of different providers do not collide', async () => {
  const { state, newId, remember } = await send();
  const id = newId();
  await remember(id);
  await recordReport(service.ctx, 'mobizon', { providerId: id, receipt: 'failed' });
  assert.equal(await state(), 'sent');
});

test('a multipart message is delivered when all parts are', async () => {
  const { state, newId, remember } = await send();
  const parts = [newId(), newId(), newId()] as const;
  await remember(...parts);
  await report(parts[0], 'delivered');
  await report(parts[2], 'delivered');
  await report(parts[2], 'delivered');
  assert.equal(await state(), 'sent');
  await report(parts[1], 'delivered');
  assert.equal(await state(), 'delivered');
});

test('a multipart message fails when one part fails', async () => {
  const { state, newId, remember } = await send();
  const parts = [newId(), newId()] as const;
  await remember(...parts);
  await report(parts[0], 'delivered');
  await report(parts[1], 'failed', 'Телефон выключен');
  assert.equal(await state(), 'failed');
});

test('receipts of parts that arrive at once and before the answer are all applied', async () => {
  const sends = await Promise.all(Array.from({ length: 30 }, send));
  const named = sends.map((sent) => ({ ...sent, parts: [sent.newId(), sent.newId()] as const }));
  await runConcurrently(named.length * 3, async (index) => {
    const sent = named[Math.floor(index / 3)] as (typeof named)[number];
    if (index % 3 === 0) await sent.remember(...sent.parts);
    else await report(sent.parts[index % 3 === 1 ? 0 : 1], 'delivered');
  });
  const states = await Promise.all(named.map(({ state }) => state()));
  assert.deepEqual(new Set(states), new Set(['delivered']));
});
