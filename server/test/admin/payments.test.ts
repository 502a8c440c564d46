/** The desk of payments: what waits, and what operators do about it, also two of them at once. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { STATEMENT_BYTES_MAX } from '@zhiber/contract/admin/payment-words.ts';
import { ADMIN_PAYMENT_ENDPOINTS as E } from '@zhiber/contract/admin/payments.ts';
import { correctBalance } from '../../src/billing/correct-balance.ts';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import type { PaymentProvider, PaymentStatus } from '../../src/payments/payment.ts';
import { creditPayment } from '../../src/topups/credit-payment.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import { endOverdue, watchProvider } from '../../src/topups/watch-payments.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createAdminClient, type OperatorWithApp } from './admin-client.ts';

/** What the bank on the other side says and does. */
const bank = {
  status: { state: 'waiting' } as PaymentStatus,
  refunds: [] as number[],
  refund: (): 'done' | 'unclear' => 'done',
};
const kaspi: PaymentProvider = {
  name: 'kaspi',
  confirmation: 'poll',
  lifetimeSeconds: 900,
  create: async () => ({ result: 'unavailable', reason: 'not here' }),
  readStatus: async () => bank.status,
  refund: async ({ amount, refundId }) => {
    if (bank.refund() === 'unclear') return { result: 'unclear', reason: 'timeout' };
    bank.refunds.push(amount);
    return { result: 'done', providerRefundId: refundId };
  },
};
const transfer: PaymentProvider = {
  name: 'transfer',
  confirmation: 'operator',
  lifetimeSeconds: 86_400,
  create: async () => ({ result: 'unavailable', reason: 'not here' }),
};

const service = useService({ payments: [kaspi, transfer] });
const { as, operator } = createAdminClient(service);

let aigul: OperatorWithApp;
let berik: OperatorWithApp;
const enter = async () => {
  aigul ??= await operator();
  berik ??= await operator();
};
beforeEach(enter);
afterEach(async () => {
  Object.assign(bank, { status: { state: 'waiting' }, refunds: [], refund: () => 'done' });
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );
  // Companies read who it was, and never from which address operators work.
  const traces = await service.sql('select from audit_record where address is not null');
  assert.equal(traces.length, 0);
});

const PAID_AT = '2026-11-01T09:00:00.000Z';
let orders = 0;
async function order(
  companyId: CompanyId,
  { amount = 5_000, provider = 'transfer', state = 'manual', endsInSeconds = 3_600 } = {},
) {
  orders += 1;
  const id = newId(Date.now());
  const reference = `ZB-DESK${String(orders).padStart(4, '0')}`;
  await insertOrder(service.ctx.db, {
    id,
    company_id: companyId,
    reference,
    provider,
    amount,
    payer_name: 'ТОО «Плательщик»',
    payer_business_id: null,
    provider_id: reference,
    qr: null,
    pay_url: null,
    created_by: null,
    expires_at: new Date(Date.now() + endsInSeconds * 1_000),
    next_check_at: null,
  });
  await service.sql('update payment_order set state = $2::payment_order_state where id = $1', [
    id,
    state,
  ]);
  return { id, reference };
}

/** A payment that the bank has reported. */
async function paid(companyId: CompanyId, amount: number, provider = 'kaspi'): Promise<string> {
  const { id: orderId } = await order(companyId, { amount, provider, state: 'pending' });
  const outcome = await creditPayment(
    service.ctx,
    {},
    { companyId, orderId, provider, providerPaymentId: orderId, amount, paidAt: new Date() },
  );
  assert(outcome.result === 'credited');
  return outcome.payment.id;
}

const moneyOf = async (companyId: CompanyId) =>
  (
    await service.sql<{ balance: number; debt: number }>(
      'select balance, debt from account where company_id = $1',
      [companyId],
    )
  )[0];
const queue = async () => (await as(aigul).call(E.paymentQueue)).ok();
const actsAbout = async (companyId: CompanyId) =>
  (await as(aigul).call(A.audit, { query: { company_id: companyId } }))
    .ok()
    .rows.map(({ action, person }) => [action, person]);
const confirm = (id: string, bank_reference: string, more = {}, who = aigul) =>
  as(who).call(E.confirmOrder, {
    params: { id },
    body: { amount: 5_000, paid_at: PAID_AT, bank_reference, payments: 0, ...more },
  });

