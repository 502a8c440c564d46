import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RefusedSend } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/sql.ts';
import { isDatabaseAway } from '../../src/db/sql-errors.ts';
import { refuseSends } from '../../src/delivery/refusal-store.ts';
import { type Reserved, reserve } from '../../src/delivery/reserve-store.ts';
import { settle } from '../../src/delivery/settle-store.ts';
import { settleWithRetry, sweepOnce, watchOnce } from '../../src/delivery/watch.ts';
import {
  claimFallback,
  findFallbackMessage,
  settleFallback,
} from '../../src/delivery/watch-store.ts';
import { newId } from '../../src/ids.ts';
import { hasLockWaiter, type TestKey, until, useService } from '../harness.ts';
import { connectionOf } from '../money/two-nodes.ts';
import { acceptance, exceedFallbackTime, readMessage, reservationOf } from './dead-process.ts';
import { scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

async function prepare() {
  const key = await service.key();
  const reservation = reservationOf(service, { key, phone: service.phone(), code: '246810' });
  const refused: RefusedSend = {
    companyId: key.companyId,
    id: reservation.id,
    keyId: key.keyId,
    kind: 'otp',
    isTest: false,
    recipient: reservation.recipient,
    requestId: 'req_refused',
    hasLeft: false,
  };
  return { key, reservation, refused, phone: `+${reservation.recipient}` };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function reserveIn(sql: Sql, { reservation }: Prepared): Promise<Reserved> {
  return (await reserve.run(sql, [reservation]))[0] as Reserved;
}

const refuse = ({ refused }: Prepared, hasLeft = false) =>
  refuseSends(service.ctx.db, [{ ...refused, hasLeft }]);

const balanceOf = (key: TestKey) => service.balance(key.companyId);

test('a refusal waits for an uncommitted reservation and releases its hold', async () => {
  const send = await prepare();
  let refusing: Promise<boolean[]> | undefined;
  await service.ctx.db.transaction(async (tx) => {
    assert.equal((await reserveIn(tx, send)).verdict, 'reserved');
    refusing = refuse(send);
    await until('the refusal waits for a lock', () => hasLockWaiter(service.sql));
  });
  assert.deepEqual(await refusing, [true]);
  const { state, charged } = await readMessage(service, send.key, send.reservation.id);
  assert.deepEqual({ state, charged }, { state: 'failed', charged: 0 });
  assert.deepEqual(await balanceOf(send.key), { balance: 50, held: 0 });
  // Nothing was sent, so the one-minute limit does not apply and no code is valid.
  const guess = await service.call('/otp/verify', { phone: send.phone, code: '246810' }, send.key);
  assert.equal(guess.body.error_code, 'code_not_found');
  assert.equal((await service.call('/otp/send', { phone: send.phone }, send.key)).status, 200);
});

test('a refusal that times out waiting for an uncommitted reservation can be retried', async () => {
  const send = await prepare();
  const impatient = openDatabase(connectionOf(service), service.ctx.log, 1_500);
  await service.ctx.db.transaction(async (tx) => {
    await reserveIn(tx, send);
    await assert.rejects(refuseSends(impatient, [send.refused]), isDatabaseAway);
  });
  await impatient.close();
  assert.deepEqual(await balanceOf(send.key), { balance: 50, held: 8 });
  assert.deepEqual(await refuse(send), [true]);
  assert.deepEqual(await balanceOf(send.key), { balance: 50, held: 0 });
});

test('a reservation that arrives after its refusal is rejected', async () => {
  const send = await prepare();
  assert.deepEqual(await refuse(send), [true]);
  await assert.rejects(reserveIn(service.ctx.db, send), { code: '23505' });
  assert.deepEqual(await balanceOf(send.key), { balance: 50, held: 0 });
  const { state } = await readMessage(service, send.key, send.reservation.id);
  assert.equal(state, 'failed');
  assert.equal((await service.call('/otp/send', { phone: send.phone }, send.key)).status, 200);
});

test('a settlement that arrives after its refusal charges nothing', async () => {
  const send = await prepare();
  await reserveIn(service.ctx.db, send);
  assert.deepEqual(await refuse(send, true), [true]);
  const late = await settleWithRetry(service.ctx, acceptance(send.key, send.reservation.id));
  assert.deepEqual(
    { isMoved: late.isMoved, state: late.state, charged: late.charged },
    { isMoved: false, state: 'unknown', charged: 0 },
  );
  assert.deepEqual(await balanceOf(send.key), { balance: 50, held: 0 });
});

test('a charge before the refusal is refunded once, and there is no fallback', async () => {
  const send = await prepare();
  await reserveIn(service.ctx.db, send);
  await settleWithRetry(service.ctx, acceptance(send.key, send.reservation.id));
  assert.deepEqual(await balanceOf(send.key), { balance: 47, held: 0 });
  for (let times = 0; times < 3; times++) assert.deepEqual(await refuse(send, true), [true]);
  assert.deepEqual(await balanceOf(send.key), { balance: 50, held: 0 });
  const { state, charged, route } = await readMessage(service, send.key, send.reservation.id);
  assert.deepEqual({ state, charged, route }, { state: 'unknown', charged: 0, route: '' });
  const sealed = 'select from code where message_id = $1 and sealed is not null';
  assert.deepEqual(
    await service.sql(sealed, [send.reservation.id]),
    [],
    'no sealed copy of the code is left',
  );
  // The code may have arrived, so it stays valid.
  const { key, phone } = send;
  assert.equal((await service.call('/otp/verify', { phone, code: '246810' }, key)).status, 200);
});

test('a fallback claimed during its refusal is settled first', async () => {
  const { db } = service.ctx;
  const [held, send] = [await prepare(), await prepare()];
  const { companyId } = send.key;
  const { id } = send.reservation;
  await reserveIn(db, held);
  await reserveIn(db, send);
  await settleWithRetry(service.ctx, acceptance(send.key, id));
  const message = await findFallbackMessage(db, companyId, id);
  assert.ok(message);
  await exceedFallbackTime(service, message);

  const refusalWaits = () =>
    until('the refusal waits for a lock', () => hasLockWaiter(service.sql));
  const claim = Promise.withResolvers<void>();
  let refusing: Promise<boolean[]> | undefined;
  let claiming: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    // Locks the account of another send of the batch, so that the refusal stops halfway.
    await tx.query('select from account where company_id = $1 for update', [held.key.companyId]);
    refusing = refuseSends(db, [held.refused, { ...send.refused, hasLeft: true }]);
    await refusalWaits();
    const isClaimed = Promise.withResolvers<void>();
    claiming = db.transaction(async (other) => {
      const { verdict } = await claimFallback(other, message, {
        attempt: 1,
        channel: 'telegram',
        route: 'sms',
        price: 3,
        leaseSeconds: 20,
        now: new Date(),
      });
      assert.equal(verdict, 'claimed');
      isClaimed.resolve();
      await claim.promise;
    });
    await isClaimed.promise;
  });
  await refusalWaits();
  claim.resolve();
  await claiming;
  assert.deepEqual(await refusing, [true, false]);

  const settled = {
    attempt: 2,
    state: 'accepted',
    price: 3,
    providerId: 'late',
    hasReceipts: true,
  } as const;
  const rest = { reason: null, checkSeconds: 31, cause: newId(Date.now()) };
  assert.ok(await settleFallback(db, message, { ...settled, ...rest }));
  assert.deepEqual(await balanceOf(send.key), { balance: 47, held: 0 });
  assert.deepEqual(await refuse(send, true), [true]);
  assert.deepEqual(await balanceOf(send.key), { balance: 50, held: 0 });
  const { state, charged } = await readMessage(service, send.key, id);
  assert.deepEqual({ state, charged }, { state: 'unknown', charged: 0 });
});

