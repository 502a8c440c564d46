import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { creditPayment } from '../../src/topups/credit-payment.ts';
import { creditReported } from '../../src/topups/credit-reported.ts';
import { findOrderById, insertOrder, type Order } from '../../src/topups/order-store.ts';
import type { Payment } from '../../src/topups/payment-store.ts';
import { askRefund, recordReportedRefund, settleRefund } from '../../src/topups/refund-payment.ts';
import { runConcurrently } from '../harness.ts';
import { useTwoNodes } from './two-nodes.ts';

const { service, otherCtx } = useTwoNodes();

const HOUR_MS = 3_600_000;

async function entriesOf(companyId: CompanyId) {
  const rows = await service.sql<{ kind: string; amount: number }>(
    'select kind::text, amount from entry where company_id = $1 order by created_at, kind',
    [companyId],
  );
  return rows.map(({ kind, amount }) => `${kind} ${amount}`);
}

async function moneyOf(companyId: CompanyId) {
  const [row] = await service.sql<{ balance: number; held: number; debt: number }>(
    'select balance, held, debt from account where company_id = $1',
    [companyId],
  );
  return row;
}

async function assertClean() {
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );
}

let orders = 0;
async function order(companyId: CompanyId, amount: number, expiresInMs = HOUR_MS) {
  const id = newId(Date.now());
  orders += 1;
  await insertOrder(service.ctx.db, {
    id,
    company_id: companyId,
    reference: `ZB-TEST${String(orders).padStart(4, '0')}`,
    provider: 'transfer',
    amount,
    payer_name: 'ТОО «Плательщик»',
    payer_business_id: null,
    provider_id: null,
    qr: null,
    pay_url: null,
    created_by: null,
    expires_at: new Date(Date.now() + expiresInMs),
    next_check_at: null,
  });
  return id;
}

let paymentIds = 0;
async function pay(
  companyId: CompanyId,
  amount: number,
  more: { orderId?: string; paymentId?: string; ctx?: typeof service.ctx } = {},
) {
  paymentIds += 1;
  return await creditPayment(
    more.ctx ?? service.ctx,
    {},
    {
      companyId,
      orderId: more.orderId,
      provider: 'transfer',
      providerPaymentId: more.paymentId ?? `bank-${paymentIds}`,
      amount,
      paidAt: new Date(),
    },
  );
}

async function paid(...args: Parameters<typeof pay>): Promise<Payment> {
  const outcome = await pay(...args);
  assert.equal(outcome.result, 'credited');
  return (outcome as { payment: Payment }).payment;
}

async function refund(payment: Payment, amount: number) {
  const outcome = await askRefund(
    service.ctx,
    {},
    {
      paymentId: payment.id,
      amount,
      reason: 'ошибка плательщика',
      askedBy: 'Оператор',
    },
  );
  assert.equal(outcome.result, 'asked');
  return (outcome as Extract<typeof outcome, { result: 'asked' }>).refund;
}

test('a provider whose clock is ahead puts no receipt into the future', async () => {
  const companyId = await service.company();
  const ordered = (await findOrderById(service.ctx.db, await order(companyId, 5_000))) as Order;
  const report = { paymentId: 'ahead', amount: 5_000, currency: 'KZT', refunded: 0 };
  const paidAt = new Date(Date.now() + 2 * HOUR_MS);
  assert.equal(await creditReported(service.ctx, ordered, { ...report, paidAt }), 'credited');
  const rows = await service.sql(
    'select paid_at <= credited_at as is_past, is_late from payment where company_id = $1',
    [companyId],
  );
  assert.deepEqual(rows, [{ is_past: true, is_late: false }]);
  await assertClean();
});

test('a payment reported 200 times at once on two nodes is credited once, with one bonus', async () => {
  const companyId = await service.company();
  const orderId = await order(companyId, 5_000);
  const outcomes = await runConcurrently(200, (i) =>
    pay(companyId, 5_000, {
      orderId,
      paymentId: 'once',
      ctx: i % 2 === 0 ? service.ctx : otherCtx(),
    }),
  );
  assert.equal(outcomes.filter(({ result }) => result === 'credited').length, 1);
  assert.equal(outcomes.filter(({ result }) => result === 'already').length, 199);
  assert.deepEqual(await moneyOf(companyId), { balance: 6_050, held: 0, debt: 0 });
  await assertClean();
});

test('one payment is never credited to two companies', async () => {
  const [one, other] = [await service.company(), await service.company()];
  const outcomes = await Promise.all(
    [one, other].map((companyId) => pay(companyId, 2_000, { paymentId: 'shared' })),
  );
  assert.deepEqual(outcomes.map(({ result }) => result).sort(), ['already', 'credited']);
  await assertClean();
});