describe('an order that an operator confirms', () => {
  test('is credited with its bonus, and both logs have who did it', async () => {
    const companyId = await service.company();
    const { id, reference } = await order(companyId);
    const waiting = (await queue()).orders.rows.find((row) => row.id === id);
    assert.deepEqual(
      [waiting?.reference, waiting?.company.id, waiting?.payments, waiting?.can_ask],
      [reference, companyId, 0, false],
    );
    const answer = (await confirm(id, ' 15 ')).ok();
    assert.deepEqual(
      [answer.result, answer.amount, answer.bonus, answer.receipt_number === null],
      ['credited', 5_000, 1_000, false],
    );
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
    assert.equal(
      (await queue()).orders.rows.some((row) => row.id === id),
      false,
    );
    const name = (await as(aigul).call(A.operators)).ok().operators[0]?.name;
    assert.deepEqual(await actsAbout(companyId), [['payment.confirmed', name]]);
    const [event] = await service.sql<{ after: { confirmed_by: string } }>(
      `select after from audit_record where company_id = $1 and action = 'balance.topped_up'`,
      [companyId],
    );
    assert.equal(event?.after.confirmed_by, name);
  });

  test('is credited once when two operators enter the same document at once', async () => {
    const companyId = await service.company();
    const { id } = await order(companyId);
    const answers = await runConcurrently(10, (i) =>
      confirm(id, '16', {}, i % 2 === 0 ? aigul : berik),
    );
    const results = answers.map((answer) => answer.ok().result);
    assert.deepEqual(results.toSorted(), [...Array(9).fill('already'), 'credited']);
    assert.equal((await actsAbout(companyId)).length, 1);
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
  });

  test('is credited once when two operators enter different documents at once', async () => {
    const companyId = await service.company();
    const { id } = await order(companyId);
    const answers = await runConcurrently(10, (i) =>
      confirm(id, `17-${i}`, {}, i % 2 === 0 ? aigul : berik),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      answer.refused('changed_meanwhile');
    }
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
    // Whoever has seen the first payment may say that there was a second one.
    const again = (await confirm(id, '17-again', { payments: 1 })).ok();
    assert.equal(again.result, 'credited');
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 11_000, debt: 0 });
    const flagged = (await queue()).flagged.rows.find((row) => row.company.id === companyId);
    assert.deepEqual(flagged?.flags, ['repeated']);
  });

  test('is not credited by a document that has paid another order', async () => {
    const companyId = await service.company();
    const first = await order(companyId);
    const second = await order(companyId);
    (await confirm(first.id, '18')).ok();
    const { result, reference } = (await confirm(second.id, '18')).ok();
    assert.deepEqual([result, reference], ['used', first.reference]);
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
  });

  test('is not confirmed with what cannot be', async () => {
    const { id } = await order(await service.company());
    for (const wrong of [
      { amount: 0 },
      { amount: 1_000_000_001 },
      { amount: 10.5 },
      { bank_reference: '  ' },
      { bank_reference: 'я'.repeat(101) },
      { paid_at: 'вчера' },
      { paid_at: new Date(Date.now() + 2 * 86_400_000).toISOString() },
      { payments: -1 },
    ]) {
      (await confirm(id, '19', wrong)).refused('validation_error');
    }
    (await confirm(newId(Date.now()), '19')).refused('not_found');
    (await confirm('not-an-id', '19')).refused('not_found');
  });

  test('is closed with a reason when no money has come, and credited when it comes after all', async () => {
    const companyId = await service.company();
    const { id } = await order(companyId);
    const close = (reason: string) =>
      as(aigul).call(E.closeOrder, { params: { id }, body: { reason } });
    (await close('  ')).refused('validation_error');
    (await close('в выписке нет')).ok();
    (await close('в выписке нет')).refused('changed_meanwhile');
    assert.equal(
      (await queue()).orders.rows.some((row) => row.id === id),
      false,
    );
    (await confirm(id, '20')).ok();
    (await close('в выписке нет')).refused('changed_meanwhile');
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
    assert.deepEqual(
      (await actsAbout(companyId)).map(([action]) => action),
      ['payment.confirmed', 'payment.closed'],
    );
    const rows = await service.sql<{ action: string }>(
      'select action from audit_record where company_id = $1 order by id',
      [companyId],
    );
    assert.deepEqual(
      rows.map(({ action }) => action).filter((action) => /topup|topped/.test(action)),
      ['topup.cancelled', 'balance.topped_up'],
    );
  });
});