test('each send of a batch is refused on its own', async () => {
  const sends = await Promise.all(Array.from({ length: 6 }, prepare));
  for (const send of sends.slice(0, 4)) await reserveIn(service.ctx.db, send);
  for (const { key, reservation } of sends.slice(0, 2)) {
    await settleWithRetry(service.ctx, acceptance(key, reservation.id));
  }
  const isDone = await refuseSends(
    service.ctx.db,
    sends.map(({ refused }, i) => ({ ...refused, hasLeft: i < 3 })),
  );
  assert.deepEqual(isDone, Array(6).fill(true));
  const states = [];
  for (const { key, reservation } of sends) {
    states.push((await readMessage(service, key, reservation.id)).state);
    assert.deepEqual(await balanceOf(key), { balance: 50, held: 0 });
  }
  assert.deepEqual(states, ['unknown', 'unknown', 'unknown', 'failed', 'failed', 'failed']);
});

/** The sweep waits for every open transaction of the cluster, also those of other tests. */
async function sweepUntilDue({ reservation }: Prepared): Promise<void> {
  await until('the message is due again', async () => {
    await sweepOnce(service.ctx);
    const isDue = 'select from message where id = $1 and next_check_at > clock_timestamp()';
    return (await service.sql(isDue, [reservation.id])).length > 0;
  });
}

test('the sweep finds a message that was not yet committed when the watch passed it', async () => {
  await service.passTime(600);
  const send = await prepare();
  const checkedUntil = async () =>
    (await service.sql<{ at: Date }>('select checked_until as at from watch'))[0]?.at.getTime() ??
    0;
  await service.ctx.db.transaction(async (tx) => {
    await reserveIn(tx, send);
    // As if the commit had taken two minutes.
    await tx.query(
      `update message set created_at = created_at - interval '2 minutes',
         next_check_at = next_check_at - interval '2 minutes' where id = $1`,
      [send.reservation.id],
    );
    await watchOnce(service.ctx);
    await sweepOnce(service.ctx);
    await sweepOnce(service.ctx);
  });
  const { next_check_at: nextCheckAt } = (
    await service.sql<{ next_check_at: Date }>('select next_check_at from message where id = $1', [
      send.reservation.id,
    ])
  )[0] as { next_check_at: Date };
  assert.ok((await checkedUntil()) > nextCheckAt.getTime(), 'the watch has passed it');
  await watchOnce(service.ctx);
  assert.equal((await readMessage(service, send.key, send.reservation.id)).state, 'sending');

  await sweepUntilDue(send);
  await service.passTime(6);
  await watchOnce(service.ctx);
  assert.equal((await readMessage(service, send.key, send.reservation.id)).state, 'unknown');
  assert.deepEqual(await balanceOf(send.key), { balance: 50, held: 0 });
});

test('the sweep also finds a sealed code whose message was read before its commit was visible', async () => {
  await service.passTime(600);
  const send = await prepare();
  const { id } = send.reservation;
  await service.ctx.db.transaction(async (tx) => {
    await reserveIn(tx, send);
    await settle.run(tx, [acceptance(send.key, id)]);
    await tx.query(
      `update message set receipt = 'read', next_check_at = next_check_at - interval '2 minutes' where id = $1`,
      [id],
    );
    await watchOnce(service.ctx);
  });
  await watchOnce(service.ctx);
  const copies = () =>
    service.sql('select from code where message_id = $1 and sealed is not null', [id]);
  assert.equal((await copies()).length, 1, 'the watch has passed it');
  await sweepUntilDue(send);
  await service.passTime(6);
  await watchOnce(service.ctx);
  assert.equal((await copies()).length, 0);
});
