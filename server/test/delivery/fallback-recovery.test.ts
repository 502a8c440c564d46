import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '../../src/context.ts';
import { fallBack, LEASE_SECONDS } from '../../src/delivery/fall-back.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { claimFallback, settleFallback } from '../../src/delivery/watch-store.ts';
import { newId } from '../../src/ids.ts';
import { hasLockWaiter, runConcurrently, until } from '../harness.ts';
import { useRestartedService } from '../money/two-nodes.ts';
import {
  claimThenDie,
  exceedFallbackTime,
  readMessage,
  type Sent,
  sendCode,
} from './dead-process.ts';
import { accepts, countSends, type Script, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const { service, restarted } = useRestartedService(channels);

const send = (settings?: Parameters<typeof service.key>[0]) => sendCode(service, settings);

async function attemptsOf({ id }: Sent): Promise<string[]> {
  const rows = await service.sql<{ channel: string; state: string }>(
    'select channel::text, state::text from attempt where message_id = $1 order by number',
    [id],
  );
  return rows.map(({ channel, state }) => `${channel} ${state}`);
}

/** Of a channel without receipts, so that an acceptance moves the charge at once. */
const outcomeOf = (attempt: number, price: number) => ({
  attempt,
  hasReceipts: false,
  state: 'accepted' as const,
  price,
  providerId: 'late',
  reason: null,
  checkSeconds: 30,
  cause: newId(Date.now()),
});

test('a fallback survives a restart: another process sends the same code', async () => {
  const sent = await send();
  await service.passTime(32);
  await watchOnce(restarted());
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
  const code = channels.telegram.sentTo(sent.phone)[0]?.code;
  assert.equal(code, channels.whatsapp.sentTo(sent.phone)[0]?.code);
  const verified = await service.call('/otp/verify', { phone: sent.phone, code }, sent.key);
  assert.equal(verified.status, 200);
});

test('when the process that recorded a failure receipt dies, the watch falls back', async () => {
  const sent = await send();
  await service.sql(`update message set receipt = 'failed', receipt_at = now() where id = $1`, [
    sent.id,
  ]);
  await service.passTime(32);
  await watchOnce(restarted());
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
});

test('a fallback claimed by a dead process becomes unknown after the lease, and the next channel is tried', async () => {
  const sent = await send();
  const message = await readMessage(service, sent.key, sent.id);
  await claimThenDie(service, message, { channel: 'telegram', route: 'sms', price: 3 });
  await watchOnce(restarted());
  assert.deepEqual(await attemptsOf(sent), ['whatsapp accepted', 'telegram sending']);

  await service.passTime(21);
  await watchOnce(restarted());
  assert.deepEqual(await attemptsOf(sent), [
    'whatsapp accepted',
    'telegram unknown',
    'sms accepted',
  ]);
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 1 });
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 5 });

  const late = await settleFallback(service.ctx.db, message, outcomeOf(2, 3));
  assert.equal(late, false, 'the late process finds its attempt already settled as unknown');
  assert.equal((await readMessage(service, sent.key, sent.id)).channel, 'sms');
  const ref = { companyId: sent.key.companyId, messageId: sent.id, attempt: 3 };
  await recordReceipt(service.ctx, { ref, receipt: 'delivered' });
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 42, held: 0 });
});

test('a claim of the last channel by a dead process releases its hold', async () => {
  const sent = await send({ channels: ['whatsapp', 'sms'] });
  const message = await readMessage(service, sent.key, sent.id);
  await claimThenDie(service, message, { channel: 'sms', route: '', price: 8 });
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 5 });
  await service.passTime(21);
  await watchOnce(restarted());
  assert.deepEqual(await attemptsOf(sent), ['whatsapp accepted', 'sms unknown']);
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 47, held: 0 });
  assert.equal(channels.sms.sentTo(sent.phone).length, 0);
});

test('a claim of the last channel by a dead process after a failure receipt becomes unknown too', async () => {
  const sent = await send({ channels: ['whatsapp', 'telegram'] });
  const message = await readMessage(service, sent.key, sent.id);
  await service.sql(`update message set receipt = 'failed', receipt_at = now() where id = $1`, [
    sent.id,
  ]);
  await claimThenDie(service, message, { channel: 'telegram', route: '', price: 3 });
  for (let round = 0; round < 3; round++) {
    await service.passTime(40);
    await watchOnce(restarted());
  }
  assert.deepEqual(await attemptsOf(sent), ['whatsapp accepted', 'telegram unknown']);
});

test('two nodes that fall back for one message 60 times at once call the next channel once', async () => {
  const sent = await send();
  const message = await readMessage(service, sent.key, sent.id);
  await exceedFallbackTime(service, message);
  await runConcurrently(60, (i) => fallBack(i % 2 === 0 ? service.ctx : restarted(), message));
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
  assert.deepEqual(await attemptsOf(sent), ['whatsapp accepted', 'telegram accepted']);
});

