import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipt } from '../../src/delivery/receipts/record-receipt.ts';
import type { SettledAttempt, Settlement } from '../../src/delivery/settle-store.ts';
import { settleSurely, watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { acceptance, readMessage, reserveThenDie } from '../delivery/dead-process.ts';
import { type TestKey, together } from '../harness.ts';
import { useTwoNodes } from './two-nodes.ts';

const { service, otherCtx } = useTwoNodes();

const nodeOf = (index: number) => (index % 2 === 0 ? service.ctx : otherCtx());

async function chargesOf(key: TestKey) {
  return await service.sql<{ amount: number; messages: number }>(
    `select amount, messages from entry where company_id = $1 and kind = 'charge'`,
    [key.companyId],
  );
}

const refusedThenAccepted: SettledAttempt[] = (['whatsapp', 'telegram'] as const).map(
  (channel, i) => ({
    channel,
    state: i === 0 ? 'refused' : 'accepted',
    reason: null,
    providerId: null,
    price: 3,
    startedSecondsAgo: 2 - i,
    settledSecondsAgo: 1 - i,
  }),
);

test('two nodes that settle the same message charge it once', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 8 });
  const settled = await together(2, (i) => settleSurely(nodeOf(i), acceptance(key, id)));
  assert.deepEqual(settled.map((one) => one.isMoved).sort(), [false, true]);
  for (const one of settled) assert.equal(one.charged, 3);
  assert.deepEqual(await chargesOf(key), [{ amount: -3, messages: 1 }]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('a message settled 100 times at once, also within one batch, is charged once', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  const settlement: Settlement = { ...acceptance(key, id), attempts: refusedThenAccepted };
  await together(100, (i) => settleSurely(nodeOf(i), settlement));
  assert.deepEqual(await chargesOf(key), [{ amount: -3, messages: 1 }]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  const attempts = await service.sql('select number from attempt where message_id = $1', [id]);
  assert.equal(attempts.length, 2);
});

test('of a batch that settles one message twice, one is told that it moved it', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  const settled = await together(2, () => settleSurely(service.ctx, acceptance(key, id)));
  assert.deepEqual(settled.map((one) => one.isMoved).sort(), [false, true]);
});

test('a settled message settled again moves nothing, whatever the second one says', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  await settleSurely(service.ctx, acceptance(key, id));
  for (const state of ['sent', 'failed', 'unknown'] as const) {
    const again = await settleSurely(otherCtx(), { ...acceptance(key, id, 8), state });
    assert.equal(again.isMoved, false);
    assert.equal(again.state, 'sent');
    assert.equal(again.charged, 3);
  }
  assert.deepEqual(await chargesOf(key), [{ amount: -3, messages: 1 }]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('a settle that comes after the watch has given the message up moves nothing', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  await service.passTime(40);
  await watchOnce(otherCtx());
  assert.equal((await readMessage(service, key, id)).state, 'unknown');
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });

  const late = await settleSurely(service.ctx, acceptance(key, id));
  assert.equal(late.isMoved, false);
  assert.equal(late.state, 'unknown');
  assert.equal(late.charged, 0);
  assert.deepEqual(await chargesOf(key), []);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('the watch of another node and the settle at the same moment: charged once or not at all', async () => {
  for (let round = 0; round < 10; round++) {
    const key = await service.key();
    const id = await reserveThenDie(service, { key, phone: service.phone() });
    await service.passTime(40);
    const [settled] = await Promise.all([
      settleSurely(service.ctx, acceptance(key, id)),
      watchOnce(otherCtx()),
    ]);
    const { balance, held } = await service.balance(key.companyId);
    assert.equal(held, 0);
    assert.equal(balance, settled.state === 'sent' ? 47 : 50);
  }
});

test('two nodes that record the same receipt: it is new to one of them', async () => {
  const key = await service.key();
  const phone = service.phone();
  const sent = await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
  const ref = {
    companyId: key.companyId,
    messageId: sent.body.message_id as MessageId,
    attempt: 1,
  };
  const recorded = await together(2, (i) => recordReceipt(nodeOf(i), { ref, receipt: 'read' }));
  assert.deepEqual(recorded.map((one) => one.isNew).sort(), [false, true]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});
