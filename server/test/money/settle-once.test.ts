import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import type { SettledAttempt, Settlement } from '../../src/delivery/settle-store.ts';
import { settleWithRetry, watchOnce } from '../../src/delivery/watch.ts';
import type { MessageId } from '../../src/ids.ts';
import { acceptance, readMessage, reserveThenDie } from '../delivery/dead-process.ts';
import { runConcurrently } from '../harness.ts';
import { useTwoNodes } from './two-nodes.ts';

const { service, otherCtx } = useTwoNodes();

const nodeOf = (index: number) => (index % 2 === 0 ? service.ctx : otherCtx());

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
  const settled = await runConcurrently(2, (i) => settleWithRetry(nodeOf(i), acceptance(key, id)));
  assert.deepEqual(settled.map(({ isMoved }) => isMoved).sort(), [false, true]);
  for (const { charged } of settled) assert.equal(charged, 3);
  assert.deepEqual(await service.charges(key.companyId), [{ amount: -3, messages: 1 }]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('a message settled 100 times at once, also in the same batch, is charged once', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  const settlement: Settlement = { ...acceptance(key, id), attempts: refusedThenAccepted };
  await runConcurrently(100, (i) => settleWithRetry(nodeOf(i), settlement));
  assert.deepEqual(await service.charges(key.companyId), [{ amount: -3, messages: 1 }]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
  const attempts = await service.sql('select number from attempt where message_id = $1', [id]);
  assert.equal(attempts.length, 2);
});

test('when a batch settles one message twice, only one result has isMoved', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  const settled = await runConcurrently(2, () => settleWithRetry(service.ctx, acceptance(key, id)));
  assert.deepEqual(settled.map(({ isMoved }) => isMoved).sort(), [false, true]);
});

test('settling a settled message again moves nothing, whatever the new state', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  await settleWithRetry(service.ctx, acceptance(key, id));
  for (const state of ['sent', 'failed', 'unknown'] as const) {
    const again = await settleWithRetry(otherCtx(), { ...acceptance(key, id, 8), state });
    assert.equal(again.isMoved, false);
    assert.equal(again.state, 'sent');
    assert.equal(again.charged, 3);
  }
  assert.deepEqual(await service.charges(key.companyId), [{ amount: -3, messages: 1 }]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('settling after the watch has made the message unknown moves nothing', async () => {
  const key = await service.key();
  const id = await reserveThenDie(service, { key, phone: service.phone() });
  await service.passTime(40);
  await watchOnce(otherCtx());
  assert.equal((await readMessage(service, key, id)).state, 'unknown');
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });

  const late = await settleWithRetry(service.ctx, acceptance(key, id));
  assert.equal(late.isMoved, false);
  assert.equal(late.state, 'unknown');
  assert.equal(late.charged, 0);
  assert.deepEqual(await service.charges(key.companyId), []);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('settling while the watch of another node runs charges once or not at all', async () => {
  for (let round = 0; round < 10; round++) {
    const key = await service.key();
    const id = await reserveThenDie(service, { key, phone: service.phone() });
    await service.passTime(40);
    const [settled] = await Promise.all([
      settleWithRetry(service.ctx, acceptance(key, id)),
      watchOnce(otherCtx()),
    ]);
    const { balance, held } = await service.balance(key.companyId);
    assert.equal(held, 0);
    assert.equal(balance, settled.state === 'sent' ? 47 : 50);
  }
});

test('when two nodes record the same receipt, it is new to one of them', async () => {
  const key = await service.key();
  const phone = service.phone();
  const sent = await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
  const ref = {
    companyId: key.companyId,
    messageId: sent.body.message_id as MessageId,
    attempt: 1,
  };
  const recorded = await runConcurrently(2, (i) =>
    recordReceipt(nodeOf(i), { ref, receipt: 'read' }),
  );
  assert.deepEqual(recorded.map(({ isNew }) => isNew).sort(), [false, true]);
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});
