import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { settleWithRetry, sweepOnce, watchOnce } from '../../src/delivery/watch.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { hasLockWaiter, runConcurrently, until } from '../harness.ts';
import { useRestartedService } from '../money/two-nodes.ts';
import { acceptance, readMessage, reserveThenDie } from './dead-process.ts';
import { countSends, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const { service, restarted } = useRestartedService(channels);

test('a send whose process died keeps its hold until the lease ends, then becomes unknown and is not charged', async () => {
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
  assert.deepEqual(countSends(channels, phone), { whatsapp: 0, telegram: 0, sms: 0 });
});

test('a late receipt for a send whose process died marks it delivered and charges nothing', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  await service.passTime(40);
  await watchOnce(restarted());
  const ref = { companyId: key.companyId, messageId: id, attempt: 1 };
  assert.deepEqual(await recordReceipt(service.ctx, { ref, receipt: 'delivered' }), {
    isNew: true,
  });
  await settleWithRetry(service.ctx, acceptance(key, id));
  const timeline = await findTimeline(service.ctx.db, key.companyId, id);
  assert.equal(timeline?.state, 'delivered');
  assert.equal(timeline?.cost, 0);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('the code of a send whose process died stays valid, and the one-minute limit counts from that send', async () => {
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

test('a receipt for a message that is still being sent does not settle it', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  const ref = { companyId: key.companyId, messageId: id, attempt: 1 };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 8 });
  await service.passTime(40);
  await watchOnce(restarted());
  const timeline = await findTimeline(service.ctx.db, key.companyId, id);
  assert.equal(timeline?.state, 'delivered');
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('one round of the watch on several nodes settles hundreds of sends of a dead process', async () => {
  const keys = await runConcurrently(10, () => service.key({ balance: 1_000 }));
  const phones = Array.from({ length: 300 }, service.phone);
  await runConcurrently(300, (i) =>
    reserveThenDie(service, {
      key: keys[i % 10] as (typeof keys)[number],
      phone: phones[i] as string,
    }),
  );
  await service.passTime(40);
  await runConcurrently(4, (i) => watchOnce(i % 2 === 0 ? service.ctx : restarted()));
  for (const key of keys) {
    assert.deepEqual(await service.balance(key.companyId), { balance: 1_000, held: 0 });
  }
  const open = await service.sql(`select 1 from message where state = 'sending'`);
  assert.equal(open.length, 0);
});

for (const { name, look } of [
  { name: 'the watch takes', look: () => watchOnce(restarted()) },
  { name: 'the sweep finds', look: () => sweepOnce(restarted()) },
]) {
  test(`a send that is settled by its second attempt while ${name} it needs nothing more`, async () => {
    const key = await service.key();
    const id = await reserveThenDie(service, { key, phone: service.phone() });
    await service.passTime(40);
    await service.sql('update code set sealed = null where message_id = $1', [id]);
    await service.sql(
      `update watch set sweep_after = '0', swept_until = clock_timestamp() - interval '1 hour',
         sweep_to = clock_timestamp()`,
    );
    const { looking } = await service.ctx.db.transaction(async (tx) => {
      await tx.query(
        `update message set state = 'sent', channel = 'sms', attempt = 2, route = '', receipt = 'delivered', hold = 0
         where company_id = $1 and id = $2`,
        [key.companyId, id],
      );
      await tx.query('update account set held = 0 where company_id = $1', [key.companyId]);
      const settledMeanwhile = look();
      await until('the message is waited for', () => hasLockWaiter(service.sql));
      return { looking: settledMeanwhile };
    });
    await looking;
    const [message] = await service.sql<{ is_due: boolean }>(
      'select next_check_at > clock_timestamp() as is_due from message where id = $1',
      [id],
    );
    assert.deepEqual(message, { is_due: false });
  });
}
