import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRun } from '../../src/broadcasts/results/run-store.ts';
import { readBroadcastKey } from '../../src/broadcasts/run/broadcast-key.ts';
import { lockWaiting, takeTurns } from '../../src/broadcasts/run/broadcast-store.ts';
import { approveBroadcast, startBroadcast } from '../../src/broadcasts/run/control-broadcast.ts';
import { createRunner } from '../../src/broadcasts/run/run-broadcasts.ts';
import type { Outcome } from '../../src/channels/channel.ts';
import { suspendCompany } from '../../src/company/suspend-company.ts';
import type { Database, Transaction } from '../../src/db/database.ts';
import type { Sql } from '../../src/db/sql.ts';
import type { PersonId } from '../../src/ids.ts';
import { topUp } from '../../src/topups/top-up.ts';
import {
  answersUnavailable,
  answersUnknown,
  refuses,
  scriptedChannel,
} from '../delivery/scripted-channel.ts';
import { freshPhones, until, useService } from '../harness.ts';
import { AUTHOR, createBroadcastRig } from './broadcast-rig.ts';

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
  assert.equal((await rig.read(id)).held, 4 * 8, 'the most that it may cost');
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { failed: 1, sent: 2, unknown: 1 });
  assert.equal(sms.sentTo(unknown).length, 0);
  assert.equal(sms.sentTo(refused).length, 1);
  assert.equal((await rig.tick(id)).does, 'end');
  assert.deepEqual(await service.balance(companyId), { balance: 1_000 - 3 - 8, held: 0 });
});

test('it is not over while its oldest message is with a channel, however many are newer', async () => {
  const key = await service.key();
  const count = 2_100;
  const id = await rig.draft(key.companyId, phones(count));
  await rig.start(id);
  await rig.tick(id);
  await service.sql(
    `with sent as (
       insert into message (company_id, id, key_id, kind, is_test, recipient, state, hold, created_at, next_check_at,
         settled_at, request_id, route)
       select $2, uuidv7(number * interval '1 millisecond'), $3, 'broadcast', false, phone,
         case when number = 1 then 'sending' else 'sent' end::message_state, 0, clock_timestamp(), clock_timestamp(),
         clock_timestamp(), $1::uuid::text, ''
       from broadcast_row where broadcast_id = $1::uuid
       returning id, recipient)
     update broadcast_row r set message_id = sent.id from sent where r.broadcast_id = $1::uuid and r.phone = sent.recipient`,
    [id, key.companyId, key.keyId],
  );
  assert.equal((await rig.tick(id)).does, 'stay');
  await service.sql(`update message set state = 'sent' where request_id = $1`, [id]);
  assert.equal((await rig.tick(id)).does, 'end');
});

test('whoever sees that it runs, pauses or is done sees the counts of that moment', async () => {
  const id = await rig.draft(await service.company(1_000), phones(3));
  const counts = async () => {
    const run = await findRun(service.ctx.db, id);
    return [run?.state, run?.counts?.outcomes.waiting, run?.counts?.outcomes.sent];
  };
  await rig.start(id);
  await rig.tick(id);
  assert.deepEqual(await counts(), ['running', 3, 0]);
  await rig.sendAll();
  await rig.tick(id);
  assert.deepEqual(await counts(), ['done', 0, 3]);
});

test('the counts of a cancelled broadcast are those of its end', async () => {
  const id = await rig.draft(await service.company(1_000), phones(5));
  await rig.start(id);
  await rig.tick(id);
  await rig.cancel(id);
  const run = await findRun(service.ctx.db, id);
  assert.deepEqual([run?.counts?.outcomes.waiting, run?.counts?.outcomes.skipped], [0, 5]);
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

test('four nodes on one broadcast send to nobody twice, and hold no more than the tokens', async () => {
  const companyId = await service.company(600 * 3);
  const to = phones(600);
  const id = await rig.draft(companyId, to, { channels: ['telegram'] });
  await rig.start(id);
  await rig.tick(id);
  await Promise.all(Array.from({ length: 4 }, () => rig.sendAll()));
  assert.deepEqual(await rig.outcomes(id), { sent: 600 });
  for (const each of to) assert.equal(telegram.sentTo(each).length, 1);
  assert.deepEqual(await service.balance(companyId), { balance: 0, held: 0 });
  assert.equal((await rig.tick(id)).does, 'end');
});

test('with tokens for the cheaper channel alone, only that one is asked', async () => {
  const companyId = await service.company(10);
  const [first, second] = phones(2) as [string, string];
  telegram.onSend(first, refuses);
  const id = await rig.draft(companyId, [first, second], { channels: ['telegram', 'sms'] });
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  // Eight are held for the first, two are left for the second, and none of its channels costs two.
  assert.deepEqual(await rig.outcomes(id), { sent: 1, waiting: 1 });
  assert.equal(sms.sentTo(first).length, 1);
  assert.deepEqual(await service.balance(companyId), { balance: 2, held: 2 });
  await rig.cancel(id);
  assert.deepEqual(await service.balance(companyId), { balance: 2, held: 0 });
});

test('a pause for money ends when held and free tokens pay for the cheapest channel, and nothing is owed', async () => {
  const companyId = await service.company(2);
  const to = phones(1);
  const id = await rig.draft(companyId, to, { channels: ['sms', 'telegram'] });
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  assert.equal((await rig.read(id)).pause_reason, 'money');
  assert.deepEqual(await service.balance(companyId), { balance: 2, held: 2 });
  assert.equal((await rig.tick(id)).does, 'stay');
  const setAccount = (balance: number, debt: number) =>
    service.sql('update account set balance = $2, debt = $3 where company_id = $1', [
      companyId,
      balance,
      debt,
    ]);
  await setAccount(50, 1);
  assert.equal((await rig.tick(id)).does, 'stay', 'who owes sends nothing');
  await setAccount(2, 0);
  await service.correct(companyId, 1);
  assert.equal((await rig.tick(id)).does, 'run');
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 1 });
  assert.equal((await rig.tick(id)).does, 'end');
  assert.deepEqual(await service.balance(companyId), { balance: 0, held: 0 });
});

