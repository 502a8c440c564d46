import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BALANCE_ENDPOINTS as B } from '@zhiber/contract/cabinet/balance.ts';
import { almatyDay, almatyMonth, HOUR_MS } from '../../src/almaty.ts';
import type { CompanyId, KeyId } from '../../src/ids.ts';
import { readBalanceFigures } from '../../src/ledger/read-balance-figures.ts';
import { readSpend } from '../../src/ledger/read-spend.ts';
import { readOverview } from '../../src/messages/read-overview.ts';
import { creditPayment } from '../../src/topups/credit-payment.ts';
import { askRefund } from '../../src/topups/refund-payment.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { insertPastMessages } from './past-messages.ts';

const service = useService();
const cabinet = createCabinetClient(service);

/** A company that is older than its messages, and a live key of it. */
async function createOldCompany(balance = 1_000): Promise<{ companyId: CompanyId; keyId: KeyId }> {
  const key = await service.key({ balance, name: 'Сайт' });
  const created = `clock_timestamp() - interval '200 days'`;
  await service.sql(`update company set created_at = ${created} where id = $1`, [key.companyId]);
  return key;
}

type Sent = { at: Date; charged: number; channel?: string; purpose?: string; kind?: string };

async function insertMessages(
  key: { companyId: CompanyId; keyId: KeyId },
  sent: readonly Sent[],
): Promise<void> {
  for (const { at, charged, channel = 'sms', purpose = 'login', kind = 'otp' } of sent) {
    await insertPastMessages(service.sql, {
      ...key,
      count: 1,
      fromHours: 0,
      now: at,
      columns: {
        charged: String(charged),
        channel: `'${channel}'`,
        purpose: kind === 'otp' ? `'${purpose}'` : 'null',
        kind: `'${kind}'`,
        // One recipient for each message, whatever their number.
        recipient: String(77_010_000_000 + (at.getTime() % 10_000_000)),
      },
    });
  }
}

/** Noon of the 15th of this month in Almaty, so that a week before it is in the same month. */
const middle = new Date(almatyDay(almatyMonth(new Date()), 14).getTime() + 12 * HOUR_MS);
const atMiddle = () => ({ ...service.ctx, clock: { now: () => middle } });
const after = (edge: Date, ms: number) => new Date(edge.getTime() + ms);

test('what is spent today and this month is counted from midnight in Almaty', async () => {
  const key = await createOldCompany();
  const [month, today] = [almatyMonth(middle), almatyDay(middle)];
  await insertMessages(key, [
    { at: after(month, -1), charged: 100 },
    { at: month, charged: 3 },
    { at: after(today, -1), charged: 8 },
    { at: today, charged: 3 },
    { at: after(middle, -600_000), charged: 8 },
  ]);
  const figures = await readBalanceFigures(atMiddle(), key.companyId);
  assert.deepEqual(figures, {
    hours_to_count: 0,
    available: 1_000,
    balance: 1_000,
    held: 0,
    debt: 0,
    spent_today: 11,
    spent_month: 22,
    // 19 in seven days.
    days_left: 368.4,
    prices: { whatsapp: 3, telegram: 3, sms: 8, group: 0 },
  });
  const overview = await readOverview(atMiddle(), key.companyId, {
    range: '24h',
    isTest: undefined,
  });
  assert.equal(overview.days_left, figures.days_left);
});

test('what is held cannot be spent, and what is owed is shown', async () => {
  const companyId = await service.company();
  const owner = await cabinet.person({ companyId, role: 'accountant' });
  const read = async () => (await cabinet.as(owner).call(B.balance)).ok();
  await service.sql('update account set held = 20 where company_id = $1', [companyId]);
  const { available, balance, held, debt, days_left } = await read();
  assert.deepEqual(
    { available, balance, held, debt, days_left },
    {
      available: 30,
      balance: 50,
      held: 20,
      debt: 0,
      days_left: null,
    },
  );
  await service.sql('update account set held = 0 where company_id = $1', [companyId]);

  const outcome = await creditPayment(
    service.ctx,
    {},
    { companyId, provider: 'transfer', providerPaymentId: 'p1', amount: 1_000, paidAt: new Date() },
  );
  assert(outcome.result === 'credited');
  await service.sql('select post_entry($1, $2, $3, uuidv7())', [companyId, 'correction', -2_000]);
  const refund = { amount: 1_000, reason: 'спор', askedBy: null };
  await askRefund(service.ctx, {}, { paymentId: outcome.payment.id, ...refund });
  const owing = await read();
  assert.deepEqual([owing.available, owing.debt], [0, 1_950]);
});

