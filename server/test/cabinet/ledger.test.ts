import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BALANCE_ENDPOINTS as B } from '@zhiber/contract/cabinet/balance.ts';
import { ENTRY_GROUPS, ENTRY_KINDS } from '@zhiber/contract/cabinet/ledger-words.ts';
import { almatyDay, almatyMonth } from '../../src/almaty.ts';
import { correctBalance } from '../../src/billing/correct-balance.ts';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { listLedger } from '../../src/ledger/list-ledger.ts';
import { creditPayment } from '../../src/topups/credit-payment.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import { askRefund, settleRefund } from '../../src/topups/refund-payment.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { explainQueries } from './explain-queries.ts';
import { createEmptyCompany, insertEntries, insertManyCharges } from './ledger-entries.ts';

const service = useService();
const cabinet = createCabinetClient(service);

/** All entries, page by page. */
async function readAll(companyId: CompanyId, filter: Parameters<typeof listLedger>[2] = {}) {
  const rows = [];
  let cursor: string | undefined;
  do {
    const page = await listLedger(service.ctx, companyId, { ...filter, cursor });
    rows.push(...page.rows);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

const inWords = (rows: Awaited<ReturnType<typeof readAll>>) =>
  rows.map(({ number, kind, amount, balance_after }) =>
    [number, kind, amount, balance_after].join(' '),
  );

async function assertAuditClean() {
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );
}

async function pay(companyId: CompanyId, amount: number, reference?: string) {
  const orderId = reference === undefined ? undefined : newId(Date.now());
  if (orderId !== undefined && reference !== undefined) {
    await insertOrder(service.ctx.db, {
      id: orderId,
      company_id: companyId,
      reference,
      provider: 'transfer',
      amount,
      payer_name: 'ТОО «Плательщик»',
      payer_business_id: null,
      provider_id: null,
      qr: null,
      pay_url: null,
      created_by: null,
      expires_at: new Date(Date.now() + 3_600_000),
      next_check_at: null,
    });
  }
  const outcome = await creditPayment(
    service.ctx,
    {},
    {
      companyId,
      orderId,
      provider: 'transfer',
      providerPaymentId: newId(Date.now()),
      amount,
      paidAt: new Date(),
    },
  );
  assert(outcome.result === 'credited');
  return outcome.payment;
}

test('every entry says what it is for', async () => {
  const key = await service.key();
  const { companyId } = key;
  const payment = await pay(companyId, 2_000, 'ZB-WORDS1');
  const sent = await service.call('/otp/send', { phone: service.phone(), channel: 'sms' }, key);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  await service.ctx.db.transaction((tx) =>
    correctBalance(tx, {
      companyId,
      amount: 7,
      cause: newId(Date.now()),
      reason: 'Ошибка оператора',
    }),
  );
  const asked = await askRefund(
    service.ctx,
    {},
    { paymentId: payment.id, amount: 1_500, reason: 'по просьбе клиента', askedBy: 'Оператор' },
  );
  assert(asked.result === 'asked');
  await settleRefund(service.ctx, {}, asked.refund.id, { result: 'refused', reason: 'нет' });

  const who = await cabinet.person({ companyId, role: 'accountant' });
  const { rows, next } = (await cabinet.as(who).call(B.ledger)).ok();
  assert.equal(next, null);
  const receipt_number = payment.receipt_number;
  const none = { messages: 0, receipt_number: null, order_reference: null, reason: null };
  const paid = { ...none, receipt_number, order_reference: 'ZB-WORDS1' };
  const back = { ...paid, reason: 'по просьбе клиента' };
  assert.deepEqual(
    rows.map(({ at, ...row }) => {
      assert(Math.abs(Date.parse(at) - Date.now()) < 60_000, at);
      return row;
    }),
    [
      { number: 8, kind: 'refund_refused', amount: 2_500, balance_after: 3_049, ...back },
      { number: 7, kind: 'bonus_taken_back', amount: -1_000, balance_after: 549, ...back },
      { number: 6, kind: 'refund', amount: -1_500, balance_after: 1_549, ...back },
      {
        number: 5,
        kind: 'correction',
        amount: 7,
        balance_after: 3_049,
        ...none,
        reason: 'Ошибка оператора',
      },
      { number: 4, kind: 'charge', amount: -8, balance_after: 3_042, ...none, messages: 1 },
      { number: 3, kind: 'first_topup_bonus', amount: 1_000, balance_after: 3_050, ...paid },
      { number: 2, kind: 'topup', amount: 2_000, balance_after: 2_050, ...paid },
      { number: 1, kind: 'welcome_bonus', amount: 50, balance_after: 50, ...none },
    ],
  );
  await assertAuditClean();
});

test('what a top-up pays of a debt names the receipt of the top-up', async () => {
  const companyId = await service.company();
  const payment = await pay(companyId, 1_000);
  await insertEntries(service, companyId, [{ kind: 'correction', amount: -2_000, at: new Date() }]);
  const refund = { paymentId: payment.id, amount: 1_000, reason: 'спор', askedBy: null };
  await askRefund(service.ctx, {}, refund);
  const second = await pay(companyId, 3_000);
  const rows = await readAll(companyId);
  assert.deepEqual(
    rows.slice(0, 2).map((row) => [row.kind, row.amount, row.receipt_number]),
    [
      ['debt_paid', -1_950, second.receipt_number],
      ['topup', 3_000, second.receipt_number],
    ],
  );
});

test('entries chain in the listed order when their times are equal or run backwards', async () => {
  const companyId = await createEmptyCompany(service);
  const at = new Date(Date.now() - 60_000);
  const before = new Date(Date.now() - 120_000);
  await insertEntries(service, companyId, [
    { kind: 'correction', amount: 5, at },
    { kind: 'correction', amount: 7, at },
    { kind: 'correction', amount: -5, at },
    { kind: 'correction', amount: 11, at: before },
    { kind: 'correction', amount: -7, at: before },
  ]);
  assert.deepEqual(inWords(await readAll(companyId)), [
    '5 correction -7 11',
    '4 correction 11 18',
    '3 correction -5 7',
    '2 correction 7 12',
    '1 correction 5 5',
  ]);
});

test('concurrent sends, corrections and payments are numbered in the order of the balance', async () => {
  const key = await service.key({ balance: 10_000 });
  const { companyId } = key;
  await runConcurrently(30, async (i) => {
    if (i % 3 === 0) await pay(companyId, 1_000);
    else if (i % 3 === 1) {
      const sent = await service.call('/otp/send', { phone: service.phone() }, key);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
    } else {
      const correction = [companyId, 'correction', i, newId(Date.now())];
      await service.sql('select post_entry($1, $2, $3, $4)', correction);
    }
  });
  const rows = (await readAll(companyId)).reverse();
  let balance = 0;
  for (const [place, row] of rows.entries()) {
    assert.equal(row.number, place + 1);
    balance += row.amount;
    assert.equal(row.balance_after, balance);
  }
  assert.equal(balance, (await service.balance(companyId)).balance);
  await assertAuditClean();
});

test('entries are filtered by what they are for', async () => {
  const companyId = await service.company();
  const at = new Date();
  const amounts = {
    charge: -3,
    charge_moved: -5,
    refund: -10,
    bonus_taken_back: -1,
    debt_paid: -2,
  };
  const posted = ENTRY_KINDS.filter((kind) => kind !== 'welcome_bonus');
  await insertEntries(
    service,
    companyId,
    posted.map((kind) => ({ kind, amount: amounts[kind as keyof typeof amounts] ?? 100, at })),
  );
  const kindsOf = async (...kind: string[]) =>
    (await readAll(companyId, { kind })).map((row) => row.kind).sort();
  assert.deepEqual(await kindsOf('charge'), ['charge', 'charge_moved']);
  assert.deepEqual(await kindsOf('topup'), ['topup']);
  assert.deepEqual(await kindsOf('bonus'), [
    'bonus_taken_back',
    'first_topup_bonus',
    'welcome_bonus',
  ]);
  assert.deepEqual(await kindsOf('refund'), ['debt_paid', 'refund', 'refund_refused']);
  assert.deepEqual(await kindsOf('correction'), ['correction']);
  assert.deepEqual(await kindsOf('topup', 'charge'), ['charge', 'charge_moved', 'topup']);
  assert.equal((await readAll(companyId, { kind: [] })).length, ENTRY_KINDS.length);
  assert.deepEqual(Object.values(ENTRY_GROUPS).flat().sort(), ENTRY_KINDS.toSorted());
});

test('a range begins and ends at midnights of Almaty, its start included and its end not', async () => {
  const companyId = await createEmptyCompany(service);
  const now = new Date();
  const near = (edge: Date, ms: number) => new Date(edge.getTime() + ms);
  const month = almatyMonth(now);
  const [yesterday, today] = [almatyDay(now, -1), almatyDay(now)];
  const edges = [almatyMonth(now, -1), month, yesterday, today].sort((a, b) => +a - +b);
  const times = [...new Set(edges.flatMap((edge) => [near(edge, -1).getTime(), edge.getTime()]))];
  await insertEntries(
    service,
    companyId,
    times.map((at) => ({ kind: 'correction', amount: 10, at: new Date(at) })),
  );
  const listed = async (filter: Parameters<typeof listLedger>[2]) =>
    (await readAll(companyId, filter)).map(({ at }) => Date.parse(at)).reverse();
  assert.deepEqual(await listed({}), times);
  const within = (from: Date, to: Date) => times.filter((at) => at >= +from && at < +to);
  assert.deepEqual(await listed({ range: 'yesterday' }), within(yesterday, today));
  assert.deepEqual(await listed({ range: 'today' }), within(today, now));
  assert.deepEqual(await listed({ range: 'month' }), within(month, now));
  assert.deepEqual(await listed({ range: 'last_month' }), within(almatyMonth(now, -1), month));
  assert.deepEqual(
    await listed({ from: yesterday.toISOString(), to: today.toISOString() }),
    within(yesterday, today),
  );
  assert.deepEqual(await listed({ from: today.toISOString(), to: yesterday.toISOString() }), []);
});

test('pages follow each other without a gap while entries are posted', async () => {
  const companyId = await createEmptyCompany(service);
  const at = new Date();
  const many = Array.from({ length: 120 }, () => ({ kind: 'correction' as const, amount: 1, at }));
  await insertEntries(service, companyId, many);
  const numbers: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await listLedger(service.ctx, companyId, { cursor });
    numbers.push(...page.rows.map(({ number }) => number));
    cursor = page.next ?? undefined;
    await insertEntries(service, companyId, many.slice(0, 3));
  } while (cursor !== undefined);
  assert.deepEqual(
    numbers,
    Array.from({ length: 120 }, (_, i) => 120 - i),
  );
});