test('a channel that costs more than what is held is not tried after a cheaper one', async () => {
  const companyId = await service.company(5);
  const [phone] = phones(1) as [string];
  telegram.onSend(phone, refuses);
  const id = await rig.draft(companyId, [phone], { channels: ['telegram', 'sms'] });
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  assert.equal(telegram.sentTo(phone).length, 1);
  assert.equal(sms.sentTo(phone).length, 0);
  assert.deepEqual(await rig.outcomes(id), { failed: 1 });
  await rig.cancel(id);
  assert.deepEqual(await service.balance(companyId), { balance: 5, held: 0 });
});

test('a broadcast that is spread takes as many as its time allows', async () => {
  const companyId = await service.company(10_000);
  const id = await rig.draft(companyId, phones(600), { spreadMinutes: 10 });
  await rig.start(id);
  await rig.tick(id);
  const paceAt = async (seconds: number) => {
    await service.sql(
      `update broadcast set pace_at = clock_timestamp() - make_interval(secs => $2) where id = $1`,
      [id, seconds],
    );
    await rig.sendAll();
    return (await rig.outcomes(id)).sent;
  };
  // One a second: the one whose turn it is, and those of at most one second that was missed.
  assert.equal(await paceAt(-5), undefined);
  assert.equal(await paceAt(0.5), 1);
  assert.equal(await paceAt(3_600), 3);
  await rig.cancel(id);
});

test('more than a fifth of failures stops it by itself, and says why', async () => {
  const companyId = await service.company(10_000);
  const to = phones(250);
  // 41 of the last 200 fail; the first 19 are before those.
  for (const each of [...to.slice(0, 19), ...to.slice(100, 141)]) sms.onSend(each, refuses);
  const id = await rig.draft(companyId, to);
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  await service.sql(
    `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict)
     values ($1, 251, $2, '{x}', 77029999999, 'send')`,
    [id, companyId],
  );
  assert.equal((await rig.tick(id)).does, 'pause');
  const paused = await rig.read(id);
  assert.deepEqual([paused.pause_reason, paused.pause_detail], ['failures', 'Номера нет']);
  await rig.resume(id);
  assert.equal((await rig.tick(id)).does, 'stay', 'what failed before a person resumed it is past');
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { failed: 60, sent: 191 });
  assert.equal((await rig.tick(id)).does, 'end');
});

test('above the size that the company chose, a second person approves, never the author', async () => {
  const companyId = await service.company(1_000);
  await service.sql('update company set approval_above = 2 where id = $1', [companyId]);
  const small = await rig.draft(companyId, phones(2));
  assert.deepEqual(await rig.start(small), { state: 'scheduled', needsApproval: false });
  const large = await rig.draft(companyId, phones(3));
  assert.deepEqual(await rig.start(large), { state: 'draft', needsApproval: true });
  assert.equal((await rig.tick(large)).does, 'stay');
  await assert.rejects(rig.approve(large, 'author'), { code: 'own_broadcast' });
  await rig.approve(large, 'other');
  await assert.rejects(rig.approve(large, 'other'), { code: 'broadcast_not_waiting' });
  for (const id of [small, large]) await rig.tick(id);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(large), { sent: 3 });
  for (const id of [small, large]) assert.equal((await rig.tick(id)).does, 'end');
});

