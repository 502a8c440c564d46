/** The daily cap of a key. What it shares with the cap of a month is in key-cap.test.ts and key-cap-fallback.test.ts. */
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { almatyDay, almatyTime } from '../../src/almaty.ts';
import { readAudit } from '../../src/billing/invariant-store.ts';
import { readBroadcastKey } from '../../src/broadcasts/run/broadcast-key.ts';
import { reserve } from '../../src/delivery/reserve-store.ts';
import { settleWithRetry } from '../../src/delivery/watch.ts';
import { removeOldSpend } from '../../src/keys/key-cap-store.ts';
import { listOwnKeys } from '../../src/keys/key-store.ts';
import { changeKey, countEarlierSpend } from '../../src/keys/manage-keys.ts';
import { acceptance, reservationOf } from '../delivery/dead-process.ts';
import { runConcurrently, type TestKey } from '../harness.ts';
import { connectionOf, tally, useTwoNodes } from './two-nodes.ts';

const { service, post } = useTwoNodes();

const send = (key: TestKey, channel: 'whatsapp' | 'sms' = 'whatsapp') =>
  service.call('/otp/send', { phone: service.phone(), channel }, key);

async function readKey({ companyId, keyId }: TestKey) {
  const key = (await listOwnKeys(service.ctx.db, companyId)).find(({ id }) => id === keyId);
  assert(key !== undefined);
  return key;
}

const spentToday = async (key: TestKey) => (await readKey(key)).spentToday;

async function change(
  key: TestKey,
  caps: { dailyCap?: number | null; monthlyCap?: number | null },
) {
  const settings = { ...(await readKey(key)), ...caps };
  await changeKey(service.ctx, {}, { companyId: key.companyId, keyId: key.keyId, settings });
}

/** As if midnight had passed since the sends of a key. */
async function passMidnight(key: TestKey): Promise<void> {
  await service.sql(
    `update message set created_at = created_at - interval '1 day' where key_id = $1`,
    [key.keyId],
  );
  await service.sql('update key_day_spend set day = day - 1 where key_id = $1', [key.keyId]);
}

afterEach(async () => {
  const { violations } = await readAudit(connectionOf(service));
  assert.equal(violations.key_day_spend_is_not_sum_of_messages, 0);
});

test('a cap of 100 lets no 101 through: 1,000 sends at once on two nodes', async () => {
  const key = await service.key({ balance: 10_000, dailyCap: 100 });
  const phones = Array.from({ length: 1_000 }, service.phone);
  const answers = await runConcurrently(1_000, (i) =>
    post(i, '/otp/send', { phone: phones[i], channel: 'whatsapp' }, key),
  );
  const { ok = 0, ...refused } = tally(answers);
  assert.equal(ok, 33);
  assert.equal(refused.spend_cap_reached, 967);
  assert.equal(await spentToday(key), 99);
  assert.deepEqual(await service.balance(key.companyId), { balance: 9_901, held: 0 });
});

test('of two caps the tighter one decides, whichever it is', async () => {
  for (const caps of [
    { dailyCap: 6, monthlyCap: 100 },
    { dailyCap: 100, monthlyCap: 6 },
  ]) {
    const key = await service.key({ balance: 100, ...caps });
    assert.deepEqual(
      [(await send(key)).status, (await send(key)).status, (await send(key)).status],
      [200, 200, 429],
    );
    const { spentThisMonth } = await readKey(key);
    assert.deepEqual([spentThisMonth, await spentToday(key)], [6, 6]);
  }
});

test('the refusal says when the cap that refused begins anew', async () => {
  const ofDay = await service.key({ balance: 100, dailyCap: 2, monthlyCap: 50 });
  const ofMonth = await service.key({ balance: 100, dailyCap: 50, monthlyCap: 2 });
  const before = new Date();
  const day = await send(ofDay);
  const month = await send(ofMonth);
  assert.deepEqual([day.status, day.body.error_code], [429, 'spend_cap_reached']);
  assert.equal(day.headers['retry-after'], String(day.body.retry_after));
  const until = (seconds: unknown) => almatyTime(new Date(Date.now() + Number(seconds) * 1_000));
  assert.match(until(day.body.retry_after), / 00:00:0/);
  assert.equal(
    until(day.body.retry_after).slice(0, 10),
    almatyTime(almatyDay(before, 1)).slice(0, 10),
  );
  assert.match(until(month.body.retry_after), /-01 00:00:0/);
  assert.deepEqual(await service.balance(ofDay.companyId), { balance: 100, held: 0 });
});

