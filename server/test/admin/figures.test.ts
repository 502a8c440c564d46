/** The figures of the desk: sends, deliveries, revenue, cost and margin by day, channel, operator. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_FIGURES_ENDPOINTS as F } from '@zhiber/contract/admin/figures.ts';
import { guardOnce } from '../../src/abuse/guard-rounds.ts';
import { almatyDay, almatyTime } from '../../src/almaty.ts';
import { openSystemCompany } from '../../src/installation/system-company.ts';
import { countFigures } from '../../src/operators/count-figures.ts';
import type { Phone } from '../../src/phone.ts';
import { insertPastMessages } from '../cabinet/past-messages.ts';
import { useService } from '../harness.ts';
import { createAdminClient } from './admin-client.ts';

const service = useService();
const { as, operator } = createAdminClient(service);

const never = new AbortController().signal;
const dayBefore = (days: number) => almatyTime(almatyDay(new Date(), -days)).slice(0, 10);
const read = async (who: { cookie: string }, range: '7d' | '30d' | '90d' = '7d') =>
  (await as(who).call(F.figures, { query: { range } })).ok();
const setCost = (who: { cookie: string }, body: object) =>
  as(who).call(F.setProviderCost, { body: body as never });

let batches = 0;

/** Messages of about noon in Almaty, some days ago. */
async function send(
  { companyId, keyId }: { companyId: never; keyId: never },
  {
    days,
    count,
    provider,
    columns = {},
  }: { days: number; count: number; provider: string; columns?: object },
) {
  batches += 1;
  const noon = new Date(almatyDay(new Date(), -days).getTime() + 12 * 3_600_000 + batches);
  const before = await service.sql<{ id: string }>('select id::text from message');
  await insertPastMessages(service.sql, {
    companyId,
    keyId,
    count,
    fromHours: 0.01,
    now: noon,
    columns: { request_id: `'day${days}-${provider}-' || n`, ...columns },
  });
  await service.sql(`update message set provider_id = $1 || ':' || id where id::text <> all ($2)`, [
    provider,
    before.map(({ id }) => id),
  ]);
}

test('figures are counted from live messages of customers, with the margin where costs are known', async () => {
  const who = await operator();
  const key = (await service.key({ balance: 1_000_000 })) as never as {
    companyId: never;
    keyId: never;
  };
  // Three days ago: 10 SMS for 8 ₸ each, 2 of them failed; they were charged nothing.
  await send(key, {
    days: 3,
    count: 10,
    provider: 'smsc',
    columns: {
      recipient: '77010000000 + n',
      charged: 'case when n <= 2 then 0 else 8 end',
      state: `case when n <= 2 then 'failed' else 'sent' end`,
      receipt: `case when n <= 2 then null when n <= 8 then 'delivered' end`,
    },
  });
  // Two days ago: 5 by WhatsApp to another operator, and 4 by a test key.
  const whatsapp = { channel: `'whatsapp'`, charged: '3', recipient: '77050000000 + n' };
  await send(key, { days: 2, count: 5, provider: 'green-api', columns: whatsapp });
  await send(key, { days: 2, count: 4, provider: 'smsc', columns: { is_test: 'true' } });
  // The company of the installation itself is in none of it.
  const system = { ...key, companyId: (await openSystemCompany(service.ctx)) as never };
  await send(system, { days: 2, count: 6, provider: 'smsc' });

  const before = await read(who);
  assert.deepEqual([before.counted_at, before.days_to_count, before.total.sends], [null, 7, 0]);
  assert.equal(await countFigures(service.ctx, never), 90);

  // 8 SMS were accepted at 5.50 ₸. Nobody has said what Green API charges.
  const from = dayBefore(20);
  (await setCost(who, { provider: 'smsc', item: 'sms', valid_from: from, cost_tiyn: 550 })).ok();
  const { total, days, items, providers, operators, days_to_count } = await read(who);
  assert.equal(days_to_count, 0);
  assert.partialDeepStrictEqual(total, {
    sends: 15,
    delivered: 11,
    failed: 2,
    revenue: 79,
    cost_tiyn: null,
    margin_tiyn: null,
  });
  assert.equal(days.length, 7);
  assert.partialDeepStrictEqual(
    days.find(({ day }) => day === dayBefore(3)),
    { sends: 10, delivered: 6, failed: 2, revenue: 64, cost_tiyn: 4_400, margin_tiyn: 2_000 },
  );
  assert.partialDeepStrictEqual(
    days.find(({ day }) => day === dayBefore(2)),
    { sends: 5, delivered: 5, failed: 0, revenue: 15, cost_tiyn: null, margin_tiyn: null },
  );
  assert.partialDeepStrictEqual(
    days.find(({ day }) => day === dayBefore(1)),
    { sends: 0, revenue: 0, cost_tiyn: 0, margin_tiyn: 0 },
  );
  assert.deepEqual(
    items.map(({ item, sends, margin_tiyn }) => [item, sends, margin_tiyn]),
    [
      ['whatsapp', 5, null],
      ['telegram', 0, 0],
      ['sms', 10, 2_000],
      ['group', 0, 0],
    ],
  );
  assert.deepEqual(
    providers.map(({ provider, item, sends, cost_tiyn }) => [provider, item, sends, cost_tiyn]),
    [
      ['smsc', 'sms', 10, 4_400],
      ['green-api', 'whatsapp', 5, null],
    ],
  );
  assert.deepEqual(
    operators.map(({ name, prefixes, sends, margin_tiyn }) => [name, prefixes, sends, margin_tiyn]),
    [
      ['Kcell / Activ', ['7701'], 10, 2_000],
      ['Beeline', ['7705'], 5, null],
    ],
  );

  // A dearer price from two days ago changes nothing three days ago.
  const dearer = { provider: 'smsc', item: 'sms', valid_from: dayBefore(2), cost_tiyn: 900 };
  (await setCost(who, dearer)).ok();
  const later = await read(who);
  assert.equal(later.days.find(({ day }) => day === dayBefore(3))?.cost_tiyn, 4_400);
  // From that very day on it holds.
  (await setCost(who, { ...dearer, valid_from: dayBefore(3) })).ok();
  const then = await read(who);
  assert.equal(then.days.find(({ day }) => day === dayBefore(3))?.margin_tiyn, 6_400 - 7_200);
});