test('what the second person was not shown is not approved', async () => {
  const companyId = await service.company(1_000);
  await service.sql('update company set approval_above = 0 where id = $1', [companyId]);
  const id = await rig.draft(companyId, phones(2));
  await rig.start(id);
  const { version } = await rig.read(id);
  const other = { person: { id: 'other' as PersonId, name: 'Другой' } };
  const shown = { companyId, id, version, recipients: 2 };
  for (const change of [{ version: version + 1 }, { recipients: 3 }]) {
    const stale = approveBroadcast(service.ctx, other, { ...shown, ...change });
    await assert.rejects(stale, { code: 'broadcast_outdated' });
  }
  assert.equal((await rig.tick(id)).does, 'stay');
  await approveBroadcast(service.ctx, other, shown);
});

test('what was not shown on the button is not sent', async () => {
  const companyId = await service.company(1_000);
  const id = await rig.draft(companyId, phones(2));
  const { version } = await rig.read(id);
  const request = { companyId, id, version, recipients: 2 };
  await assert.rejects(startBroadcast(service.ctx, AUTHOR, { ...request, recipients: 1 }), {
    code: 'broadcast_outdated',
  });
  await assert.rejects(startBroadcast(service.ctx, AUTHOR, { ...request, version: version + 1 }), {
    code: 'broadcast_outdated',
  });
  const other = await service.company();
  await assert.rejects(startBroadcast(service.ctx, AUTHOR, { ...request, companyId: other }), {
    code: 'not_found',
  });
  await startBroadcast(service.ctx, AUTHOR, request);
  await assert.rejects(startBroadcast(service.ctx, AUTHOR, request), {
    code: 'broadcast_not_draft',
  });
});

test('codes take their turns of the rate of a channel, and a broadcast waits for them', async () => {
  const companyId = await service.company(1_000);
  const limited = scriptedChannel('sms', ['broadcast']);
  const ctx = {
    ...service.ctx,
    channels: { ...service.ctx.channels, adapter: () => ({ ...limited, ratePerSecond: 10 }) },
  };
  const id = await rig.draft(companyId, phones(100));
  await rig.start(id);
  await rig.tick(id);
  const reset = () => service.sql(`update channel_pace set next_at = clock_timestamp()`);
  await reset();
  // Two seconds of turns: nothing is left for the broadcast now.
  await takeTurns(service.ctx.bulk, 'sms', { count: 20, ratePerSecond: 10 });
  const runner = createRunner(ctx);
  await runner.runOnce();
  await runner.idle();
  assert.deepEqual(await rig.outcomes(id), { waiting: 100 });
  await reset();
  await runner.runOnce();
  await runner.idle();
  const { sent = 0 } = await rig.outcomes(id);
  assert.ok(sent >= 1 && sent <= 3, `${sent} sent at once with a rate of 10 a second`);
  await rig.cancel(id);
});

test('a scarce rate is shared by the broadcasts in turn', async () => {
  const limited = scriptedChannel('sms', ['broadcast']);
  const ctx = {
    ...service.ctx,
    channels: { ...service.ctx.channels, adapter: () => ({ ...limited, ratePerSecond: 5 }) },
  };
  const ids = [];
  for (let i = 0; i < 3; i++) {
    const id = await rig.draft(await service.company(1_000), phones(50));
    await rig.start(id);
    await rig.tick(id);
    ids.push(id);
  }
  const runner = createRunner(ctx);
  for (let run = 0; run < 3; run++) {
    // One turn is free: for whoever asks first.
    await service.sql('update channel_pace set next_at = clock_timestamp()');
    await runner.runOnce();
    await runner.idle();
  }
  for (const id of ids) {
    const { sent = 0 } = await rig.outcomes(id);
    assert.ok(sent >= 1, 'each had its turn');
    await rig.cancel(id);
  }
});

test('a claim locks and composes no more recipients than the pace can allow', async () => {
  const limited = scriptedChannel('sms', ['broadcast']);
  const id = await rig.draft(await service.company(10_000), phones(200));
  await rig.start(id);
  await rig.tick(id);
  const limits: number[] = [];
  const transaction: Database['transaction'] = (work) =>
    service.ctx.bulk.transaction((tx) =>
      work({
        ...tx,
        query: (text, values, name) => {
          if (name === 'lock-waiting-recipients') limits.push(values?.[1] as number);
          return tx.query(text, values, name);
        },
      }),
    );
  const runner = createRunner({
    ...service.ctx,
    bulk: { ...service.ctx.bulk, transaction },
    channels: { ...service.ctx.channels, adapter: () => ({ ...limited, ratePerSecond: 4 }) },
  });
  for (let run = 0; run < 3; run++) {
    // Two may go at once: a quarter of a second is made up for.
    await service.sql(`update channel_pace set next_at = clock_timestamp() - interval '1 minute'`);
    assert.equal(await runner.runOnce(), false, 'the next claim waits for the pace');
    await runner.idle();
  }
  assert.equal((await rig.outcomes(id)).sent, 6);
  // At least two, and five more for each second between two claims.
  assert.ok(
    limits.slice(1).every((limit) => limit >= 2 && limit < 12),
    `${limits}`,
  );
  await rig.cancel(id);
});

