import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, test } from 'node:test';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { systemClock } from '../../src/clock.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import type { NoticeRequest } from '../../src/payments/payment.ts';
import { openSandboxBank, type SandboxBankDeps } from '../../src/payments/sandbox-bank.ts';
import { openBankApp } from '../../src/payments/sandbox-bank-app.ts';
import { createLazy } from '../../src/runtime/cache.ts';
import { deriveSecrets } from '../../src/secrets.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import { watchProvider } from '../../src/topups/watch-payments.ts';
import { runConcurrently, useService } from '../harness.ts';
import { serve } from '../providers/rig/local-server.ts';

const secrets = deriveSecrets('a secret for tests alone, long enough');
let url = '';
const deps: SandboxBankDeps = {
  db: { query: (...args) => service.ctx.db.query(...args) },
  clock: systemClock,
  secrets,
  publicUrl: () => url,
};
const bank = openSandboxBank(deps);
const service = useService({ payments: [bank] });

/** Before anything is sent: the service is not open yet when this file is read. */
const listen = createLazy(async () => {
  await service.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(service.http.server.address() as AddressInfo).port}`;
  Object.assign(service.ctx.urls, { publicUrl: url });
});

afterEach(async () => {
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count > 0),
    [],
  );
});

let orders = 0;
async function order(companyId: CompanyId, amount = 5_000): Promise<string> {
  await listen();
  orders += 1;
  const reference = `ZB-BANK${String(orders).padStart(4, '0')}`;
  const created = await bank.create(
    { reference, amount, description: 'Пополнение баланса', language: 'ru' },
    AbortSignal.timeout(5_000),
  );
  assert(created.result === 'created');
  await insertOrder(service.ctx.db, {
    id: newId(Date.now()),
    company_id: companyId,
    reference,
    provider: 'sandbox-bank',
    amount,
    payer_name: 'ТОО «Плательщик»',
    payer_business_id: null,
    provider_id: created.providerId,
    qr: created.qr ?? null,
    pay_url: created.payUrl ?? null,
    created_by: null,
    expires_at: created.expiresAt as Date,
    next_check_at: new Date(Date.now() + 5_000),
  });
  return reference;
}

/** Presses a button of the page, as a browser does. */
async function press(reference: string, form: Record<string, string>) {
  return await fetch(`${url}/sandbox/bank/${reference}?lang=kk`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  });
}

/** A round of the watch, with everything due. */
async function watch() {
  for (const [table, column] of [
    ['payment_order', 'next_check_at'],
    ['payment_notice', 'next_try_at'],
  ]) {
    await service.sql(
      `update ${table} set ${column} = clock_timestamp() where ${column} is not null`,
    );
  }
  while (await watchProvider(service.ctx, bank));
}

const stateOf = async (reference: string) => {
  const [row] = await service.sql<{ state: string }>(
    'select state::text from payment_order where reference = $1',
    [reference],
  );
  return row?.state;
};

async function paymentsOf(reference: string) {
  const rows = await service.sql<Record<string, unknown>>(
    `select p.amount, p.refunded, is_late, is_repeated, is_other_amount
     from payment p join payment_order o on o.id = p.order_id where o.reference = $1 order by p.id`,
    [reference],
  );
  return rows.map(({ amount, refunded, ...flags }) => ({
    amount,
    refunded,
    flags: Object.keys(flags).filter((flag) => flags[flag] === true),
  }));
}

const page = async (reference: string, lang = 'ru') =>
  await (await fetch(`${url}/sandbox/bank/${reference}?lang=${lang}`)).text();

describe('in the app of the bank', () => {
  test('an order has the address of the bank as its QR and as its button', async () => {
    const reference = await order(await service.company());
    const [row] = await service.sql<{ qr: string; pay_url: string }>(
      'select qr, pay_url from payment_order where reference = $1',
      [reference],
    );
    const address = `${url}/sandbox/bank/${reference}`;
    assert.deepEqual(row, { qr: address, pay_url: address });
  });

  test('paying credits at once, by the notice alone', async () => {
    const companyId = await service.company();
    const reference = await order(companyId);
    const answer = await press(reference, { act: 'pay' });
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), `/sandbox/bank/${reference}?lang=kk`);
    assert.equal(await stateOf(reference), 'paid');
    assert.deepEqual(await paymentsOf(reference), [{ amount: 5_000, refunded: 0, flags: [] }]);
    assert.equal((await service.balance(companyId)).balance, 50 + 5_000 + 1_000);
    assert.match(await page(reference), /Сервис получил уведомление/);
    await watch();
    assert.equal((await paymentsOf(reference)).length, 1);
  });

  test('paying late is credited and marked', async () => {
    const reference = await order(await service.company());
    await press(reference, { act: 'pay_late' });
    assert.deepEqual(await paymentsOf(reference), [
      { amount: 5_000, refunded: 0, flags: ['is_late'] },
    ]);
  });

  test('paying twice is credited twice and marked', async () => {
    const reference = await order(await service.company());
    await press(reference, { act: 'pay_twice' });
    assert.deepEqual(await paymentsOf(reference), [
      { amount: 5_000, refunded: 0, flags: [] },
      { amount: 5_000, refunded: 0, flags: ['is_repeated'] },
    ]);
  });

  test('another amount is credited as paid and marked, once the bank has confirmed it', async () => {
    const reference = await order(await service.company());
    await press(reference, { act: 'pay_other', amount: '4 321' });
    assert.deepEqual(await paymentsOf(reference), []);
    await watch();
    assert.deepEqual(await paymentsOf(reference), [
      { amount: 4_321, refunded: 0, flags: ['is_other_amount'] },
    ]);
  });

  test('an amount that is none is refused beside its field, and nothing is paid', async () => {
    const reference = await order(await service.company());
    for (const amount of ['0', '-5', '1.5', 'сто', '', '99999999999', '"><script>']) {
      const answer = await press(reference, { act: 'pay_other', amount });
      assert.equal(answer.status, 422, amount);
      const text = await answer.text();
      assert.match(text, /aria-invalid="true" aria-describedby="wrong-amount"/);
      assert.doesNotMatch(text, /<script>/);
    }
    assert.deepEqual(await bank.readStatus?.({ reference, providerId: reference }, never()), {
      state: 'waiting',
      checkAfterSeconds: 5,
    });
  });

  test('a cancelled order ends, and cannot be paid afterwards', async () => {
    const reference = await order(await service.company());
    await press(reference, { act: 'cancel' });
    await watch();
    assert.equal(await stateOf(reference), 'cancelled');
    await press(reference, { act: 'pay' });
    await watch();
    assert.deepEqual(await paymentsOf(reference), []);
    assert.doesNotMatch(await page(reference), /<form/);
  });

  test('a paid order cannot be cancelled', async () => {
    const reference = await order(await service.company());
    await press(reference, { act: 'pay' });
    await press(reference, { act: 'cancel' });
    const [row] = await service.sql<{ cancelled_at: Date | null }>(
      'select cancelled_at from sandbox_bank_order where reference = $1',
      [reference],
    );
    assert.equal(row?.cancelled_at, null);
  });

  test('an order is paid or cancelled, never both, when that happens at the same moment', async () => {
    const reference = await order(await service.company());
    await runConcurrently(10, (i) => press(reference, { act: i % 2 === 0 ? 'cancel' : 'pay' }));
    const [row] = await service.sql<{ cancelled: boolean; payments: number }>(
      `select cancelled_at is not null as cancelled,
         (select count(*)::integer from sandbox_bank_payment p where p.reference = o.reference) as payments
       from sandbox_bank_order o where reference = $1`,
      [reference],
    );
    assert.ok(row?.cancelled === (row?.payments === 0), JSON.stringify(row));
  });

  test('money sent back by the bank is taken back, once', async () => {
    const companyId = await service.company();
    const reference = await order(companyId);
    await press(reference, { act: 'pay' });
    const payment = /name="payment" value="([^"]+)"/.exec(await page(reference))?.[1] ?? '';
    await press(reference, { act: 'refund', payment });
    await press(reference, { act: 'refund', payment });
    await watch();
    assert.deepEqual(await paymentsOf(reference), [{ amount: 5_000, refunded: 5_000, flags: [] }]);
    assert.equal((await service.balance(companyId)).balance, 50);
    assert.match(await page(reference), /Возвращено: 5\u00a0000\u00a0₸/);
  });

  test('an unknown order is a page that says so, and a press there changes nothing', async () => {
    const reference = await order(await service.company());
    const answer = await fetch(`${url}/sandbox/bank/ZB-NOTHING`);
    assert.equal(answer.status, 404);
    assert.equal((await press('ZB-NOTHING', { act: 'pay' })).status, 404);
    assert.equal((await press(reference, { act: 'other' })).status, 303);
    const other = await press(reference, { act: 'refund', payment: 'SB-other' });
    assert.equal(other.status, 404);
  });

  test('the page has three languages and nothing inline', async () => {
    const reference = await order(await service.company());
    for (const [lang, word] of [
      ['ru', 'Оплатить дважды'],
      ['kk', 'Екі рет төлеу'],
      ['en', 'Pay twice'],
    ] as const) {
      const text = await page(reference, lang);
      assert.ok(text.includes(word), lang);
      assert.doesNotMatch(text, /<style|style=|<script>|onclick/);
    }
  });
});

test('a payment whose notice the service does not take is found by asking', async () => {
  const companyId = await service.company();
  const reference = await order(companyId);
  const away = openBankApp({ ...deps, db: service.ctx.db, publicUrl: () => 'http://127.0.0.1:1' });
  assert.equal(await away.pay(reference, [5_000]), 'done');
  assert.match(await page(reference), /Сервис не принял уведомление/);
  assert.equal(await stateOf(reference), 'pending');
  await watch();
  assert.equal(await stateOf(reference), 'paid');
});

test('an order that is not paid in time expires, for a bank that was started again, too', async () => {
  const reference = await order(await service.company());
  const later: SandboxBankDeps = {
    ...deps,
    clock: { now: () => new Date(Date.now() + 21 * 60_000) },
  };
  const again = openSandboxBank(later);
  assert.deepEqual(await again.readStatus?.({ reference, providerId: reference }, never()), {
    state: 'expired',
  });
  const unknown = await again.readStatus?.({ reference: 'ZB-NOTHING', providerId: '' }, never());
  assert.equal(unknown?.state, 'unclear');
});

describe('a notice', () => {
  /** The request that the bank sends for a payment. */
  async function sent(t: { after(close: () => unknown): void }, reference: string) {
    const requests: NoticeRequest[] = [];
    const desk = await serve(t, async (request, response) => {
      assert.equal(request.url, '/payments/sandbox-bank/result');
      const body = await buffer(request);
      requests.push({
        scriptName: 'result',
        method: 'POST',
        headers: request.headers,
        query: {},
        body,
      });
      response.end();
    });
    const app = openBankApp({ ...deps, db: service.ctx.db, publicUrl: () => desk });
    await app.pay(reference, [5_000]);
    return requests[0] as NoticeRequest;
  }

  test('of the bank is read, and names the order, the payment and the amount', async (t) => {
    const reference = await order(await service.company());
    const notice = bank.readNotice?.(await sent(t, reference));
    assert.partialDeepStrictEqual(notice, {
      reference,
      result: 'paid',
      payment: { amount: 5_000, currency: 'KZT', refunded: 0 },
    });
    assert.match(notice?.payment.paymentId ?? '', /^SB-/);
    assert.ok(notice?.payment.paidAt instanceof Date);
    await watch();
  });

  test('with another body, another secret, or no signature is not read', async (t) => {
    const request = await sent(t, await order(await service.company()));
    const body = Buffer.from(request.body.toString().replace('5000', '9000'));
    assert.notDeepEqual(body, request.body);
    assert.equal(bank.readNotice?.({ ...request, body }), undefined);
    assert.equal(bank.readNotice?.({ ...request, headers: {} }), undefined);
    const other = openSandboxBank({
      ...deps,
      secrets: deriveSecrets('another secret, long enough'),
    });
    assert.equal(other.readNotice?.(request), undefined);
    const answer = await fetch(`${url}/payments/sandbox-bank/result`, {
      method: 'POST',
      body: request.body,
      headers: { 'x-bank-signature': `sha256=${'0'.repeat(64)}` },
    });
    assert.equal(answer.status, 403);
    await watch();
  });

  test('that is signed and makes no sense is not read', () => {
    const good = {
      reference: 'ZB-1',
      result: 'paid',
      payment_id: 'SB-1',
      amount: 5,
      currency: 'KZT',
      paid_at: 'yesterday',
      refunded: 0,
    };
    const read = (content: unknown) => {
      const body = Buffer.from(JSON.stringify(content));
      const signature = `sha256=${secrets.macOfBankNotice(body).toString('hex')}`;
      const headers = { 'x-bank-signature': signature };
      return bank.readNotice?.({ scriptName: 'result', method: 'POST', headers, query: {}, body });
    };
    assert.equal(read(good)?.payment.paidAt, undefined);
    for (const wrong of [
      [],
      'paid',
      { ...good, result: 'settled' },
      { ...good, amount: '5' },
      { ...good, amount: 5.5 },
      { ...good, reference: null },
      { ...good, payment_id: 7 },
      { ...good, currency: undefined },
      { ...good, refunded: null },
    ]) {
      assert.equal(read(wrong), undefined, JSON.stringify(wrong));
    }
  });
});

test('a refund that the service asks for is made once for an id, and never beyond the payment', async () => {
  const reference = await order(await service.company());
  await press(reference, { act: 'pay' });
  const status = await bank.readStatus?.({ reference, providerId: reference }, never());
  const paymentId = (status?.state === 'paid' && status.payments[0]?.paymentId) || '';
  const refund = (refundId: string, amount: number) =>
    bank.refund?.({ refundId, providerId: reference, paymentId, amount }, never());
  const refundId = randomUUID();
  const outcomes = await runConcurrently(10, async () => await refund(refundId, 2_000));
  for (const outcome of outcomes) {
    assert.deepEqual(outcome, { result: 'done', providerRefundId: refundId });
  }
  assert.equal((await refund(randomUUID(), 3_001))?.result, 'refused');
  assert.equal((await refund(randomUUID(), 3_000))?.result, 'done');
  const after = await bank.readStatus?.({ reference, providerId: reference }, never());
  assert.equal(after?.state === 'paid' && after.payments[0]?.refunded, 5_000);
});

function never(): AbortSignal {
  return new AbortController().signal;
}

test('a network that presses more than once a second has to wait in the end', async () => {
  const reference = await order(await service.company());
  let answer = await press(reference, { act: 'nothing' });
  for (let i = 0; i < 1_000 && answer.status === 303; i++) {
    answer = await press(reference, { act: 'nothing' });
  }
  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.match(await answer.text(), /<h1>/);
});
