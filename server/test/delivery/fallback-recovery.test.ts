import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Context } from '../../src/context.ts';
import { fallBack, LEASE_SECONDS } from '../../src/delivery/fall-back.ts';
import { recordReceipt } from '../../src/delivery/receipts/record-receipt.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { claimFallback, settleFallback } from '../../src/delivery/watch-store.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import { isSomebodyWaiting, type TestKey, together, until, useService } from '../harness.ts';
import { type OpenedContext, openContext } from '../money/two-nodes.ts';
import { claimThenDie, readMessage, stayedSilent } from './dead-process.ts';
import { accepts, countsFor, type Script, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
let opened: OpenedContext | undefined;
after(async () => opened?.close());
const service = useService({ providers: channels });

/** The process after a restart: it has nothing in memory. */
function restarted(): Context {
  opened ??= openContext(service, channels);
  return opened.ctx;
}

type Sent = { key: TestKey; phone: string; id: MessageId };

async function send(settings: Parameters<typeof service.key>[0] = {}): Promise<Sent> {
  const key = await service.key(settings);
  const phone = service.phone();
  const sent = await service.call('/otp/send', { phone }, key);
  assert.equal(sent.status, 200);
  return { key, phone, id: sent.body.message_id as MessageId };
}

async function attemptsOf({ id }: Sent): Promise<string[]> {
  const rows = await service.sql<{ channel: string; state: string }>(
    'select channel::text, state::text from attempt where message_id = $1 order by number',
    [id],
  );
  return rows.map(({ channel, state }) => `${channel} ${state}`);
}

const outcomeOf = (attempt: number, price: number) => ({
  attempt,
  state: 'accepted' as const,
  price,
  providerId: 'late',
  reason: null,
  lookSeconds: 30,
  cause: newId(Date.now()),
});

test('a fallback survives a restart: another process sends the same code', async () => {
  const sent = await send();
  await service.passTime(32);
  await watchOnce(restarted());
  assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
  const code = channels.telegram.sentTo(sent.phone)[0]?.code;
  assert.equal(code, channels.whatsapp.sentTo(sent.phone)[0]?.code);
  const verified = await service.call('/otp/verify', { phone: sent.phone, code }, sent.key);
  assert.equal(verified.status, 200);
});

test('a failure receipt whose process died before the fallback is picked up by the watch', async () => {
  const sent = await send();
  await service.sql(`update message set receipt = 'failed', receipt_at = now() where id = $1`, [
    sent.id,
  ]);
  await service.passTime(32);
  await watchOnce(restarted());
  assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
});

test('a claimed fallback whose process died is unknown after the lease, and the next channel is asked', async () => {
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
  assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 1 });
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 42, held: 0 });

  const late = await settleFallback(service.ctx.db, message, outcomeOf(2, 3));
  assert.equal(late, false, 'the late process finds its attempt taken for unknown');
  assert.equal((await readMessage(service, sent.key, sent.id)).channel, 'sms');
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 42, held: 0 });
});

