import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { almatyDay, almatyTime } from '../../src/almaty.ts';
import { readAudit } from '../../src/billing/invariant-store.ts';
import { reserve } from '../../src/delivery/reserve-store.ts';
import { settleWithRetry } from '../../src/delivery/watch.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import { addEarlierSpend } from '../../src/keys/key-cap-store.ts';
import { listOwnKeys } from '../../src/keys/key-store.ts';
import { changeKey, countEarlierSpend } from '../../src/keys/manage-keys.ts';
import { NO_INTERFERENCE } from '../../src/sandbox/test-numbers.ts';
import { acceptance, reservationOf } from '../delivery/dead-process.ts';
import { runConcurrently, type TestKey, until } from '../harness.ts';
import { connectionOf, tally, useTwoNodes } from './two-nodes.ts';

const { service, post } = useTwoNodes();

const send = (key: TestKey, more: object = {}) =>
  service.call('/otp/send', { phone: service.phone(), ...more }, key);
const bySms = { channel: 'sms' };
const byWhatsapp = { channel: 'whatsapp' };

async function readKey({ companyId, keyId }: TestKey) {
  const key = (await listOwnKeys(service.ctx.db, companyId)).find(({ id }) => id === keyId);
  assert(key !== undefined);
  return key;
}

const spentBy = async (key: TestKey) => (await readKey(key)).spentThisMonth;
const spentToday = async (key: TestKey) => (await readKey(key)).spentToday;

/** What holds for the cap of a month and for that of a day. The rest of the day is in key-daily-cap.test.ts. */
const BOTH_CAPS = {
  'of a month': { setting: 'monthlyCap', countedOf: spentBy },
  'of a day': { setting: 'dailyCap', countedOf: spentToday },
} as const;

async function setCap(key: TestKey, monthlyCap: number | null): Promise<void> {
  const settings = { ...(await readKey(key)), monthlyCap };
  await changeKey(service.ctx, {}, { companyId: key.companyId, keyId: key.keyId, settings });
}

async function assertCountsAreRight(): Promise<void> {
  const { violations } = await readAudit(connectionOf(service));
  assert.equal(violations.key_spend_is_not_sum_of_messages, 0);
  assert.equal(violations.key_day_spend_is_not_sum_of_messages, 0);
}

test('a cap of 100 lets no 101 through: 200 sends at once on two nodes', async () => {
  const key = await service.key({ balance: 10_000, monthlyCap: 100 });
  const phones = Array.from({ length: 200 }, service.phone);
  const answers = await runConcurrently(200, (i) =>
    post(i, '/otp/send', { phone: phones[i], ...byWhatsapp }, key),
  );
  assert.deepEqual(tally(answers), { ok: 33, spend_cap_reached: 167 });
  assert.equal(await spentBy(key), 99);
  assert.deepEqual(await service.balance(key.companyId), { balance: 9_901, held: 0 });
  await assertCountsAreRight();
});

for (const [period, { setting, countedOf }] of Object.entries(BOTH_CAPS)) {
  test(`auto at once: the holds of dearer channels never pass the cap ${period} either`, async () => {
    const key = await service.key({ balance: 10_000, [setting]: 100 });
    const phones = Array.from({ length: 200 }, service.phone);
    const answers = await runConcurrently(200, (i) =>
      post(i, '/otp/send', { phone: phones[i] }, key),
    );
    const spent = answers.reduce((sum, { body }) => sum + Number(body.cost ?? 0), 0);
    // All at once: 12 hold the price of an SMS, and one the 3 that are left.
    assert(spent <= 100 && (tally(answers).ok ?? 0) >= 13, `${spent} of 100`);
    assert.equal(await countedOf(key), spent);
    assert(answers.every(({ status }) => status === 200 || status === 429));
    await assertCountsAreRight();
  });

  test(`within a batch a hold is the dearest price that the cap ${period} leaves room for`, async () => {
    const key = await service.key({ balance: 1_000, [setting]: 13 });
    const reservations = Array.from({ length: 4 }, () =>
      reservationOf(service, { key, phone: service.phone() }),
    );
    const reserved = await reserve.run(service.ctx.db, reservations);
    assert.deepEqual(
      reserved.map((one) => ('held' in one ? one.held : one.verdict)),
      [8, 3, 'capped', 'capped'],
    );
    assert.equal(await countedOf(key), 11, 'holds count');
    for (const { id } of reservations.slice(0, 2)) {
      await settleWithRetry(service.ctx, { ...acceptance(key, id), state: 'unknown' });
    }
    assert.equal(await countedOf(key), 0, 'a released hold gives its room back');
    assert.equal((await send(key, bySms)).status, 200);
  });
}