test('a claim reads none of the recipients that were sent to before, without statistics', async () => {
  const id = await rig.draft(await service.company(10_000), phones(3_000));
  await service.sql(
    `update broadcast_row set message_id = gen_random_uuid() where broadcast_id = $1 and number <= 2900`,
    [id],
  );
  const [row] = await service.ctx.bulk.transaction(async (tx) => {
    const explained: Sql = {
      query: (text, values) => tx.query(`explain (analyze, format json) ${text}`, values),
    };
    return (await lockWaiting(explained as Transaction, id, 10)) as unknown as [
      { 'QUERY PLAN': unknown },
    ];
  });
  const plan = JSON.stringify(row['QUERY PLAN']);
  assert.match(plan, /"Index Name":"broadcast_row_waiting"/);
  assert.doesNotMatch(plan, /Rows Removed by Filter/);
});

test('a suspended company sends nothing more', async () => {
  const companyId = await service.company(1_000);
  const id = await rig.draft(companyId, phones(5));
  await rig.start(id);
  await rig.tick(id);
  await suspendCompany(service.ctx, { companyId, reason: 'Жалобы' });
  await until('the keys of the company are known to be suspended', async () => {
    const key = await readBroadcastKey(service.ctx, companyId);
    return key.isSuspended;
  });
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { waiting: 5 });
  await rig.tick(id);
  assert.equal((await rig.read(id)).pause_reason, 'suspended');
  await rig.cancel(id);
});

test('a recipient that finds no channel available too often has failed', async () => {
  const companyId = await service.company(1_000);
  const [patient, exhausted] = phones(2) as [string, string];
  for (const each of [patient, exhausted]) sms.onSend(each, answersUnavailable);
  const id = await rig.draft(companyId, [patient, exhausted]);
  await service.sql('update broadcast_row set tries = 10 where broadcast_id = $1 and phone = $2', [
    id,
    exhausted.slice(1),
  ]);
  await rig.start(id);
  await rig.tick(id);
  const runner = createRunner(service.ctx);
  await runner.runOnce();
  await runner.idle();
  assert.deepEqual(await rig.outcomes(id), { failed: 1, waiting: 1 });
  await rig.cancel(id);
});

test('it does not end while a channel is being asked', async () => {
  const companyId = await service.company(1_000);
  const [phoneAsked] = phones(1) as [string];
  const answer = Promise.withResolvers<Outcome>();
  sms.onSend(phoneAsked, () => answer.promise);
  const id = await rig.draft(companyId, [phoneAsked]);
  await rig.start(id);
  await rig.tick(id);
  const runner = createRunner(service.ctx);
  const running = runner.runOnce();
  await until('the channel is asked', async () => sms.sentTo(phoneAsked).length === 1);
  assert.equal((await rig.tick(id)).does, 'stay');
  answer.resolve({ result: 'accepted', providerId: 'late' });
  await running;
  await runner.idle();
  assert.equal((await rig.tick(id)).does, 'end');
});

test('a pause does not shorten the time over which it is spread', async () => {
  const companyId = await service.company(1_000);
  const id = await rig.draft(companyId, phones(10), { spreadMinutes: 600 });
  await rig.start(id);
  await rig.tick(id);
  await rig.sendAll();
  await rig.pause(id);
  await rig.resume(id);
  await rig.sendAll();
  assert.deepEqual(await rig.outcomes(id), { sent: 1, waiting: 9 });
  await rig.cancel(id);
});

test('neither the author nor the one who asked approves, and rows are checked before', async () => {
  const companyId = await service.company(1_000);
  await service.sql('update company set approval_above = 0 where id = $1', [companyId]);
  const id = await rig.draft(companyId, phones(1));
  const { version } = await rig.read(id);
  const request = { companyId, id, version, recipients: 1 };
  const other = { person: { id: 'other' as PersonId, name: 'Другой' } };
  await service.sql(`update broadcast set rows_state = 'checking' where id = $1`, [id]);
  await assert.rejects(startBroadcast(service.ctx, other, request), { code: 'rows_not_checked' });
  await service.sql(`update broadcast set rows_state = 'checked' where id = $1`, [id]);
  await startBroadcast(service.ctx, other, request);
  for (const person of ['author', 'other']) {
    await assert.rejects(rig.approve(id, person), { code: 'own_broadcast' });
  }
});