test('no company sees the entries of another, nor does a role without the right', async () => {
  const mine = await service.company();
  await service.company();
  const owner = await cabinet.person({ companyId: mine, role: 'owner' });
  const { rows } = (await cabinet.as(owner).call(B.ledger, { query: { cursor: '999' } })).ok();
  assert.deepEqual(inWords(rows), ['1 welcome_bonus 50 50']);
  for (const cursor of ['0', '-1', 'x', '1;2', '99999999999999999']) {
    (await cabinet.as(owner).call(B.ledger, { query: { cursor } })).refused('validation_error');
  }
  for (const role of ['developer', 'marketer', 'viewer'] as const) {
    const person = await cabinet.person({ companyId: mine, role });
    for (const endpoint of [B.balance, B.ledger, B.spend]) {
      (await cabinet.as(person).call(endpoint)).refused('no_right');
    }
  }
});

test('a page of 100,000 entries reads no more than it shows, however rare the matches', async () => {
  const companyId = await service.company();
  await insertManyCharges(service, companyId, 100_000);
  const day = almatyDay(new Date(), -14);
  const filters: Record<string, Parameters<typeof listLedger>[2]> = {
    newest: {},
    oldest: { cursor: '60' },
    'one day': { from: day.toISOString(), to: almatyDay(day, 1).toISOString() },
    'rare kinds': { kind: ['topup', 'correction', 'bonus'] },
    'a kind that is missing': { kind: ['topup'] },
    'rare kinds of a range': { kind: ['correction'], to: day.toISOString() },
    charges: { kind: ['charge'], to: day.toISOString() },
  };
  const found: Record<string, number> = {};
  for (const [name, filter] of Object.entries(filters)) {
    const { db, largest } = explainQueries(service.ctx.db);
    const page = await listLedger({ ...service.ctx, db }, companyId, filter);
    found[name] = page.rows.length;
    assert(largest.rows <= 60, `${name}: ${largest.rows} rows`);
    assert(largest.buffers <= 600, `${name}: ${largest.buffers} buffers`);
  }
  assert.deepEqual(found, {
    newest: 50,
    oldest: 50,
    'one day': 50,
    'rare kinds': 2,
    'a kind that is missing': 0,
    'rare kinds of a range': 1,
    charges: 50,
  });
});