describe('a provider that is asked again', () => {
  test('credits what it says was paid, and its words are shown', async () => {
    const companyId = await service.company();
    const { id } = await order(companyId, { provider: 'kaspi' });
    const ask = async () => (await as(aigul).call(E.askAboutOrder, { params: { id } })).ok();
    assert.deepEqual([(await ask()).state, (await ask()).order.state], ['waiting', 'manual']);
    bank.status = { state: 'unclear', reason: 'ведутся работы' };
    assert.deepEqual([(await ask()).state, (await ask()).reason], ['unclear', 'ведутся работы']);
    bank.status = {
      state: 'paid',
      payments: [
        { paymentId: `k-${id}`, amount: 5_000, currency: 'KZT', paidAt: undefined, refunded: 0 },
      ],
    };
    const { state, order: after } = await ask();
    assert.deepEqual([state, after.state, after.payments, after.paid], ['paid', 'paid', 1, 5_000]);
    await ask();
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
    assert.equal((await actsAbout(companyId)).length, 6);
  });

  test('is not asked about a bank transfer', async () => {
    const { id } = await order(await service.company());
    (await as(aigul).call(E.askAboutOrder, { params: { id } })).refused('payment_unavailable');
  });
});

const HEADER = 'Дата операции;№ документа;Кредит;Плательщик;Назначение платежа';
const upload = (file: Buffer | string, language: 'ru' | 'kk' | 'en' = 'ru', who = aigul) =>
  as(who).call(E.importStatement, { file: Buffer.from(file as string), query: { language } });

/** In Windows-1251, for letters of Russian alone. */
function windows1251(text: string): Buffer {
  return Buffer.from(
    [...text].map((letter) => {
      const code = letter.codePointAt(0) as number;
      return code < 0x80 ? code : letter === '№' ? 0xb9 : code - 0x410 + 0xc0;
    }),
  );
}