test('the refusal says when the next month begins in Almaty', async () => {
  const key = await service.key({ monthlyCap: 2 });
  const before = Date.now();
  const { status, body, headers } = await send(key, byWhatsapp);
  const after = Date.now();
  assert.equal(status, 429);
  assert.equal(body.error_code, 'spend_cap_reached');
  assert.equal(headers['retry-after'], String(body.retry_after));
  const [month] = almatyTime(new Date(before)).split('-').slice(1, 2);
  const from = new Date(before + Number(body.retry_after) * 1000);
  const to = new Date(after + Number(body.retry_after) * 1000);
  assert.match(almatyTime(to), /^\d{4}-\d{2}-01 00:00:0/);
  assert.notEqual(almatyTime(to).slice(5, 7), month);
  assert(from <= to);
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
});

test('an empty balance is named before the cap', async () => {
  const key = await service.key({ balance: 2, monthlyCap: 1 });
  const { body } = await send(key, byWhatsapp);
  assert.equal(body.error_code, 'insufficient_tokens');
});

test('a send that every channel refuses takes nothing of the cap', async () => {
  const key = await service.key({ monthlyCap: 8 });
  service.sandbox.switches = { ...NO_INTERFERENCE, noWhatsapp: true };
  const refused = await send(key, byWhatsapp);
  service.sandbox.switches = NO_INTERFERENCE;
  assert.equal(refused.body.error_code, 'delivery_failed');
  assert.equal(await spentBy(key), 0);
  assert.equal((await send(key, bySms)).status, 200);
  assert.equal(await spentBy(key), 8);
});

test('the keys of a company have caps of their own, and one without a cap has none', async () => {
  const companyId = await service.company(1_000);
  const [small, large, free] = [
    await service.key({ companyId, monthlyCap: 3 }),
    await service.key({ companyId, monthlyCap: 9 }),
    await service.key({ companyId }),
  ];
  for (const [key, sends] of [
    [small, 1],
    [large, 3],
    [free, 12],
  ] as const) {
    for (let i = 0; i < sends; i++) assert.equal((await send(key, byWhatsapp)).status, 200);
  }
  assert.equal((await send(small, byWhatsapp)).body.error_code, 'spend_cap_reached');
  assert.equal((await send(large, byWhatsapp)).body.error_code, 'spend_cap_reached');
  assert.equal((await send(free, byWhatsapp)).status, 200);
  assert.equal(await spentBy(free), null);
});

test('a free post passes a cap that is used up', async () => {
  const key = await service.key({ monthlyCap: 3 });
  const { companyId } = key;
  await service.markPaid(companyId);
  await insertGroup(service.ctx.db, {
    companyId,
    channel: 'telegram',
    name: 'Дежурные',
    chatId: '-1',
  });
  await send(key, byWhatsapp);
  await setCap(key, 1);
  const post = { group: 'Дежурные', text: 'Текст' };
  assert.equal((await service.call('/group/send', post, key)).status, 200);
});

test('last month is past: its spending leaves the whole cap', async () => {
  const key = await service.key({ monthlyCap: 3 });
  await send(key, byWhatsapp);
  assert.equal((await send(key, byWhatsapp)).status, 429);
  await service.sql(
    `update message set created_at = created_at - interval '1 month' where key_id = $1`,
    [key.keyId],
  );
  await service.sql(`update key_spend set month = month - interval '1 month' where key_id = $1`, [
    key.keyId,
  ]);
  assert.equal(await spentBy(key), 0);
  assert.equal((await send(key, byWhatsapp)).status, 200);
  assert.equal(await spentBy(key), 3);
  await assertCountsAreRight();
});