describe('at midnight in Almaty', () => {
  test('the whole cap is there again, and the month goes on', async () => {
    const key = await service.key({ balance: 100, dailyCap: 3, monthlyCap: 1_000 });
    assert.equal((await send(key)).status, 200);
    assert.equal((await send(key)).status, 429);
    await passMidnight(key);
    assert.equal(await spentToday(key), 0);
    assert.equal((await send(key)).status, 200);
    assert.equal(await spentToday(key), 3);
    assert.equal((await readKey(key)).spentThisMonth, 6);
    assert.equal((await send(key)).status, 429);
  });

  test('a hold from before is given back to its own day, and not to the new one', async () => {
    const key = await service.key({ balance: 100, dailyCap: 8 });
    const held = reservationOf(service, { key, phone: service.phone() });
    await reserve.run(service.ctx.db, [held]);
    await passMidnight(key);
    assert.equal((await send(key)).status, 200);
    await settleWithRetry(service.ctx, { ...acceptance(key, held.id), state: 'unknown' });
    assert.equal(await spentToday(key), 3);
    const rows = await service.sql(
      'select spent from key_day_spend where key_id = $1 order by day',
      [key.keyId],
    );
    assert.deepEqual(rows, [{ spent: 0 }, { spent: 3 }]);
  });

  test('begins at 19:00 UTC, to the microsecond', async () => {
    const rows = await service.sql(
      `select almaty_day('2026-11-18 18:59:59.999999Z')::text as before,
         almaty_day('2026-11-18 19:00:00Z')::text as after,
         next_almaty_day('2026-11-18 18:59:59.999999Z') = '2026-11-18 19:00:00Z' as ends,
         next_almaty_day('2026-11-18 19:00:00Z') = '2026-11-19 19:00:00Z' as begins,
         almaty_day('2026-12-31 19:00:00Z')::text as year`,
    );
    assert.deepEqual(rows, [
      { before: '2026-11-18', after: '2026-11-19', ends: true, begins: true, year: '2027-01-01' },
    ]);
  });
});

describe('a cap that is set in the middle of a day', () => {
  test('counts what the key has spent since midnight, and nothing before', async () => {
    const companyId = await service.company(1_000);
    const key = await service.key({ companyId });
    const other = await service.key({ companyId });
    for (const channel of ['whatsapp', 'sms'] as const) await send(key, channel);
    await send(other, 'sms');
    const { body: earlier } = await send(key, 'sms');
    await service.sql(
      `update message set created_at = almaty_day(created_at)::timestamp at time zone interval '5 hours'
         - interval '1 second' where id = $1`,
      [earlier.message_id],
    );
    await change(key, { dailyCap: 14 });
    assert.equal(await spentToday(key), 11);
    assert.equal((await send(key)).status, 200);
    assert.equal((await send(key)).body.error_code, 'spend_cap_reached');
  });

  test('counts sends that go on meanwhile exactly once', async () => {
    const key = await service.key({ balance: 10_000 });
    const phones = Array.from({ length: 100 }, service.phone);
    const [answers] = await Promise.all([
      runConcurrently(100, (i) => post(i, '/otp/send', { phone: phones[i] }, key)),
      change(key, { dailyCap: 5_000 }),
    ]);
    const spent = answers.reduce((sum, { body }) => sum + Number(body.cost ?? 0), 0);
    assert.equal(tally(answers).ok, 100);
    assert.equal(await spentToday(key), spent);
  });

  test('is counted by the next round when its process dies before', async () => {
    const key = await service.key({ balance: 100 });
    await send(key, 'sms');
    await service.sql('update api_key set daily_cap = 10 where id = $1', [key.keyId]);
    await service.sql(
      `insert into key_day_spend (company_id, key_id, day, is_counted)
       values ($1, $2, almaty_day(clock_timestamp()), false)`,
      [key.companyId, key.keyId],
    );
    await countEarlierSpend(service.ctx);
    await countEarlierSpend(service.ctx);
    assert.equal(await spentToday(key), 8);
    assert.equal((await send(key)).status, 429);
  });
});

test('a removed cap leaves the other one, and is counted anew when it is set again', async () => {
  const key = await service.key({ balance: 1_000, dailyCap: 3, monthlyCap: 100 });
  await send(key);
  await change(key, { dailyCap: null });
  assert.deepEqual(
    await service.sql('select from key_day_spend where key_id = $1', [key.keyId]),
    [],
  );
  assert.equal((await send(key, 'sms')).status, 200);
  assert.equal((await readKey(key)).spentThisMonth, 11);
  await change(key, { dailyCap: 12 });
  assert.equal(await spentToday(key), 11);
  assert.equal((await send(key)).body.error_code, 'spend_cap_reached');
  await change(key, { monthlyCap: null });
  assert.equal(await spentToday(key), 11);
  assert.equal((await send(key)).body.error_code, 'spend_cap_reached');
});

test('neither test keys nor the hidden key of broadcasts have a cap', async () => {
  const companyId = await service.company(100);
  await assert.rejects(service.key({ companyId, isTest: true, dailyCap: 5 }), {
    constraint: 'test_key_has_no_daily_cap',
  });
  const { id } = await readBroadcastKey(service.ctx, companyId);
  const rows = await service.sql('select daily_cap, expires_at from api_key where id = $1', [id]);
  assert.deepEqual(rows, [{ daily_cap: null, expires_at: null }]);
});

test('a key without a cap has no counts, and old counts are removed', async () => {
  const free = await service.key({ balance: 100 });
  await send(free);
  assert.deepEqual(
    await service.sql('select from key_day_spend where key_id = $1', [free.keyId]),
    [],
  );
  assert.equal(await spentToday(free), null);
  const key = await service.key({ balance: 100, dailyCap: 10 });
  await send(key);
  await service.sql(
    `insert into key_day_spend (company_id, key_id, day, is_counted)
     select company_id, key_id, day - 8, true from key_day_spend where key_id = $1`,
    [key.keyId],
  );
  await removeOldSpend(service.ctx.db);
  const rows = await service.sql('select spent from key_day_spend where key_id = $1', [key.keyId]);
  assert.deepEqual(rows, [{ spent: 3 }]);
});