describe('an uploaded statement', () => {
  test('in Windows-1251 credits what it names, keeps the rest, and says so line by line', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, { state: 'pending' });
    const text = `${HEADER}\n01.11.2026;31;5000,00;ТОО Ромашка;Оплата ${reference}\n01.11.2026;32;700;ИП Лист;аренда\n01.11.2026;33;7,5;;А\n`;
    const { counts, lines, amount, refusal } = (await upload(windows1251(text))).ok();
    assert.equal(refusal, null);
    assert.deepEqual(counts, {
      credited: 1,
      other_amount: 0,
      already: 0,
      no_order: 1,
      unreadable: 1,
    });
    assert.equal(amount, 5_000);
    assert.deepEqual(
      lines.map((line) => [line.line, line.outcome, line.reference, line.note]),
      [
        [2, 'credited', reference, null],
        [3, 'no_order', null, 'В назначении нет кода платежа.'],
        [4, 'unreadable', null, '7,5 — не целое число тенге.'],
      ],
    );
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
    assert.deepEqual(
      (await actsAbout(companyId)).map(([action]) => action),
      ['statement.credited'],
    );
    const again = (await upload(windows1251(text), 'en')).ok();
    assert.deepEqual([again.counts.already, again.counts.no_order, again.amount], [1, 1, 0]);
    assert.equal(again.lines[1]?.note, 'The purpose names no order.');
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
  });

  test('credits once when two operators upload it at once', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, { state: 'pending' });
    const file = `${HEADER}\n01.11.2026;34;5000;ТОО;${reference}\n`;
    const answers = await runConcurrently(8, (i) =>
      upload(file, 'ru', i % 2 === 0 ? aigul : berik),
    );
    const credited = answers.map((answer) => answer.ok().counts.credited);
    assert.equal(
      credited.reduce((sum, count) => sum + count, 0),
      1,
    );
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000, debt: 0 });
  });

  test('that is none is refused in the language of the reader', async () => {
    const cases: [Buffer, RegExp][] = [
      [Buffer.from('PK\x03\x04 sheet'), /Бұл Excel файлы/],
      [Buffer.from(''), /жол табылмады/],
      [Buffer.from('%PDF-1.7\n\u0000\u0001'), /жол табылмады/],
      [Buffer.from(`${HEADER}\n01.11.2026;1;5;"ТОО;А\n`), /Тырнақша/],
    ];
    for (const [file, expected] of cases) {
      const { refusal, lines } = (await upload(file, 'kk')).ok();
      assert.match(refusal ?? 'it was read', expected);
      assert.deepEqual(lines, []);
    }
  });

  test('is bounded, and nothing else takes a file', async () => {
    (await upload(Buffer.alloc(STATEMENT_BYTES_MAX + 1, 'a'))).refused('payload_too_large');
    assert.match((await upload(Buffer.alloc(STATEMENT_BYTES_MAX, 'a'))).ok().refusal ?? '', /./);
    const file = Buffer.from('{"kind":"payment"}');
    (await as(aigul).call(E.reviewPayment, { file })).refused('unsupported_media_type');
    const asJson = { headers: { 'content-type': 'application/json' }, file };
    (await as(aigul).call(E.importStatement, asJson)).refused('unsupported_media_type');
    const form = { headers: { 'content-type': 'multipart/form-data; boundary=a' }, file };
    (await as(aigul).call(E.importStatement, form)).refused('unsupported_media_type');
  });

  test('has lines that are matched to an order or a company, or set aside', async () => {
    const companyId = await service.company();
    const { reference } = await order(companyId, { state: 'expired' });
    await upload(
      `${HEADER}\n01.11.2026;41;5000;ТОО Ромашка;договор ${orders}\n01.11.2026;42;300;ИП;заём ${orders}\n01.11.2026;43;900;ТОО Ромашка;без кода ${orders}\n`,
    );
    const lines = (await queue()).lines.rows;
    const lineOf = (number: string) => lines.find((line) => line.bank_reference === number)?.id;
    const match = async (number: string, body: { reference?: string; company_id?: number }) =>
      await as(aigul).call(E.matchLine, { params: { id: lineOf(number) as string }, body });
    assert.deepEqual((await match('41', { reference: 'ZB-NOTHING' })).ok().result, 'no_target');
    (await match('41', {})).refused('validation_error');
    (await match('41', { reference, company_id: companyId })).refused('validation_error');
    assert.deepEqual((await match('41', { reference })).ok().target, reference);
    assert.equal((await match('43', { company_id: companyId })).ok().result, 'credited');
    assert.equal((await match('43', { reference })).ok().result, 'matched');
    const review = { kind: 'line', id: lineOf('42') as string, note: 'заём учредителя' } as const;
    (await as(aigul).call(E.reviewPayment, { body: review })).ok();
    (await as(berik).call(E.reviewPayment, { body: review })).ok();
    const left = (await queue()).lines.rows.map((line) => line.bank_reference);
    assert.deepEqual(
      left.filter((number) => ['41', '42', '43'].includes(number ?? '')),
      [],
    );
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 5_900 + 1_000, debt: 0 });
    const { rows } = (
      await as(aigul).call(A.audit, { query: { action: 'payment.reviewed' } })
    ).ok();
    assert.equal(rows.filter(({ object }) => object === '42').length, 1);
  });
});

