import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topUp } from '../../src/topups/top-up.ts';
import {
  answersUnavailable,
  answersUnknown,
  refuses,
  scriptedChannel,
} from '../delivery/scripted-channel.ts';
import { freshPhones, useService } from '../harness.ts';
import { createBroadcastRig } from './broadcast-rig.ts';

const sms = scriptedChannel('sms', ['code', 'text', 'broadcast']);
const telegram = scriptedChannel('telegram', ['code', 'text', 'broadcast']);
const service = useService({ providers: { sms, telegram } });
const rig = createBroadcastRig(
  () => service.ctx,
  (text, values) => service.sql(text, values),
);
const phone = freshPhones('+7702');
const phones = (count: number) => Array.from({ length: count }, phone);

test('every recipient gets the message once, and it is charged once', async () => {
  const companyId = await service.company(10_000);
  const to = phones(300);
  const id = await rig.draft(companyId, to);
  await rig.start(id);
  assert.equal((await rig.read(id)).state, 'scheduled');
  assert.equal((await rig.tick(id)).does, 'run');
  assert.equal((await rig.read(id)).held, 300 * 8);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 300 });
  for (const each of to) assert.equal(sms.sentTo(each).length, 1);
  assert.equal((await rig.tick(id)).does, 'end');
  const { state, held } = await rig.read(id);
  assert.deepEqual({ state, held }, { state: 'done', held: 0 });
  assert.deepEqual(await service.balance(companyId), { balance: 10_000 - 300 * 8, held: 0 });
});

test('a refusal goes to the next channel, an unknown outcome to none, and neither is sent twice', async () => {
  const companyId = await service.company(1_000);
  const [plain, refused, unknown, nowhere] = phones(4) as [string, string, string, string];
  telegram.onSend(refused, refuses);
  telegram.onSend(unknown, answersUnknown);
  telegram.onSend(nowhere, refuses);
  sms.onSend(nowhere, refuses);
  const id = await rig.draft(companyId, [plain, refused, unknown, nowhere], {
    channels: ['telegram', 'sms'],
  });
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { failed: 1, sent: 2, unknown: 1 });
  assert.equal(sms.sentTo(unknown).length, 0);
  assert.equal(sms.sentTo(refused).length, 1);
  assert.equal((await rig.tick(id)).does, 'end');
  assert.deepEqual(await service.balance(companyId), { balance: 1_000 - 3 - 8, held: 0 });
});

test('it pauses when the money ends, and a top-up lets it go on', async () => {
  const companyId = await service.company(100);
  const id = await rig.draft(companyId, phones(20));
  await rig.start(id);
  await rig.tick(id);
  assert.equal((await rig.read(id)).held, 100);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 12, waiting: 8 });
  const paused = await rig.read(id);
  assert.deepEqual([paused.state, paused.pause_reason], ['paused', 'money']);
  assert.equal((await rig.tick(id)).does, 'stay');
  await topUp(service.ctx, { companyId, amount: 1_000 } as Parameters<typeof topUp>[1]);
  assert.equal((await rig.tick(id)).does, 'run');
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 20 });
  assert.equal((await rig.tick(id)).does, 'end');
  assert.equal((await service.balance(companyId)).held, 0);
});

test('a recipient that finds no channel available waits again, and the broadcast pauses', async () => {
  const companyId = await service.company(1_000);
  const to = phones(40);
  for (const each of to) sms.onSend(each, answersUnavailable);
  const id = await rig.draft(companyId, to);
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { waiting: 40 });
  const paused = await rig.read(id);
  assert.deepEqual([paused.state, paused.pause_reason], ['paused', 'channel']);
  for (const each of to)
    sms.onSend(each, (message) => ({ result: 'accepted', providerId: message.ref.messageId }));
  await service.sql(`update broadcast set resume_at = clock_timestamp() where id = $1`, [id]);
  assert.equal((await rig.tick(id)).does, 'run');
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 40 });
  assert.equal((await rig.tick(id)).does, 'end');
});

test('nobody is claimed after a pause; a resumption goes on where it stood; a cancellation ends it', async () => {
  const companyId = await service.company(1_000);
  const id = await rig.draft(companyId, phones(10), { spreadMinutes: 60 });
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 1, waiting: 9 });
  assert.equal(await rig.pause(id), 0);
  await service.sql(`update broadcast set spread_minutes = null, pace_at = null where id = $1`, [
    id,
  ]);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 1, waiting: 9 });
  await rig.resume(id);
  await rig.cancel(id);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { cancelled: 9, sent: 1 });
  assert.deepEqual(await service.balance(companyId), { balance: 992, held: 0 });
});

test('a person who unsubscribed after the check gets nothing, from this company or from all', async () => {
  const companyId = await service.company(1_000);
  const to = phones(3);
  const id = await rig.draft(companyId, to);
  await service.sql(
    `insert into unsubscribed (phone, company_id, source) values ($1, $3, 'link'), ($2, null, 'word')`,
    [to[0]?.slice(1), to[1]?.slice(1), companyId],
  );
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 1, unsubscribed: 2 });
  assert.equal((await rig.tick(id)).does, 'end');
  assert.deepEqual(await service.balance(companyId), { balance: 992, held: 0 });
});
