import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OVERVIEW_ENDPOINTS as O } from '@zhiber/contract/cabinet/overview.ts';
import { almatyDay, HOUR_MS } from '../../src/almaty.ts';
import type { CompanyId } from '../../src/ids.ts';
import { readKeyUsage, sendsByDay } from '../../src/messages/key-usage.ts';
import { openUsage } from '../../src/messages/open-usage.ts';
import { readOverview } from '../../src/messages/read-overview.ts';
import { lockStoring } from '../../src/messages/usage-store.ts';
import { analyzeTables } from '../analyze-tables.ts';
import { runConcurrently, until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { explainQueries } from './explain-queries.ts';
import { insertPastMessages, type PastMessages } from './past-messages.ts';

const service = useService();
const cabinet = createCabinetClient(service);

/** Creates a company that is 27 days old. */
async function createOldCompany(settings: Parameters<typeof service.key>[0] = {}) {
  const key = await service.key(settings);
  await service.sql(`update company set created_at = now() - interval '27 days' where id = $1`, [
    key.companyId,
  ]);
  return key;
}

type Bucket = Awaited<ReturnType<typeof readOverview>>['buckets'][number];

function sumOf(buckets: readonly Bucket[]) {
  const sum = (read: (bucket: Bucket) => number) =>
    buckets.reduce((total, bucket) => total + read(bucket), 0);
  return {
    whatsapp: sum(({ sends }) => sends.whatsapp),
    telegram: sum(({ sends }) => sends.telegram),
    sms: sum(({ sends }) => sends.sms),
    confirmed: sum(({ confirmed }) => confirmed),
    failed: sum(({ failed }) => failed),
    spent: sum(({ spent }) => spent),
  };
}

const mixed: NonNullable<PastMessages['columns']> = {
  channel: `(array['whatsapp', 'telegram', 'sms'])[1 + n % 3]`,
  receipt: `case when n % 10 = 0 then 'failed' when n % 10 = 1 then 'unconfirmed' else 'delivered' end`,
  charged: `case when n % 3 = 2 then 8 else 3 end`,
};

test('a range has all its buckets, and their sums match the messages', async () => {
  const key = await createOldCompany();
  await insertPastMessages(service.sql, { ...key, count: 600, fromHours: 24 * 20, columns: mixed });
  const owner = await cabinet.person({ companyId: key.companyId, role: 'viewer' });
  for (const [range, count] of [
    ['24h', 24],
    ['7d', 7],
    ['30d', 30],
  ] as const) {
    const answer = (await cabinet.as(owner).call(O.overview, { query: { range } })).ok();
    assert.equal(answer.buckets.length, count);
    const [first] = answer.buckets;
    const [stored] = await service.sql<Record<string, number>>(
      `select count(*) filter (where channel = 'whatsapp') as whatsapp,
         count(*) filter (where channel = 'telegram') as telegram, count(*) filter (where channel = 'sms') as sms,
         count(*) filter (where receipt = 'delivered') as confirmed, count(*) filter (where receipt = 'failed') as failed,
         coalesce(sum(charged), 0)::bigint as spent
       from message where company_id = $1 and created_at >= $2`,
      [key.companyId, first?.at],
    );
    assert.deepEqual(sumOf(answer.buckets), stored, range);
  }
});

test('the days of a chart are days in Almaty', async () => {
  const key = await createOldCompany();
  const midnight = almatyDay(new Date(), -3).getTime();
  for (const seconds of [-1, 1]) {
    const hours = (Date.now() - midnight - seconds * 1000) / 3_600_000;
    await insertPastMessages(service.sql, { ...key, count: 1, fromHours: hours });
  }
  const { buckets } = await readOverview(service.ctx, key.companyId, {
    range: '7d',
    isTest: undefined,
  });
  assert.deepEqual(
    buckets.map(({ sends }) => sends.sms),
    [0, 0, 1, 1, 0, 0, 0],
  );
  assert.equal(buckets[3]?.at, new Date(midnight).toISOString());
});

test('stored counts match the messages, even after receipts and fallbacks have changed them', async () => {
  const key = await createOldCompany();
  await insertPastMessages(service.sql, {
    ...key,
    count: 100,
    fromHours: 30,
    toHours: 6,
    columns: mixed,
  });
  const read = () => readOverview(service.ctx, key.companyId, { range: '7d', isTest: undefined });
  const first = await read();
  const counted = await service.sql('select from counted_hour where company_id = $1', [
    key.companyId,
  ]);
  assert(counted.length > 24 * 20, 'hours are stored');
  assert.deepEqual((await read()).buckets, first.buckets);

  await service.sql(
    `update message set channel = 'sms', receipt = 'delivered', delivered_at = created_at + interval '9 seconds'
     where company_id = $1`,
    [key.companyId],
  );
  // Makes the stored hours stale: counting an hour again replaces its old counts.
  await service.sql(
    `update counted_hour set counted_at = hour + interval '61 minutes' where company_id = $1`,
    [key.companyId],
  );
  const { sms, whatsapp, confirmed } = sumOf((await read()).buckets);
  assert.deepEqual({ sms, whatsapp, confirmed }, { sms: 100, whatsapp: 0, confirmed: 100 });
});

test('concurrent readers count no message twice', async () => {
  const key = await createOldCompany();
  await insertPastMessages(service.sql, { ...key, count: 200, fromHours: 24 * 5, columns: mixed });
  const answers = await runConcurrently(8, (i) =>
    readOverview(service.ctx, key.companyId, { range: i % 2 ? '7d' : '30d', isTest: undefined }),
  );
  for (const { buckets } of answers) {
    const { whatsapp, telegram, sms } = sumOf(buckets);
    assert.equal(whatsapp + telegram + sms, 200);
  }
});

test('live and test messages are separate, and confirmation times are approximately right', async () => {
  const live = await createOldCompany();
  const test = await service.key({ companyId: live.companyId, isTest: true });
  const seconds = { confirm_seconds: 'case when n <= 90 then 2 else 20 end' };
  await insertPastMessages(service.sql, {
    ...live,
    count: 100,
    fromHours: 20,
    toHours: 5,
    columns: seconds,
  });
  await insertPastMessages(service.sql, {
    ...test,
    count: 10,
    fromHours: 20,
    toHours: 0.1,
    columns: { is_test: 'true', confirm_seconds: '300' },
  });
  const read = async (isTest: boolean | undefined) =>
    (await readOverview(service.ctx, live.companyId, { range: '30d', isTest })).buckets;
  assert.equal(sumOf(await read(false)).sms, 100);
  assert.equal(sumOf(await read(true)).sms, 10);
  assert.equal(sumOf(await read(undefined)).sms, 110);
  const assertNear = (found: number | null | undefined, ms: number) =>
    assert(found && found > ms * 0.8 && found < ms * 1.25, `${found} is not near ${ms}`);
  const all = (await read(false)).filter(({ confirm_ms_p50 }) => confirm_ms_p50 !== null);
  assertNear(all[0]?.confirm_ms_p50, 2_000);
  assertNear(Math.max(...all.map(({ confirm_ms_p95 }) => confirm_ms_p95 ?? 0)), 20_000);
  const tests = (await read(true)).findLast(({ confirm_ms_p50 }) => confirm_ms_p50 !== null);
  assertNear(tests?.confirm_ms_p50, 300_000);
  assert.equal((await read(false))[0]?.confirm_ms_p50, null);
});

test('today is compared with the same weekday of last week up to the same minute', async () => {
  const key = await createOldCompany();
  const sinceMidnight = (Date.now() - almatyDay(new Date()).getTime()) / 3_600_000;
  const week = 24 * 7;
  const at = (hours: number, count: number) =>
    insertPastMessages(service.sql, { ...key, count, fromHours: hours, toHours: hours });
  await at(sinceMidnight / 2, 3);
  await at(sinceMidnight + 0.02, 5);
  await at(week + sinceMidnight / 2, 7);
  await at(week + Math.min(0.005, sinceMidnight / 4), 11);
  await at(week - 0.02, 13);
  const { today } = await readOverview(service.ctx, key.companyId, { range: '24h', isTest: false });
  assert.deepEqual(today, { sends: 3, confirmed: 3, same_day_last_week: 18 });
});

test('the days left are estimated from the spending of seven days', async () => {
  const key = await createOldCompany({ balance: 1_000 });
  const read = (companyId = key.companyId) =>
    readOverview(service.ctx, companyId, { range: '24h', isTest: undefined });
  assert.equal((await read(await service.company())).days_left, null);
  await insertPastMessages(service.sql, {
    ...key,
    count: 70,
    fromHours: 24 * 6,
    columns: { charged: '10' },
  });
  const { days_left, balance, held } = await read();
  assert.deepEqual([days_left, balance, held], [10, 1_000, 0]);
});

test('problems are listed only when they need attention', async () => {
  const healthy = await createOldCompany({ balance: 1_000 });
  await insertPastMessages(service.sql, { ...healthy, count: 50, fromHours: 20 });
  const problems = async (companyId: CompanyId) =>
    (await readOverview(service.ctx, companyId, { range: '24h', isTest: undefined })).problems;
  assert.deepEqual(await problems(healthy.companyId), []);

  const troubled = await createOldCompany({ balance: 7 });
  await service.sql(
    `insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, channels, code_length,
       code_ttl_seconds, fallback_seconds, language, created_at)
     select $1, 'забытый', false, sha256('x'), 'zk', 'x', '{sms}', 6, 300, 30, 'ru', now() - interval '40 days'`,
    [troubled.companyId],
  );
  await insertPastMessages(service.sql, {
    ...troubled,
    count: 20,
    fromHours: 0.9,
    toHours: 0.1,
    columns: {
      channel: `'whatsapp'`,
      receipt: `case when n <= 11 then 'failed' else 'delivered' end`,
    },
  });
  // One has ended, one will soon; one ends later, one ended unused, and one is revoked.
  await service.sql(
    `with made as (
       insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, channels, code_length,
         code_ttl_seconds, fallback_seconds, language, expires_at, revoked_at)
       select $1, name, false, sha256(name::bytea), 'zk', 'x', '{sms}', 6, 300, 30, 'ru', now() + ends, revoked
       from (values
         ('over', interval '-1 day', null), ('soon', interval '6 days', null), ('later', interval '8 days', null),
         ('unused', interval '-1 day', null), ('gone', interval '1 day', now())) as key(name, ends, revoked)
       returning id, name)
     insert into key_use (key_id, used_at) select id, now() - interval '2 days' from made where name <> 'unused'`,
    [troubled.companyId],
  );
  // Failing for half an hour, or switched off by a person: no problem. The others are.
  await service.sql(
    `insert into webhook_endpoint (company_id, url, events, failing_since, off_at, off_reason)
     select $1, 'https://' || name || '.kz', '{message.sent}', now() - failing, now() - off, reason
     from (values
       ('new', interval '30 minutes', null, null),
       ('failing', interval '200 minutes', null, null),
       ('paused', interval '9 hours', interval '5 hours', 'person'),
       ('gone', null, interval '150 minutes', 'gone')) as endpoint(name, failing, off, reason)`,
    [troubled.companyId],
  );
  assert.deepEqual(await problems(troubled.companyId), [
    { kind: 'low_balance', object: null, count: 7 },
    { kind: 'channel_failing', object: 'WhatsApp', count: 11 },
    { kind: 'many_failures', object: null, count: 11 },
    { kind: 'webhook_failing', object: 'https://failing.kz', count: 3 },
    { kind: 'webhook_off', object: 'https://gone.kz', count: 2 },
    { kind: 'key_expired', object: 'over', count: 0 },
    { kind: 'key_expires', object: 'soon', count: 6 },
    { kind: 'key_idle', object: 'забытый', count: 40 },
  ]);
});

test('the onboarding steps are marked as they are completed', async () => {
  const key = await service.key({ isTest: true });
  const { companyId } = key;
  const owner = await cabinet.person({ companyId, role: 'owner' });
  const steps = async () => (await cabinet.as(owner).call(O.overview)).ok().steps;
  const nothing = {
    has_test_send: false,
    has_verified: false,
    has_live_key: false,
    has_live_send: false,
    has_colleague: false,
  };
  assert.deepEqual(await steps(), nothing);
  const phone = service.phone();
  await service.call('/otp/send', { phone }, key);
  assert.deepEqual(await steps(), { ...nothing, has_test_send: true });
  await service.call('/otp/verify', { phone, code: service.readSentCode(key, phone) }, key);
  const live = await service.key({ companyId });
  await service.call('/otp/send', { phone: service.phone() }, live);
  await cabinet.person({ companyId, role: 'viewer' });
  await until('the log is written', async () => (await steps()).has_verified);
  assert.deepEqual(Object.values(await steps()), [true, true, true, true, true]);
});

test('sends are counted per key and day, and refusals per key', async () => {
  const one = await createOldCompany();
  const two = await service.key({ companyId: one.companyId });
  await insertPastMessages(service.sql, { ...one, count: 30, fromHours: 24 * 20 });
  await insertPastMessages(service.sql, { ...two, count: 4, fromHours: 0.01 });
  await service.sql(
    `insert into request_log (at, company_id, key_id, request_id, path, status, error_code, duration_ms)
     select now() - interval '3 hours', $1, k, 'r' || n, '/api/otp/send', 422, 'invalid_phone', 1
     from generate_series(1, 3) as n, unnest($2::bigint[]) as k`,
    [one.companyId, [one.keyId, two.keyId]],
  );
  const { days } = await sendsByDay(service.ctx, one.companyId, [one.keyId, two.keyId]);
  assert.deepEqual(days.get(two.keyId), [0, 0, 0, 0, 0, 0, 4]);
  const [stored] = await service.sql<{ count: number }>(
    'select count(*) as count from message where key_id = $1 and created_at >= $2',
    [one.keyId, almatyDay(new Date(), -6)],
  );
  assert.equal(
    days.get(one.keyId)?.reduce((sum, sends) => sum + sends, 0),
    stored?.count,
  );
  const use = await readKeyUsage(service.ctx, one.companyId, one.keyId, '30d');
  assert.equal(use.sends, 30);
  assert.equal(use.buckets.length, 30);
  assert.deepEqual(use.errors, [{ error_code: 'invalid_phone', count: 3 }]);
  assert.equal(
    use.buckets.reduce((sum, { refusals }) => sum + refusals, 0),
    3,
  );
  const used = await readKeyUsage(service.ctx, one.companyId, two.keyId, '24h');
  assert.deepEqual([used.sends, used.sends_last_day], [4, 4]);
});

const BUSY_COUNT = 60_000;

/** Creates a company with more sends and calls in two past hours than one statement may read. */
async function createBusyCompany() {
  const key = await createOldCompany();
  // Two full hours, so that the rows of an hour are the same at every minute of a clock.
  const now = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
  await insertPastMessages(service.sql, {
    ...key,
    count: BUSY_COUNT,
    fromHours: 29,
    toHours: 27,
    now,
    columns: { charged: '0', channel: `(array['whatsapp', 'sms'])[1 + n % 2]` },
  });
  await service.ctx.db.maintain((own) =>
    own.query(
      `insert into request_log (at, company_id, key_id, request_id, path, status, error_code, duration_ms)
       select $4::timestamptz - interval '29 hours' + (n / 3) * interval '360 ms', $1, $2, 'req',
         '/api/otp/verify', 422, 'invalid_code', 5
       from generate_series(1, $3::integer) as n`,
      [key.companyId, key.keyId, BUSY_COUNT, now],
    ),
  );
  await analyzeTables(service, 'message', 'request_log');
  return key;
}

const readMonth = (ctx: Parameters<typeof readOverview>[0], companyId: CompanyId) =>
  readOverview(ctx, companyId, { range: '30d', isTest: undefined });

test('the hours of a busy company are counted in steps without a gap between them', async () => {
  const key = await createBusyCompany();
  const { db, largest } = explainQueries(service.ctx.db);
  let overview = await readMonth({ ...service.ctx, db }, key.companyId);
  // On a slow machine one request may not have the time for all hours.
  while (overview.hours_to_count > 0) {
    overview = await readMonth({ ...service.ctx, db }, key.companyId);
  }
  // The row after the last shows whether there are more, and calls of one instant are not split.
  assert(largest.rowsUsed <= 25_010, `${largest.rowsUsed} rows in one statement`);
  const { whatsapp, sms, confirmed } = sumOf(overview.buckets);
  assert.deepEqual(
    { whatsapp, sms, confirmed },
    { whatsapp: 30_000, sms: 30_000, confirmed: BUSY_COUNT },
  );
  const use = await readKeyUsage(service.ctx, key.companyId, key.keyId, '30d');
  assert.equal(use.sends, BUSY_COUNT);
  // A wrong code is an answer, not a refusal.
  assert.deepEqual([use.wrong_codes, use.errors], [BUSY_COUNT, []]);
});

test('a page read before all hours are counted shows how many are missing, and counts more', async () => {
  const key = await createOldCompany();
  for (const hours of [100, 200]) {
    await insertPastMessages(service.sql, {
      ...key,
      count: 5,
      fromHours: hours,
      toHours: hours - 1,
    });
  }
  const from = almatyDay(new Date(), -30);
  const [hour] = await service.sql<{ hour: Date }>(
    `select date_trunc('hour', now() - interval '150 hours') as hour`,
  );
  // An hour that is counted already splits the range into two.
  await service.sql(
    `insert into counted_hour values ($1, $2, $2::timestamptz + interval '100 hours', '{}', '{}')`,
    [key.companyId, hour?.hour],
  );
  const missing: number[] = [];
  for (let reads = 0; reads < 3; reads++) {
    missing.push((await openUsage(service.ctx, key.companyId, from, 0)).hoursToCount);
  }
  assert.deepEqual(missing, [27 * 24 - 150, 0, 0]);
  const { hours_to_count, buckets } = await readMonth(service.ctx, key.companyId);
  assert.equal(hours_to_count, 0);
  assert.equal(sumOf(buckets).sms, 10);
});

test('while another node counts, a page is answered immediately and marked as incomplete', async () => {
  const key = await createOldCompany();
  await insertPastMessages(service.sql, { ...key, count: 50, fromHours: 24 * 5, toHours: 24 * 4 });
  await service.ctx.db.transaction(async (other) => {
    await lockStoring(other, key.companyId);
    const overview = await readMonth(service.ctx, key.companyId);
    assert(overview.hours_to_count > 24 * 26, `${overview.hours_to_count} hours are missing`);
    assert.equal(sumOf(overview.buckets).sms, 0);
  });
  const overview = await readMonth(service.ctx, key.companyId);
  assert.equal(overview.hours_to_count, 0);
  assert.equal(sumOf(overview.buckets).sms, 50);
});