test('spending is split by day, channel, key and purpose, and each split adds up', async () => {
  const site = await createOldCompany();
  const shop = await service.key({ companyId: site.companyId, name: 'Магазин' });
  const today = almatyDay(middle);
  const first = almatyDay(middle, -29);
  await insertMessages(site, [
    { at: after(first, -1), charged: 500 },
    { at: first, charged: 3, channel: 'whatsapp' },
    { at: after(first, 1_000), charged: 3, channel: 'telegram', purpose: 'payment' },
    { at: after(today, 1_000), charged: 8 },
    { at: after(today, 2_000), charged: 8, kind: 'link' },
  ]);
  await insertMessages(shop, [
    { at: after(today, 3_000), charged: 8, purpose: 'payment' },
    { at: after(middle, -60_000), charged: 3, channel: 'whatsapp', purpose: 'payment' },
    { at: after(middle, -50_000), charged: 0, channel: 'whatsapp', purpose: 'free' },
  ]);
  const spend = await readSpend(atMiddle(), site.companyId, '30d');
  const nothing = { whatsapp: 0, telegram: 0, sms: 0 };
  const days = spend.days.map(({ at, ...day }) => day);
  assert.equal(spend.days[0]?.at, first.toISOString());
  assert.deepEqual(days, [
    { whatsapp: 3, telegram: 3, sms: 0 },
    ...Array.from({ length: 28 }, () => nothing),
    { whatsapp: 3, telegram: 0, sms: 24 },
  ]);
  assert.equal(spend.total, 33);
  assert.deepEqual(spend.keys, [
    { id: site.keyId, name: 'Сайт', spent: 22 },
    { id: shop.keyId, name: 'Магазин', spent: 11 },
  ]);
  assert.deepEqual(spend.purposes, [
    { kind: 'otp', purpose: 'payment', spent: 14 },
    { kind: 'otp', purpose: 'login', spent: 11 },
    { kind: 'link', purpose: null, spent: 8 },
  ]);
  const quarter = await readSpend(atMiddle(), site.companyId, '90d');
  assert.equal(quarter.days.length, 90);
  assert.equal(quarter.total, 533);
  assert.deepEqual(quarter.purposes[0], { kind: 'otp', purpose: 'login', spent: 511 });
});

const sumOf = (rows: readonly { spent: number }[]) => rows.reduce((sum, row) => sum + row.spent, 0);

test('spending equals the charges of the ledger, also after a fallback has moved them', async () => {
  const key = await service.key({ balance: 1_000, channels: ['whatsapp', 'sms'] });
  const { companyId } = key;
  const send = (channel: string, purpose: string) =>
    service.call('/otp/send', { phone: service.phone(), channel, purpose }, key);
  await Promise.all([
    send('sms', 'login'),
    send('whatsapp', 'login'),
    send('whatsapp', 'payment'),
    service.call(
      '/links/send',
      { phone: service.phone(), url: 'https://shop.kz/', channel: 'sms', text: ':link' },
      key,
    ),
  ]);
  // A price that moves with the channel, as after a fallback.
  await service.sql(
    `with moved as (update message set charged = 8, channel = 'sms' where company_id = $1 and purpose = 'payment'
       returning 1)
     select post_entry($1, 'charge_moved', -5, uuidv7()) from moved`,
    [companyId],
  );
  const owner = await cabinet.person({ companyId, role: 'manager' });
  const spend = (await cabinet.as(owner).call(B.spend, { query: { range: '90d' } })).ok();
  const [ledger] = await service.sql<{ charged: number }>(
    `select -sum(amount)::bigint as charged from entry
     where company_id = $1 and kind in ('charge', 'charge_moved')`,
    [companyId],
  );
  assert.equal(ledger?.charged, 27);
  assert.equal(spend.total, 27);
  assert.equal(sumOf(spend.keys), 27);
  assert.equal(sumOf(spend.purposes), 27);
  const { spent_today, spent_month } = (await cabinet.as(owner).call(B.balance)).ok();
  assert.deepEqual([spent_today, spent_month], [27, 27]);
  await until(
    'the receipts are recorded',
    async () => (await service.balance(companyId)).held === 0,
  );
});

test('more purposes than are counted apart are one row, and nothing is lost', async () => {
  const key = await createOldCompany();
  const columns = { charged: '1 + n % 3', purpose: `'p' || n` };
  const past = { ...key, now: after(middle, -24 * HOUR_MS), columns };
  // In one stored hour; then as many in the hour that is counted on each read.
  await insertPastMessages(service.sql, { ...past, count: 120, fromHours: 0.5, toHours: 0.25 });
  await insertPastMessages(service.sql, {
    ...past,
    now: middle,
    count: 120,
    fromHours: 0.01,
    columns: { ...columns, purpose: `'q' || n` },
  });
  const { total, purposes } = await readSpend(atMiddle(), key.companyId, '30d');
  assert.equal(total, 480);
  assert.equal(sumOf(purposes), 480);
  assert.equal(purposes.length, 21);
  assert.equal(purposes.filter(({ purpose }) => purpose === null).length, 1);
  const [stored] = await service.sql<{ rows: number }>(
    'select count(*) as rows from spend_hour where company_id = $1',
    [key.companyId],
  );
  assert.equal(stored?.rows, 50);
});