test('a message that fell back costs what every provider charges that accepted it', async () => {
  const who = await operator();
  const key = (await service.key({ balance: 1_000 })) as never as {
    companyId: never;
    keyId: never;
  };
  const columns = { attempt: '2', charged: '8', recipient: '77470000000 + n' };
  await send(key, { days: 1, count: 1, provider: 'smsc', columns });
  await service.sql(
    `insert into attempt (company_id, message_id, number, channel, state, receipt, provider_id, price, started_at)
     select company_id, id, n, (array['telegram', 'whatsapp', 'sms'])[n]::channel,
       (array['refused', 'accepted', 'accepted'])[n]::attempt_state, null,
       (array[null, 'green-api:1', 'smsc:1'])[n], 0, created_at
     from message, generate_series(1, 3) n where company_id = $1`,
    [key.companyId],
  );
  await countFigures(service.ctx, never);
  const day = dayBefore(1);
  const cost = async () => (await read(who)).days.find((one) => one.day === day)?.cost_tiyn;
  assert.equal(await cost(), null);
  const valid_from = dayBefore(20);
  const body = { provider: 'green-api', item: 'whatsapp', valid_from, cost_tiyn: 120 };
  (await setCost(who, body)).ok();
  assert.equal(await cost(), 120 + 900);
  const { operators } = await read(who);
  assert.equal(operators.find(({ name }) => name === 'Tele2 / Altel')?.revenue, 8);
});

test('a day is counted again while receipts may come, and not afterwards', async () => {
  const counted = await service.sql<{ day: string }>(
    `update figure_count set counted_at = '2026-01-01' where day = $1 or day = $2 returning day::text`,
    [dayBefore(0), dayBefore(30)],
  );
  assert.equal(counted.length, 2);
  // A count before the end of a day, or soon after it, is not final. Today and the three days before
  // are never final; the count of the thirtieth was made before that day.
  const runs = await countFigures(service.ctx, never);
  assert.equal(runs, 5);
  assert.equal(await countFigures(service.ctx, never), 4);
  assert.equal(await countFigures(service.ctx, AbortSignal.abort()), 0);
});

test('codes that were entered are added up by the guard, by day and operator', async () => {
  const who = await operator();
  const { companyId } = await service.key();
  const system = await openSystemCompany(service.ctx);
  const { guard } = service.ctx;
  for (let i = 0; i < 4; i++) guard.countSent(companyId, `7700123456${i}` as Phone);
  guard.countVerified(companyId, '77001234560' as Phone);
  guard.countSent(system, '77001234569' as Phone);
  await guardOnce(service.ctx);
  guard.countVerified(companyId, '77001234561' as Phone);
  await guardOnce(service.ctx);
  const { total, operators, days } = await read(who);
  assert.deepEqual([total.codes, total.verified], [4, 2]);
  assert.deepEqual([days.at(-1)?.codes, days.at(-1)?.verified], [4, 2]);
  const tele2 = operators.find(({ name }) => name === 'Tele2 / Altel');
  assert.deepEqual([tele2?.prefixes, tele2?.codes, tele2?.verified], [['7700', '7747'], 4, 2]);
});

describe('the cost of a provider', () => {
  test('is recorded with what it was before, and only when it differs', async () => {
    const who = await operator();
    const body = { provider: 'mobizon', item: 'sms', valid_from: '2026-05-01', cost_tiyn: 700 };
    const set = async (changes: object = {}) =>
      (await setCost(who, { ...body, ...changes })).ok().is_changed;
    assert.deepEqual([await set(), await set(), await set({ cost_tiyn: 0 })], [true, false, true]);
    const { costs } = (await as(who).call(F.providerCosts)).ok();
    assert.partialDeepStrictEqual(
      costs.filter(({ provider }) => provider === 'mobizon'),
      [{ provider: 'mobizon', item: 'sms', valid_from: '2026-05-01', cost_tiyn: 0 }],
    );
    const query = { action: 'cost.set' as const };
    const [newest, oldest] = (await as(who).call(A.audit, { query })).ok().rows;
    assert.deepEqual(
      [newest?.object, newest?.before, newest?.after, oldest?.before],
      ['mobizon, sms', { cost_tiyn: 700 }, { cost_tiyn: 0, from: '2026-05-01' }, null],
    );
  });

  for (const [name, changes] of Object.entries({
    'of nobody': { provider: 'nobody' },
    'of another item': { item: 'whatsapp' },
    'below nothing': { cost_tiyn: -1 },
    'of a part of a tiyn': { cost_tiyn: 1.5 },
    'beyond all measure': { cost_tiyn: 1e12 },
    'from a day that is none': { valid_from: '2026-02-30' },
    'from a year that is none': { valid_from: '0000-01-01' },
  })) {
    test(`${name} is refused`, async () => {
      const who = await operator();
      const body = { provider: 'smsc', item: 'sms', valid_from: '2026-05-01', cost_tiyn: 1 };
      (await setCost(who, { ...body, ...changes })).refused('validation_error');
    });
  }
});