describe('a refund', () => {
  const preview = async (id: string, amount: number) =>
    (await as(aigul).call(E.previewRefund, { params: { id }, query: { amount } })).ok();
  const refund = (id: string, amount: number, refunded = 0, who = aigul) =>
    as(who).call(E.refundPayment, {
      params: { id },
      body: { amount, refunded, reason: 'ошибка плательщика' },
    });
  const settle = (id: string, result: 'done' | 'refused', who = aigul) =>
    as(who).call(E.settleRefund, { params: { id }, body: { result, note: 'п/п 77' } });
  /** As after the watch: what no provider makes is left to people. */
  const leave = async () => await endOverdue(service.ctx);

  test('takes what was shown beforehand', async () => {
    const companyId = await service.company();
    const id = await paid(companyId, 5_000);
    const part = await preview(id, 2_000);
    assert.deepEqual(
      [part.left, part.bonus, part.taken, part.owed, part.available, part.is_too_much],
      [5_000, 0, 2_000, 0, 6_050, false],
    );
    // Most of the money is spent: the rest of a full refund is owed.
    await service.ctx.db.transaction((tx) =>
      correctBalance(tx, { companyId, amount: -4_000, cause: id, reason: 'потрачено' }),
    );
    const full = await preview(id, 5_000);
    assert.deepEqual([full.bonus, full.taken, full.owed], [1_000, 2_050, 3_950]);
    assert.equal((await preview(id, 5_001)).is_too_much, true);
    const { refund: made } = (await refund(id, 5_000)).ok();
    assert.deepEqual(
      [made.amount, made.bonus, made.taken, made.owed, made.state],
      [5_000, 1_000, 2_050, 3_950, 'asked'],
    );
    assert.deepEqual(await moneyOf(companyId), { balance: 0, debt: 3_950 });
    await watchProvider(service.ctx, kaspi);
    assert.deepEqual(bank.refunds, [5_000]);
    const shown = (await as(aigul).call(E.payment, { params: { id } })).ok();
    assert.deepEqual(
      [shown.payment.refunded, shown.refunds.map(({ state }) => state)],
      [5_000, ['done']],
    );
    assert.equal(shown.is_refunded_by_provider, true);
  });

  test('is made once when it is released by two operators, or by two clicks, together', async () => {
    const companyId = await service.company();
    const id = await paid(companyId, 5_000);
    const answers = await runConcurrently(10, (i) =>
      refund(id, 2_000, 0, i % 2 === 0 ? aigul : berik),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      answer.refused('changed_meanwhile');
    }
    assert.deepEqual(await moneyOf(companyId), { balance: 50 + 6_000 - 2_000, debt: 0 });
    (await refund(id, 3_001, 2_000)).refused('validation_error');
    (await refund(id, 3_000, 2_000)).ok();
    while (await watchProvider(service.ctx, kaspi));
    await watchProvider(service.ctx, kaspi);
    assert.deepEqual(bank.refunds, [2_000, 3_000]);
    assert.equal((await actsAbout(companyId)).length, 2);
  });

  test('that no provider makes is settled by hand, once', async () => {
    const companyId = await service.company();
    const id = await paid(companyId, 5_000, 'transfer');
    const { refund: made } = (await refund(id, 5_000)).ok();
    (await settle(made.id, 'done')).refused('changed_meanwhile');
    await leave();
    const waiting = (await queue()).refunds.rows.find((row) => row.id === made.id);
    assert.deepEqual([waiting?.is_stuck, waiting?.can_ask], [true, false]);
    (await as(aigul).call(E.retryRefund, { params: { id: made.id } })).refused(
      'payment_unavailable',
    );
    const answers = await runConcurrently(10, (i) =>
      settle(made.id, i % 2 === 0 ? 'done' : 'refused', i % 2 === 0 ? aigul : berik),
    );
    const won = answers.findIndex(({ status }) => status === 200);
    const isDone = won % 2 === 0;
    // The same answer again is the same; the other one comes too late.
    answers.forEach((answer, i) => {
      if ((i % 2 === 0) === isDone) answer.ok();
      else answer.refused('changed_meanwhile');
    });
    assert.deepEqual(await moneyOf(companyId), {
      balance: isDone ? 50 : 50 + 6_000,
      debt: 0,
    });
    const settled = (await actsAbout(companyId)).filter(([action]) => action === 'refund.settled');
    assert.equal(settled.length, 1);
    assert.equal(
      (await queue()).refunds.rows.some((row) => row.id === made.id),
      false,
    );
  });

  test('that is tried again cannot be settled by hand meanwhile', async () => {
    const companyId = await service.company();
    const id = await paid(companyId, 5_000);
    bank.refund = () => 'unclear';
    const { refund: made } = (await refund(id, 5_000)).ok();
    await watchProvider(service.ctx, kaspi);
    // The provider has given no clear answer for two days.
    await service.sql('update refund set next_try_at = null where id = $1', [made.id]);
    const retry = (who: OperatorWithApp) =>
      as(who).call(E.retryRefund, { params: { id: made.id } });
    const answers = await runConcurrently(10, (i) =>
      i % 2 === 0 ? retry(aigul) : settle(made.id, 'done', berik),
    );
    const isRetried = answers.some(({ status }, i) => i % 2 === 0 && status === 200);
    const isSettled = answers.some(({ status }, i) => i % 2 === 1 && status === 200);
    assert.notEqual(isRetried, isSettled, 'both would send the money twice');
    bank.refund = () => 'done';
    const { payment } = (await as(aigul).call(E.payment, { params: { id } })).ok();
    const paymentId = payment.provider_payment_id;
    bank.status = {
      state: 'paid',
      payments: [{ paymentId, amount: 5_000, currency: 'KZT', paidAt: undefined, refunded: 0 }],
    };
    await watchProvider(service.ctx, kaspi);
    assert.deepEqual(bank.refunds, isRetried ? [5_000] : []);
    const acts = (await actsAbout(companyId)).map(([action]) => action);
    assert.deepEqual(acts, [isRetried ? 'refund.retried' : 'refund.settled', 'refund.asked']);
  });
});