test('40 concurrent payments of many companies get receipt numbers without a gap', async () => {
  const companies = await Promise.all(Array.from({ length: 8 }, () => service.company()));
  const outcomes = await runConcurrently(40, (i) =>
    pay(companies[i % 8] as CompanyId, 1_000, { ctx: i % 2 === 0 ? service.ctx : otherCtx() }),
  );
  const numbers = outcomes.map(
    (outcome) => (outcome as { payment: Payment }).payment.receipt_number,
  );
  const sorted = numbers.toSorted((a, b) => a - b);
  assert.deepEqual(
    sorted,
    Array.from({ length: 40 }, (_, i) => (sorted[0] as number) + i),
  );
  await assertClean();
});

test('a payment in time for what was asked has no flag, and closes its order', async () => {
  const companyId = await service.company();
  const orderId = await order(companyId, 1_000);
  const payment = await paid(companyId, 1_000, { orderId });
  assert.deepEqual(
    [payment.is_late, payment.is_repeated, payment.is_other_amount],
    [false, false, false],
  );
  assert.equal(payment.payer_name, 'ТОО «Плательщик»');
  const [row] = await service.sql<{ state: string }>(
    'select state::text from payment_order where id = $1',
    [orderId],
  );
  assert.equal(row?.state, 'paid');
});

test('a late payment, a second one and another amount are credited as paid, and flagged', async () => {
  const companyId = await service.company();
  const late = await order(companyId, 1_000, -HOUR_MS);
  assert.equal((await paid(companyId, 1_000, { orderId: late })).is_late, true);
  const second = await paid(companyId, 1_000, { orderId: late });
  assert.equal(second.is_repeated, true);
  const other = await paid(companyId, 700, { orderId: await order(companyId, 1_000) });
  assert.equal(other.is_other_amount, true);
  assert.equal((await moneyOf(companyId))?.balance, 50 + 1_000 + 1_000 + 1_000 + 700);
  await assertClean();
});

test('a payment below the minimum brings no bonus; the next one at the minimum does', async () => {
  const companyId = await service.company();
  assert.equal((await paid(companyId, 999)).bonus, 0);
  assert.equal((await paid(companyId, 1_000)).bonus, 1_000);
  assert.equal((await paid(companyId, 1_000)).bonus, 0);
});

test('a refund takes the tokens, and the bonus once less than the minimum is left', async () => {
  const companyId = await service.company();
  const payment = await paid(companyId, 5_000);
  await refund(payment, 4_000);
  assert.deepEqual(await moneyOf(companyId), { balance: 2_050, held: 0, debt: 0 });
  const last = await refund(payment, 1);
  assert.equal(last.bonus, 1_000);
  assert.deepEqual(await moneyOf(companyId), { balance: 1_049, held: 0, debt: 0 });
  await refund(payment, 999);
  assert.deepEqual(await moneyOf(companyId), { balance: 50, held: 0, debt: 0 });
  const more = { paymentId: payment.id, amount: 1, reason: 'ещё', askedBy: null };
  assert.deepEqual(await askRefund(service.ctx, {}, more), { result: 'too_much', left: 0 });
  await assertClean();
});

test('a refund larger than what is left is owed: paid sends stop until a top-up has paid it', async () => {
  const key = await service.key({ balance: 50 });
  const { companyId } = key;
  const payment = await paid(companyId, 1_000);
  await service.sql('select post_entry($1, $2, $3, $4)', [
    companyId,
    'correction',
    -1_800,
    newId(Date.now()),
  ]);
  assert.equal((await moneyOf(companyId))?.balance, 250);
  const asked = await refund(payment, 1_000);
  assert.deepEqual([asked.taken, asked.owed, asked.bonus], [250, 1_750, 1_000]);
  assert.deepEqual(await moneyOf(companyId), { balance: 0, held: 0, debt: 1_750 });

  const refused = await service.call('/otp/send', { phone: service.phone() }, key);
  assert.equal(refused.status, 402);

  await paid(companyId, 1_500);
  assert.deepEqual(await moneyOf(companyId), { balance: 0, held: 0, debt: 250 });
  await paid(companyId, 1_000);
  assert.deepEqual(await moneyOf(companyId), { balance: 750, held: 0, debt: 0 });
  const sent = await service.call('/otp/send', { phone: service.phone() }, key);
  assert.equal(sent.status, 200);
  await assertClean();
});

test('while something is owed, even a correction that brings tokens lets no paid send through', async () => {
  const key = await service.key({ balance: 50 });
  const payment = await paid(key.companyId, 1_000);
  await service.sql('select post_entry($1, $2, $3, $4)', [
    key.companyId,
    'correction',
    -2_050,
    newId(Date.now()),
  ]);
  await refund(payment, 1_000);
  await service.sql('select post_entry($1, $2, $3, $4)', [
    key.companyId,
    'correction',
    100,
    newId(Date.now()),
  ]);
  const refused = await service.call('/otp/send', { phone: service.phone() }, key);
  assert.deepEqual([refused.status, refused.body.error_code], [402, 'insufficient_tokens']);
});