test('a dead claim of the last channel gives back what it held', async () => {
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

test('a dead claim of the last channel after a failure receipt is taken for unknown too', async () => {
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

test('two nodes that fall back for one message 60 times at once ask the next channel once', async () => {
  const sent = await send();
  const message = await readMessage(service, sent.key, sent.id);
  await stayedSilent(service, message);
  await together(60, (i) => fallBack(i % 2 === 0 ? service.ctx : restarted(), message));
  assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
  assert.deepEqual(await attemptsOf(sent), ['whatsapp accepted', 'telegram accepted']);
});

test('the watches of two nodes and 20 failure receipts at once ask the next channel once', async () => {
  const all = await together(20, () => send());
  await service.passTime(32);
  await Promise.all([
    ...all.map(({ key, id }) =>
      recordReceipt(service.ctx, {
        ref: { companyId: key.companyId, messageId: id, attempt: 1 },
        receipt: 'failed',
      }),
    ),
    together(6, (i) => watchOnce(i % 2 === 0 ? service.ctx : restarted())),
  ]);
  for (const sent of all) {
    await until('telegram accepts', async () => {
      const message = await readMessage(service, sent.key, sent.id);
      return message.channel === 'telegram';
    });
    assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
  }
});

test('a fallback settled twice moves the charge once', async () => {
  const sent = await send({ channels: ['whatsapp', 'sms'] });
  const message = await readMessage(service, sent.key, sent.id);
  await claimThenDie(service, message, { channel: 'sms', route: '', price: 8 });
  const settled = await together(20, (i) =>
    settleFallback((i % 2 === 0 ? service.ctx : restarted()).db, message, outcomeOf(2, 8)),
  );
  assert.equal(settled.filter((isSettled) => isSettled).length, 1);
  assert.deepEqual(await service.balance(sent.key.companyId), { balance: 42, held: 0 });
});

test('a slow process that settles just before the watch gives its claim up is not overtaken', async () => {
  const sent = await send();
  const message = await readMessage(service, sent.key, sent.id);
  await claimThenDie(service, message, { channel: 'telegram', route: 'sms', price: 3 });
  await service.passTime(21);
  const ctx = restarted();
  // The one moment that matters: the watch has read the claim, and then the slow process writes.
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
  assert.deepEqual(countsFor(channels, sent.phone), { whatsapp: 1, telegram: 0, sms: 0 });
});

/** Its receipt is faster than its answer. */
const acceptsButFailsFirst: Script = async (message, signal) => {
  await recordReceipt(service.ctx, { ref: message.ref, receipt: 'failed', reason: 'Выключен' });
  // What the receipt sets off has every chance to run before the answer.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return await accepts(message, signal);
};

for (const order of [
  ['whatsapp', 'telegram', 'sms'],
  ['whatsapp', 'sms', 'telegram'],
] as const) {
  test(`a failure receipt that beats the settle of a fallback leaves no hold behind: ${order}`, async () => {
    const sent = await send({ channels: order, balance: 11 });
    channels[order[1]].onSend(sent.phone, acceptsButFailsFirst);
    await service.passTime(32);
    await watchOnce(service.ctx);
    await until('no attempt is open', async () => {
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
    for (const count of Object.values(countsFor(channels, sent.phone))) assert(count <= 1);
  });
}

test('a receipt and the settling of its fallback wait for each other and never deadlock', async () => {
  const sent = await send();
  const message = await readMessage(service, sent.key, sent.id);
  await claimThenDie(service, message, { channel: 'telegram', route: 'sms', price: 3 });

  let settling: Promise<boolean> | undefined;
  await service.ctx.db.transaction(async (tx) => {
    await tx.query('select 1 from message where id = $1 for update', [sent.id]);
    settling = settleFallback(restarted().db, message, outcomeOf(2, 3));
    await until('the settling waits for the message', () => isSomebodyWaiting(service.sql));
    await tx.query(
      `select from record_receipts(array[$1::bigint], array[$2::uuid], array[2],
      array['delivered'::receipt], array[null::text])`,
      [sent.key.companyId, sent.id],
    );
  });
  assert.equal(await settling, true);
  assert.deepEqual(await attemptsOf(sent), ['whatsapp accepted', 'telegram accepted']);
  assert.equal((await readMessage(service, sent.key, sent.id)).receipt, 'delivered');
});

/** Whoever holds a message meets the settling of others; nobody who waits for it may hold their account. */
for (const name of ['claiming', 'settling'] as const) {
  test(`${name} a fallback that waits for its message keeps nobody from the account`, async () => {
    const sent = await send();
    const message = await readMessage(service, sent.key, sent.id);
    const next = { channel: 'telegram', route: 'sms', price: 3 } as const;
    if (name === 'settling') await claimThenDie(service, message, next);

    let waiting: Promise<unknown> | undefined;
    await service.ctx.db.transaction(async (tx) => {
      await tx.query('select 1 from message where id = $1 for update', [sent.id]);
      const { db } = restarted();
      waiting =
        name === 'settling'
          ? settleFallback(db, message, outcomeOf(2, 3))
          : claimFallback(db, message, { attempt: 1, ...next, leaseSeconds: LEASE_SECONDS });
      await until('it waits for the message', () => isSomebodyWaiting(service.sql));
      await service.sql('select 1 from account where company_id = $1 for update nowait', [
        sent.key.companyId,
      ]);
    });
    await waiting;
  });
}