describe('the list of payments', () => {
  let companyId: CompanyId;
  before(async () => {
    await enter();
    companyId = await service.company();
    for (let i = 1; i <= 60; i++) await paid(companyId, 1_000 + i);
    await as(aigul).call(E.refundPayment, {
      params: { id: await paid(companyId, 2_000, 'transfer') },
      body: { amount: 500, reason: 'излишек', refunded: 0 },
    });
  });
  const list = async (query: object) =>
    (await as(aigul).call(E.payments, { query: { company_id: companyId, ...query } })).ok();

  test('has totals of all pages, which the rows add up to', async () => {
    const first = await list({});
    assert.equal(first.rows.length, 50);
    const second = await list({ cursor: first.next });
    assert.deepEqual([second.rows.length, second.next], [11, null]);
    const rows = [...first.rows, ...second.rows];
    const sum = (field: 'amount' | 'bonus' | 'refunded') =>
      rows.reduce((total, row) => total + row[field], 0);
    const expected = {
      payments: 61,
      amount: 60 * 1_000 + (60 * 61) / 2 + 2_000,
      bonus: 1_000,
      refunded: 500,
    };
    assert.deepEqual(first.totals, expected);
    assert.deepEqual(second.totals, expected);
    assert.deepEqual(
      {
        payments: rows.length,
        amount: sum('amount'),
        bonus: sum('bonus'),
        refunded: sum('refunded'),
      },
      expected,
    );
    assert.equal(new Set(rows.map(({ id }) => id)).size, 61);
  });

  test('is narrowed by every filter, and its totals with it', async () => {
    await service.sql(
      `update payment set credited_at = date_trunc('second', clock_timestamp()) + interval '1 hour'
       where company_id = $1 and provider = 'transfer'`,
      [companyId],
    );
    const { rows } = await list({ provider: 'transfer' });
    const [row] = rows;
    assert.deepEqual([rows.length, row?.amount, row?.refunded], [1, 2_000, 500]);
    for (const query of [
      { search: String(row?.receipt_number) },
      { search: row?.reference?.toLowerCase() },
      { search: row?.provider_payment_id },
      { state: 'refunded' },
      { state: 'refunding' },
      { from: row?.credited_at },
    ]) {
      const found = await list(query);
      assert.deepEqual(
        found.rows.map(({ id }) => id),
        [row?.id],
        JSON.stringify(query),
      );
      assert.deepEqual(found.totals, { payments: 1, amount: 2_000, bonus: 0, refunded: 500 });
    }
    assert.equal((await list({ to: row?.credited_at })).totals.payments, 60);
    assert.equal((await list({ state: 'flagged' })).totals.payments, 0);
    assert.equal((await list({ search: 'плательщик' })).totals.payments, 61);
    assert.equal((await list({ search: '%' })).totals.payments, 0);
    const other = { company_id: await service.company() };
    assert.deepEqual((await as(aigul).call(E.payments, { query: other })).ok().totals, {
      payments: 0,
      amount: 0,
      bonus: 0,
      refunded: 0,
    });
    (await as(aigul).call(E.payments, { query: { cursor: 'x' } })).refused('validation_error');
  });

  test('of orders finds one by its code, state and company', async () => {
    const { id, reference } = await order(companyId, { state: 'expired' });
    const find = async (query: object) =>
      (await as(aigul).call(E.paymentOrders, { query })).ok().rows.map((row) => row.id);
    assert.deepEqual(await find({ search: ` ${reference.toLowerCase()}` }), [id]);
    assert.deepEqual(await find({ company_id: companyId, state: 'expired' }), [id]);
    assert.deepEqual(
      await find({ company_id: companyId, provider: 'transfer' }).then((a) => a.length),
      2,
    );
    (await as(aigul).call(E.paymentOrders, { query: { cursor: 'x' } })).refused('validation_error');
  });
});