test('the watches of two nodes and 20 concurrent failure receipts call the next channel once', async () => {
  const all = await runConcurrently(20, () => send());
  await service.passTime(32);
  await Promise.all([
    ...all.map(({ key, id }) =>
      recordReceipt(service.ctx, {
        ref: { companyId: key.companyId, messageId: id, attempt: 1 },
        receipt: 'failed',
      }),
    ),
    runConcurrently(6, (i) => watchOnce(i % 2 === 0 ? service.ctx : restarted())),
  ]);
  for (const sent of all) {
    await until('telegram accepts', async () => {
      const message = await readMessage(service, sent.key, sent.id);
      return message.channel === 'telegram';
    });
    assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
  }
});

test('a fallback settled twice moves the charge once', async () => {
  const sent = await send({ channels: ['whatsapp', 'sms'] });
  const message = await readMessage(service, sent.key, sent.id);
  await claimThenDie(service, message, { channel: 'sms', route: '', price: 8 });
  const settled = await runConcurrently(20, (i) =>
    settleFallback((i % 2 === 0 ? service.ctx : restarted()).db, message, outcomeOf(2, 8)),
  );
  assert.equal(settled.filter((isSettled) => isSettled).length, 1);
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 42, held: 0 });
});

test('a slow process that settles just before the watch expires its claim wins', async () => {
  const sent = await send();
  const message = await readMessage(service, sent.key, sent.id);
  await claimThenDie(service, message, { channel: 'telegram', route: 'sms', price: 3 });
  await service.passTime(21);
  const ctx = restarted();
  // The critical moment: the slow process writes right after the watch has read the claim.
  const db: Context['db'] = {
    ...ctx.db,
    async query<Row>(text: string, values?: readonly unknown[], name?: string) {
      const rows = await ctx.db.query<Row>(text, values, name);
      if (name === 'take-due') await settleFallback(service.ctx.db, message, outcomeOf(2, 3));
      return rows;
    },
  };
  await watchOnce({ ...ctx, db });
  assert.deepEqual(await attemptsOf(sent), ['whatsapp accepted', 'telegram accepted']);
  assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 0 });
});

/** The failure receipt arrives before the provider answers the send. */
const acceptsAfterFailureReceipt: Script = async (message, signal) => {
  await recordReceipt(service.ctx, { ref: message.ref, receipt: 'failed', reason: 'Выключен' });
  // Leaves time for the fallback that the receipt starts.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return await accepts(message, signal);
};

for (const order of [
  ['whatsapp', 'telegram', 'sms'],
  ['whatsapp', 'sms', 'telegram'],
] as const) {
  test(`a failure receipt before a fallback is settled leaves no hold behind: ${order}`, async () => {
    const sent = await send({ channels: order, balance: 11 });
    channels[order[1]].onSend(sent.phone, acceptsAfterFailureReceipt);
    await service.passTime(32);
    await watchOnce(service.ctx);
    await until('every attempt is settled', async () => {
      const open = await service.sql(
        `select 1 from attempt where message_id = $1 and state = 'sending'`,
        [sent.id],
      );
      return open.length === 0;
    });
    const { balance, held } = await service.balance(sent.key.companyId);
    assert.equal(held, 0);
    const charged = (await readMessage(service, sent.key, sent.id)).charged;
    assert.equal(balance, 11 - charged);
    for (const count of Object.values(countSends(channels, sent.phone))) assert(count <= 1);
  });
}

test('recording a receipt and settling the fallback of the same message do not deadlock', async () => {
  const sent = await send();
  const message = await readMessage(service, sent.key, sent.id);
  await claimThenDie(service, message, { channel: 'telegram', route: 'sms', price: 3 });

  let settling: Promise<boolean> | undefined;
  await service.ctx.db.transaction(async (tx) => {
    await tx.query('select 1 from message where id = $1 for update', [sent.id]);
    settling = settleFallback(restarted().db, message, outcomeOf(2, 3));
    await until('settling waits for the message row', () => hasLockWaiter(service.sql));
    await tx.query(
      `select from record_receipts(array[$1::bigint], array[$2::uuid], array[2],
      array['delivered'::receipt], array[null::text], array[null::text])`,
      [sent.key.companyId, sent.id],
    );
  });
  assert.equal(await settling, true);
  assert.deepEqual(await attemptsOf(sent), ['whatsapp accepted', 'telegram accepted']);
  assert.equal((await readMessage(service, sent.key, sent.id)).receipt, 'delivered');
});

// Locks are taken in one order, message before account. A statement that waits for a message while
// holding the account would deadlock with settling.
for (const name of ['claiming', 'settling'] as const) {
  test(`${name} a fallback does not lock the account while it waits for the message`, async () => {
    const sent = await send();
    const message = await readMessage(service, sent.key, sent.id);
    const next = { channel: 'telegram', route: 'sms', price: 3, now: new Date() } as const;
    if (name === 'settling') await claimThenDie(service, message, next);

    let waiting: Promise<unknown> | undefined;
    await service.ctx.db.transaction(async (tx) => {
      await tx.query('select 1 from message where id = $1 for update', [sent.id]);
      const { db } = restarted();
      waiting =
        name === 'settling'
          ? settleFallback(db, message, outcomeOf(2, 3))
          : claimFallback(db, message, { attempt: 1, ...next, leaseSeconds: LEASE_SECONDS });
      await until('the statement waits for the message row', () => hasLockWaiter(service.sql));
      await service.sql('select 1 from account where company_id = $1 for update nowait', [
        sent.key.companyId,
      ]);
    });
    await waiting;
  });
}