describe('a cap that is set in the middle of a month', () => {
  test('counts what the key has spent in it', async () => {
    const companyId = await service.company(1_000);
    const key = await service.key({ companyId });
    const other = await service.key({ companyId });
    for (const by of [byWhatsapp, bySms]) await send(key, by);
    await send(other, bySms);
    const { body: earlier } = await send(key, bySms);
    await service.sql(
      `update message set created_at = next_almaty_month(created_at) - interval '1 month 1 second'
       where id = $1`,
      [earlier.message_id],
    );
    await setCap(key, 14);
    assert.equal(await spentBy(key), 11);
    assert.equal((await send(key, byWhatsapp)).status, 200);
    assert.equal((await send(key, byWhatsapp)).body.error_code, 'spend_cap_reached');
    await assertCountsAreRight();
  });

  test('counts sends that go on meanwhile exactly once', async () => {
    const key = await service.key({ balance: 10_000 });
    const phones = Array.from({ length: 150 }, service.phone);
    const [answers] = await Promise.all([
      runConcurrently(150, (i) => post(i, '/otp/send', { phone: phones[i] }, key)),
      setCap(key, 5_000),
    ]);
    const spent = answers.reduce((sum, { body }) => sum + Number(body.cost ?? 0), 0);
    assert.equal(tally(answers).ok, 150);
    assert.equal(await spentBy(key), spent);
    await assertCountsAreRight();
  });

  test('is counted by the next round when its process dies before', async () => {
    const key = await service.key({ balance: 100 });
    await send(key, bySms);
    await service.sql('update api_key set monthly_cap = 10 where id = $1', [key.keyId]);
    await service.sql(
      `insert into key_spend (company_id, key_id, month, is_counted)
       values ($1, $2, almaty_month(clock_timestamp()), false)`,
      [key.companyId, key.keyId],
    );
    await send(key, byWhatsapp);
    assert.equal(await spentBy(key), 3, 'only what was spent since');
    await countEarlierSpend(service.ctx);
    assert.equal(await spentBy(key), 11);
    await countEarlierSpend(service.ctx);
    assert.equal(await spentBy(key), 11, 'and never again');
    await assertCountsAreRight();
  });

  test('is not counted twice by two nodes', async () => {
    const key = await service.key({ balance: 100 });
    await send(key, bySms);
    await setCap(key, 100);
    const [row] = await service.sql<{ from: string }>(
      `update key_spend set is_counted = false, spent = 0 where key_id = $1 returning month::text as "from"`,
      [key.keyId],
    );
    const period = 'month' as const;
    const spend = { period, company_id: key.companyId, key_id: key.keyId, from: String(row?.from) };
    // Both have added up the messages when they wait for the row.
    const counting = await service.ctx.db.transaction(async (tx) => {
      await tx.query('select from key_spend where key_id = $1 for update', [key.keyId]);
      const both = [1, 2].map(() => addEarlierSpend(service.ctx.db, spend));
      await until('both wait', async () => {
        const waiting = await service.sql(
          `select from pg_locks l join pg_stat_activity a using (pid)
           where not l.granted and a.datname = current_database() and a.query like '%key_spend%'`,
        );
        return waiting.length === 2;
      });
      return { both };
    });
    await Promise.all(counting.both);
    assert.equal(await spentBy(key), 8);
  });
});

test('a removed cap stops counting, and one that is set again starts anew', async () => {
  const key = await service.key({ balance: 1_000, monthlyCap: 3 });
  await send(key, byWhatsapp);
  await setCap(key, null);
  assert.equal((await send(key, bySms)).status, 200);
  assert.deepEqual(await service.sql('select from key_spend where key_id = $1', [key.keyId]), []);
  await setCap(key, 12);
  assert.equal(await spentBy(key), 11);
  await setCap(key, 14);
  assert.equal((await send(key, byWhatsapp)).status, 200);
  await setCap(key, 4);
  assert.equal((await send(key, byWhatsapp)).body.error_code, 'spend_cap_reached');
});

test('the month of the database is the month of Almaty', async () => {
  const from = Date.parse('2026-01-01T00:00:00Z');
  const instants = Array.from({ length: 24 }, (_, month) => almatyDay(new Date(from), month * 31));
  const edges = instants.flatMap((day) => {
    const first = almatyDay(day, 1 - Number(almatyTime(day).slice(8, 10)));
    return [new Date(first.getTime() - 1), first, day];
  });
  const rows = await service.sql<{ month: string; next: Date }>(
    `select almaty_month(t)::text as month, next_almaty_month(t) as next
     from unnest($1::timestamptz[]) with ordinality as i(t, n) order by n`,
    [edges],
  );
  assert.deepEqual(
    rows.map(({ month }) => month),
    edges.map((at) => `${almatyTime(at).slice(0, 7)}-01`),
  );
  for (const [n, { next }] of rows.entries()) {
    const lastInstant = new Date(next.getTime() - 1);
    assert.equal(almatyTime(lastInstant).slice(0, 7), almatyTime(edges[n] as Date).slice(0, 7));
    assert.match(almatyTime(next), /-01 00:00:00$/);
  }
});