describe('the queue', () => {
  test('has notices that nobody could place, until somebody has looked', async () => {
    const content = JSON.stringify({
      reference: 'ZB-UNKNOWN',
      result: 'paid',
      payment: { paymentId: 'p', amount: 12.5, currency: 'USD', refunded: 0 },
    });
    const add = async (outcome: string | null, age: string) => {
      const id = newId(Date.now());
      await service.sql(
        `insert into payment_notice (id, provider, received_at, body, reference, content, outcome, handled_at)
         values ($1, 'kaspi', clock_timestamp() - $4::interval, '', 'ZB-UNKNOWN', $2, $3,
           case when $3::text is not null then clock_timestamp() end)`,
        [id, content, outcome, age],
      );
      return id;
    };
    const odd = [
      await add('unknown_order', '1 second'),
      await add('other_order', '1 second'),
      await add('manual', '1 second'),
      await add(null, '2 minutes'),
    ];
    for (const outcome of ['credited', 'already', 'failed']) await add(outcome, '1 day');
    await add(null, '1 second');
    const { rows, total } = (await queue()).notices;
    // Ids of one millisecond have no order.
    assert.deepEqual(rows.map(({ id }) => id).toSorted(), odd.toSorted());
    assert.equal(total, 4);
    const first = rows.find(({ id }) => id === odd[0]);
    assert.deepEqual(
      [first?.amount, first?.currency, first?.outcome, first?.reference],
      [12.5, 'USD', 'unknown_order', 'ZB-UNKNOWN'],
    );
    const body = { kind: 'notice', id: odd[0] as string } as const;
    (await as(aigul).call(E.reviewPayment, { body })).ok();
    assert.equal((await queue()).notices.total, 3);
    const wrongKind = { kind: 'payment', id: odd[1] as string } as const;
    (await as(aigul).call(E.reviewPayment, { body: wrongKind })).refused('not_found');
  });

  test('has fiscal receipts that failed, which are tried again once', async () => {
    const companyId = await service.company();
    const id = await paid(companyId, 3_000);
    const state = async () =>
      (
        await service.sql<{ state: string; tries: number; is_due: boolean }>(
          'select state::text, tries, next_try_at <= clock_timestamp() as is_due from fiscal_receipt where id = $1',
          [id],
        )
      )[0];
    await service.sql(
      `insert into fiscal_receipt (id, payment_id, company_id, is_return, amount, state, tries, error, created_at)
       values ($1, $1, $2, false, 3000, 'failed', 10, 'Смена не открыта', clock_timestamp())`,
      [id, companyId],
    );
    const { rows, total } = (await queue()).fiscal;
    assert.deepEqual(
      [total, rows[0]?.company.id, rows[0]?.amount, rows[0]?.state, rows[0]?.error],
      [1, companyId, 3_000, 'failed', 'Смена не открыта'],
    );
    const retry = () => as(aigul).call(E.retryFiscalReceipt, { params: { id } });
    (await retry()).ok();
    assert.deepEqual(await state(), { state: 'waiting', tries: 0, is_due: true });
    assert.deepEqual(
      (await actsAbout(companyId)).map(([action]) => action),
      ['fiscal.retried'],
    );
    await service.sql(
      `update fiscal_receipt set state = 'registered', next_try_at = null, error = null, number = '1',
         registered_at = clock_timestamp() where id = $1`,
      [id],
    );
    (await retry()).refused('changed_meanwhile');
    assert.equal((await queue()).fiscal.total, 0);
  });

  test('has orders that a statement will show while they can be paid, the manual ones first', async () => {
    const companyId = await service.company();
    const late = await order(companyId, { state: 'pending', endsInSeconds: -1 });
    const open = await order(companyId, { state: 'pending' });
    const byBank = await order(companyId, { state: 'pending', provider: 'kaspi' });
    const manual = await order(companyId, { state: 'manual', provider: 'kaspi' });
    const { rows } = (await queue()).orders;
    const own = rows.filter((row) => row.company.id === companyId).map(({ id }) => id);
    assert.deepEqual(own, [manual.id, open.id]);
    assert(!own.includes(late.id) && !own.includes(byBank.id));
    assert.equal(rows.find(({ id }) => id === manual.id)?.can_ask, true);
  });
});
