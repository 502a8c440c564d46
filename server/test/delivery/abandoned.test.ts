import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { recordReceipt } from '../../src/delivery/receipts/record-receipt.ts';
import { settleSurely, watchOnce } from '../../src/delivery/watch.ts';
import { readTimeline } from '../../src/history/timeline.ts';
import { together, useService } from '../harness.ts';
import { type OpenedContext, openContext } from '../money/two-nodes.ts';
import { acceptance, readMessage, reserveThenDie } from './dead-process.ts';
import { countsFor, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
let opened: OpenedContext | undefined;
after(async () => opened?.close());
const service = useService({ providers: channels });

function restarted() {
  opened ??= openContext(service, channels);
  return opened.ctx;
}

test('a send whose process died holds its money until the lease is over, then it is unknown and free', async () => {
  const key = await service.key();
  const phone = service.phone();
  const id = await reserveThenDie(service, { key, phone });
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 8 });
  await watchOnce(restarted());
  assert.equal((await readMessage(service, key, id)).state, 'sending');

  await service.passTime(40);
  await watchOnce(restarted());
  assert.equal((await readMessage(service, key, id)).state, 'unknown');
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  assert.deepEqual(countsFor(channels, phone), { whatsapp: 0, telegram: 0, sms: 0 });
});

test('its late receipt records the delivery and charges nothing', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  await service.passTime(40);
  await watchOnce(restarted());
  const ref = { companyId: key.companyId, messageId: id, attempt: 1 };
  assert.deepEqual(await recordReceipt(service.ctx, { ref, receipt: 'delivered' }), {
    isNew: true,
  });
  await settleSurely(service.ctx, acceptance(key, id));
  const timeline = await readTimeline(service.ctx.db, key.companyId, id);
  assert.equal(timeline?.state, 'delivered');
  assert.equal(timeline?.cost, 0);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('its code stays valid, and its minute counts from the send', async () => {
  const key = await service.key();
  const phone = service.phone();
  await reserveThenDie(service, { key, phone, code: '246810' });
  await service.passTime(40);
  await watchOnce(restarted());
  const soon = await service.call('/otp/send', { phone }, key);
  assert.equal(soon.body.error_code, 'send_rate_limited');
  assert.equal((await service.call('/otp/verify', { phone, code: '246810' }, key)).status, 200);
  await service.passTime(21);
  assert.equal((await service.call('/otp/send', { phone }, key)).status, 200);
});

test('a receipt that comes while the message is still under way does not settle it', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  const ref = { companyId: key.companyId, messageId: id, attempt: 1 };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 8 });
  await service.passTime(40);
  await watchOnce(restarted());
  const timeline = await readTimeline(service.ctx.db, key.companyId, id);
  assert.equal(timeline?.state, 'delivered');
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('hundreds of sends of a process that died are all given up in one round, whoever makes it', async () => {
  const keys = await together(10, () => service.key({ balance: 1_000 }));
  const phones = Array.from({ length: 300 }, service.phone);
  await together(300, (i) =>
    reserveThenDie(service, {
      key: keys[i % 10] as (typeof keys)[number],
      phone: phones[i] as string,
    }),
  );
  await service.passTime(40);
  await together(4, (i) => watchOnce(i % 2 === 0 ? service.ctx : restarted()));
  for (const key of keys) {
    assert.deepEqual(await service.balance(key.companyId), { balance: 1_000, held: 0 });
  }
  const open = await service.sql(`select 1 from message where state = 'sending'`);
  assert.equal(open.length, 0);
});