test('neither a refund nor a debt takes what is held for sends under way', async () => {
  const companyId = await service.company();
  const payment = await paid(companyId, 1_000);
  const hold = (tokens: number) =>
    service.sql('update account set held = $2 where company_id = $1', [companyId, tokens]);
  await hold(2_000);
  const asked = await refund(payment, 1_000);
  assert.deepEqual([asked.taken, asked.owed], [50, 1_950]);
  assert.deepEqual(await moneyOf(companyId), { balance: 2_000, held: 2_000, debt: 1_950 });
  await paid(companyId, 1_000);
  assert.deepEqual(await moneyOf(companyId), { balance: 2_000, held: 2_000, debt: 950 });
  await hold(0);
  // What was held and is free again pays with the next money that comes.
  await paid(companyId, 500);
  assert.deepEqual(await moneyOf(companyId), { balance: 1_550, held: 0, debt: 0 });
  await assertClean();
});

test('what a refused refund gives back pays the debt of another one first', async () => {
  const companyId = await service.company(0);
  const [first, second] = [await paid(companyId, 1_000), await paid(companyId, 1_000)];
  await service.sql('select post_entry($1, $2, $3, $4)', [
    companyId,
    'correction',
    -2_000,
    newId(Date.now()),
  ]);
  const covered = await refund(second, 1_000);
  await refund(first, 1_000);
  assert.deepEqual(await moneyOf(companyId), { balance: 0, held: 0, debt: 2_000 });
  const answer = { result: 'refused', reason: 'счёт закрыт' } as const;
  assert.equal(await settleRefund(service.ctx, {}, covered.id, answer), 'refused');
  assert.deepEqual(await moneyOf(companyId), { balance: 0, held: 0, debt: 1_000 });
  await assertClean();
});

test('a refund that the bank refuses is given back in full, also what a top-up paid meanwhile', async () => {
  const companyId = await service.company(0);
  const payment = await paid(companyId, 1_000);
  await service.sql('select post_entry($1, $2, $3, $4)', [
    companyId,
    'correction',
    -1_500,
    newId(Date.now()),
  ]);
  const asked = await refund(payment, 1_000);
  assert.deepEqual(await moneyOf(companyId), { balance: 0, held: 0, debt: 1_500 });
  await paid(companyId, 1_000);
  assert.deepEqual(await moneyOf(companyId), { balance: 0, held: 0, debt: 500 });

  const answer = { result: 'refused', reason: 'счёт закрыт' } as const;
  assert.equal(await settleRefund(service.ctx, {}, asked.id, answer), 'refused');
  assert.deepEqual(await moneyOf(companyId), { balance: 1_500, held: 0, debt: 0 });
  // The same answer again, or the opposite one, changes nothing.
  const done = { result: 'done', providerRefundId: 'r1' } as const;
  assert.equal(await settleRefund(service.ctx, {}, asked.id, done), 'refused');
  assert.equal((await moneyOf(companyId))?.balance, 1_500);
  await assertClean();
});

test('20 concurrent refunds of one payment send back no more than was paid', async () => {
  const companyId = await service.company();
  const payment = await paid(companyId, 1_000);
  const outcomes = await runConcurrently(20, (i) =>
    askRefund(
      i % 2 === 0 ? service.ctx : otherCtx(),
      {},
      {
        paymentId: payment.id,
        amount: 300,
        reason: 'гонка',
        askedBy: null,
      },
    ),
  );
  assert.equal(outcomes.filter(({ result }) => result === 'asked').length, 3);
  await assertClean();
});

test('a refund reported by the bank is recorded once, however often it is reported', async () => {
  const companyId = await service.company();
  const payment = await paid(companyId, 2_000);
  const report = (refundedTotal: number) =>
    recordReportedRefund(service.ctx, { paymentId: payment.id, refundedTotal });
  const outcomes = await runConcurrently(20, () => report(500));
  assert.equal(outcomes.filter(({ result }) => result === 'asked').length, 1);
  await report(2_000);
  // An older report that comes late.
  assert.equal((await report(500)).result, 'known');
  assert.deepEqual(await moneyOf(companyId), { balance: 50, held: 0, debt: 0 });
  assert.deepEqual(await entriesOf(companyId), [
    'welcome_bonus 50',
    'topup 2000',
    'first_topup_bonus 1000',
    'refund -500',
    'refund -1500',
    'bonus_taken_back -1000',
  ]);
  await assertClean();
});

test('every credit and every refund has a record in the audit log of the company', async () => {
  const companyId = await service.company();
  const payment = await paid(companyId, 2_000);
  const asked = await refund(payment, 100);
  await settleRefund(service.ctx, {}, asked.id, { result: 'refused', reason: 'нет' });
  const rows = await service.sql<{ action: string }>(
    `select action from audit_record where company_id = $1 and action like 'balance.%' order by id`,
    [companyId],
  );
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['balance.topped_up', 'balance.refunded', 'balance.refund_refused'],
  );
});
