import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { BodyOf } from '@zhiber/contract/cabinet/endpoint.ts';
import { TOPUP_ENDPOINTS } from '@zhiber/contract/cabinet/topups.ts';
import type { CompanyId } from '../../src/ids.ts';
import { createOrder } from '../../src/topups/orders.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { openTestBank, type TestBank } from './test-bank.ts';

const service = useService({
  env: {
    SELLER_NAME: 'ТОО «Жибер»',
    SELLER_BIN: '123456789013',
    SELLER_ADDRESS: 'Алматы',
    SELLER_IBAN: 'KZ000000000000000000',
    MERCHANT_QR: 'https://bank.example/shop',
    MERCHANT_QR_BANK: 'Kaspi',
  },
});
const { person, as } = createCabinetClient(service);

let bank: TestBank;
let polled: TestBank;
let transfer: TestBank;
let merchantQr: TestBank;

beforeEach(() => {
  const ctx = () => service.ctx;
  bank = openTestBank(ctx);
  polled = openTestBank(ctx, { name: 'kaspi', confirmation: 'poll' });
  transfer = openTestBank(ctx, { name: 'transfer', confirmation: 'operator' });
  merchantQr = openTestBank(ctx, { name: 'merchant-qr', confirmation: 'operator' });
  service.ctx.payments = [polled, bank, merchantQr, transfer];
});

type CreateBody = BodyOf<typeof TOPUP_ENDPOINTS.createTopup>;

let requests = 0;
const newRequestId = () => {
  requests += 1;
  return `request-${String(requests).padStart(10, '0')}`;
};

/** A signed-in accountant with calls for the top-ups of their company. */
async function openCabinet() {
  const who = await person({ role: 'accountant' });
  const { call } = as(who);
  const create = (body: Partial<CreateBody> = {}) =>
    call(TOPUP_ENDPOINTS.createTopup, {
      body: {
        request_id: newRequestId(),
        provider: 'freedom-pay',
        amount: 5_000,
        payer_name: 'ТОО «Плательщик»',
        ...body,
      },
    });
  const read = async (id: string) => (await call(TOPUP_ENDPOINTS.topup, { params: { id } })).ok();
  return {
    companyId: who.companyId as CompanyId,
    personId: who.personId,
    call,
    create,
    read,
    created: async (body: Partial<CreateBody> = {}) => read((await create(body)).ok().id),
    cancel: (id: string) => call(TOPUP_ENDPOINTS.cancelTopup, { params: { id } }),
    claim: (id: string) => call(TOPUP_ENDPOINTS.claimTopup, { params: { id } }),
    options: async () => (await call(TOPUP_ENDPOINTS.topupOptions)).ok(),
    list: async (query = {}) => (await call(TOPUP_ENDPOINTS.topups, { query })).ok(),
  };
}

const expire = (id: string) =>
  service.sql(
    `update payment_order set expires_at = clock_timestamp() - interval '1 second' where id = $1`,
    [id],
  );

async function storedOrder(id: string) {
  const [row] = await service.sql<{ state: string; next_check_in: number | null }>(
    `select state::text, round(extract(epoch from next_check_at - clock_timestamp()))::integer as next_check_in
     from payment_order where id = $1`,
    [id],
  );
  return row as NonNullable<typeof row>;
}

const auditOf = (companyId: CompanyId) =>
  service.sql(
    `select person_id, action, object, after from audit_record
     where company_id = $1 and action like 'topup.%' order by id`,
    [companyId],
  );

describe('the page of a new top-up', () => {
  test('gets limits, the bonus to come, the open ways to pay in order, and the company as payer', async () => {
    const { companyId, options } = await openCabinet();
    await service.sql(`update company set name = $2, business_id = '123456789013' where id = $1`, [
      companyId,
      'ТОО «Ромашка»',
    ]);
    assert.deepEqual(await options(), {
      success: true,
      min: 1_000,
      max: 100_000_000,
      bonus: 1_000,
      prices: { whatsapp: 3, telegram: 3, sms: 8, group: 0 },
      providers: [
        { name: 'kaspi', confirmation: 'poll' },
        { name: 'freedom-pay', confirmation: 'notice' },
        { name: 'merchant-qr', confirmation: 'operator' },
        { name: 'transfer', confirmation: 'operator' },
      ],
      payer: { name: 'ТОО «Ромашка»', business_id: '123456789013' },
    });
  });

  test('remembers the payer of the last order, and offers the bonus once', async () => {
    const { created, options } = await openCabinet();
    const { reference } = await created({ payer_name: 'ИП Первый' });
    await created({ payer_name: ' ИП Второй ', business_id: '123456789013' });
    assert.equal((await options()).bonus, 1_000);
    await bank.pay(reference);
    const { payer, bonus } = await options();
    assert.deepEqual(payer, { name: 'ИП Второй', business_id: '123456789013' });
    assert.equal(bonus, 0);
  });
});

describe('an order', () => {
  test('is stored before the bank is asked, then shows what the bank has answered', async () => {
    const { companyId, personId, create, read } = await openCabinet();
    const { answer } = bank;
    const statesMeanwhile: unknown[] = [];
    bank.answer = async (order, signal) => {
      statesMeanwhile.push(
        ...(await service.sql('select state::text, qr from payment_order where reference = $1', [
          order.reference,
        ])),
      );
      return await answer(order, signal);
    };
    const { id } = (await create({ language: 'kk' })).ok();
    assert.deepEqual(statesMeanwhile, [{ state: 'pending', qr: null }]);

    const topup = await read(id);
    const { reference } = topup;
    assert.match(reference, /^ZB-[34679ACDEFGHJKMNPQRTWXY]{8}$/);
    assert.deepEqual(bank.asked, [
      {
        reference,
        amount: 5_000,
        description: `Zhiber балансын толтыру, ${reference}`,
        language: 'kk',
      },
    ]);
    assert.equal(topup.state, 'pending');
    assert.equal(topup.is_ready, true);
    assert.equal(topup.qr, `https://bank.example/pay/${reference}`);
    assert.equal(topup.pay_url, `https://bank.example/pay/${reference}`);
    assert.deepEqual(topup.payer, { name: 'ТОО «Плательщик»', business_id: null });
    assert.deepEqual([topup.can_claim, topup.is_typed, topup.requisites], [false, false, null]);
    assert(topup.seconds_left > 0 && topup.seconds_left <= 900);
    assert.deepEqual(await auditOf(companyId), [
      {
        person_id: personId,
        action: 'topup.created',
        object: reference,
        after: { amount: 5_000, provider: 'freedom-pay' },
      },
    ]);
  });

  test('ends when its bank says so, and the bank is first asked when it says so', async () => {
    const { create, read } = await openCabinet();
    polled.answer = async ({ reference }) => ({
      result: 'created',
      providerId: reference,
      qr: 'qr',
      payUrl: undefined,
      expiresAt: new Date(Date.now() + 180_000),
      checkAfterSeconds: 40,
    });
    const { id } = (await create({ provider: 'kaspi' })).ok();
    const { seconds_left: left } = await read(id);
    assert(left > 100 && left <= 180, String(left));
    const { next_check_in: next } = await storedOrder(id);
    assert(next !== null && next > 0 && next <= 40, String(next));
  });

  test('by bank transfer carries the requisites, one by static QR the bank', async () => {
    const { created } = await openCabinet();
    const byTransfer = await created({ provider: 'transfer' });
    assert.deepEqual(byTransfer.requisites, {
      name: 'ТОО «Жибер»',
      business_id: '123456789013',
      iban: 'KZ000000000000000000',
      bank: null,
      bic: null,
      kbe: '17',
      knp: '859',
    });
    const byQr = await created({ provider: 'merchant-qr' });
    assert.deepEqual([byQr.bank, byQr.requisites], ['Kaspi', null]);
    assert.deepEqual([byQr.is_typed, byQr.can_claim], [true, true]);
  });

  for (const [what, body, field] of [
    ['an amount below the minimum', { amount: 999 }, 'amount'],
    ['an amount above the maximum', { amount: 100_000_001 }, 'amount'],
    ['a fraction of a tenge', { amount: 1_000.5 }, 'amount'],
    ['a way to pay that is not open', { provider: 'sandbox-bank' }, 'provider'],
    ['a БИН whose check digit is wrong', { business_id: '123456789012' }, 'business_id'],
    ['a payer without a name', { payer_name: '  ' }, 'payer_name'],
    ['a payer with a name of 201 characters', { payer_name: 'я'.repeat(201) }, 'payer_name'],
    ['a request id that anybody could send', { request_id: '1' }, 'request_id'],
  ] as const) {
    test(`is refused with ${what}`, async () => {
      const { create, list } = await openCabinet();
      const { errors } = (await create(body)).refused('validation_error');
      assert.deepEqual(Object.keys(errors as object), [field]);
      assert.deepEqual((await list()).rows, []);
      assert.deepEqual(bank.asked, []);
    });
  }

  test('takes the smallest and the largest amount', async () => {
    const { create } = await openCabinet();
    (await create({ amount: 1_000 })).ok();
    (await create({ amount: 100_000_000 })).ok();
  });

  test('of another company is not found', async () => {
    const { created } = await openCabinet();
    const { id } = await created();
    const stranger = await openCabinet();
    for (const endpoint of [
      TOPUP_ENDPOINTS.topup,
      TOPUP_ENDPOINTS.cancelTopup,
      TOPUP_ENDPOINTS.claimTopup,
    ]) {
      (await stranger.call(endpoint, { params: { id } })).refused('not_found');
      (await stranger.call(endpoint, { params: { id: 'no-uuid' } })).refused('not_found');
    }
    assert.equal((await storedOrder(id)).state, 'pending');
    assert.deepEqual((await stranger.list()).rows, []);
  });

  test('is created once by 10 clicks, and one of another company with the same id is its own', async () => {
    const { companyId, create } = await openCabinet();
    const request_id = newRequestId();
    const answers = await runConcurrently(10, () => create({ request_id }));
    const ids = new Set(answers.map((answer) => answer.ok().id));
    assert.equal(ids.size, 1);
    assert.equal(bank.asked.length, 1);
    assert.equal((await auditOf(companyId)).length, 1);
    // The same id cannot mean another amount.
    (await create({ request_id, amount: 6_000 })).refused('validation_error');

    const other = await openCabinet();
    assert(!ids.has((await other.create({ request_id })).ok().id));
  });

  test('is the 20th that waits at most, counted exactly', async () => {
    const { create, cancel, created } = await openCabinet();
    const answers = await runConcurrently(25, () => create());
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 20);
    (await create()).refused('too_many_topups');
    const ids = made.map((answer) => answer.ok().id);
    // A cancelled, an expired and a paid one make room; one that is checked by hand does not.
    (await cancel(ids[0] as string)).ok();
    (await create()).ok();
    (await create()).refused('too_many_topups');
    await expire(ids[1] as string);
    const { reference } = await created();
    (await create()).refused('too_many_topups');
    await bank.pay(reference);
    (await create()).ok();
    await service.sql(`update payment_order set state = 'manual' where id = $1`, [ids[2]]);
    (await create()).refused('too_many_topups');
  });
});

describe('a bank that cannot issue a QR', () => {
  const ANSWERS: Record<string, TestBank['answer']> = {
    'is unavailable': async () => ({ result: 'unavailable', reason: 'timeout' }),
    'refuses the order': async () => ({ result: 'refused', reason: 'limit' }),
  };
  for (const [what, answer] of Object.entries(ANSWERS)) {
    test(`because it ${what}: a clear refusal, and a cancelled order`, async () => {
      const { companyId, personId, create, list } = await openCabinet();
      bank.answer = answer;
      const request_id = newRequestId();
      const refusal = (await create({ request_id })).refused('payment_unavailable');
      assert.equal(refusal.message, 'Банк сейчас не принимает платежи');
      const [row] = (await list()).rows;
      assert.equal(row?.state, 'cancelled');
      const [, record] = await auditOf(companyId);
      assert.deepEqual(record, {
        person_id: personId,
        action: 'topup.cancelled',
        object: row?.reference,
        after: { reason: 'банк не принял заказ' },
      });
      // The answer was lost, and the page asks again: no second order, and no page without a QR.
      (await create({ request_id })).refused('payment_unavailable');
      assert.equal((await list()).rows.length, 1);
    });
  }

  test('because it hangs: nobody waits longer than the limit, and a payment is still credited', async () => {
    const { companyId, list } = await openCabinet();
    let wasAborted = false;
    bank.answer = (_order, signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          wasAborted = true;
        });
      });
    const payer = { name: 'ИП', businessId: null };
    const order = { companyId, provider: 'freedom-pay', amount: 2_000, payer } as const;
    const log = Object.assign(Object.create(service.ctx.log), { error: () => undefined });
    await assert.rejects(
      createOrder(
        { ...service.ctx, log },
        {},
        { ...order, requestId: newRequestId(), language: 'ru' },
        20,
      ),
      { code: 'payment_unavailable' },
    );
    assert(wasAborted, 'the call goes on in vain');
    const [row] = (await list()).rows;
    assert.equal(row?.state, 'cancelled');
    await bank.pay(String(row?.reference));
    assert.equal((await list()).rows[0]?.state, 'paid');
    assert.equal((await service.balance(companyId)).balance, 50 + 2_000 + 1_000);
  });
});

describe('a payment', () => {
  test('makes the order paid, with the amount, the bonus and the balance', async () => {
    const { created, read } = await openCabinet();
    const { id, reference } = await created();
    await bank.pay(reference);
    const { state, payments, balance } = await read(id);
    assert.deepEqual([state, balance], ['paid', 6_050]);
    const [payment] = payments;
    assert.deepEqual([payment?.amount, payment?.bonus], [5_000, 1_000]);
    assert.deepEqual([payment?.refunded, payment?.debt_paid], [0, 0]);
  });

  test('tells what of it paid a debt', async () => {
    const { companyId, created, read } = await openCabinet();
    await service.sql('update account set debt = 1950 where company_id = $1', [companyId]);
    const { id, reference } = await created();
    await bank.pay(reference);
    await bank.pay(reference);
    const { payments, balance } = await read(id);
    assert.deepEqual(
      payments.map(({ amount, bonus, debt_paid }) => [amount, bonus, debt_paid]),
      [
        [5_000, 1_000, 1_950],
        [5_000, 0, 0],
      ],
    );
    assert.equal(balance, 50 + 6_000 - 1_950 + 5_000);
  });

  test('that arrives before the bank has answered stays credited, and is not asked about again', async () => {
    const { create, read } = await openCabinet();
    const { answer } = polled;
    polled.answer = async (order, signal) => {
      await polled.pay(order.reference);
      return await answer(order, signal);
    };
    const { id } = (await create({ provider: 'kaspi' })).ok();
    assert.equal((await read(id)).state, 'paid');
    assert.equal((await storedOrder(id)).next_check_in, null);
  });

  test('that is late, doubled or of another amount is flagged', async () => {
    const { created, read, cancel } = await openCabinet();
    const { id, reference } = await created();
    (await cancel(id)).ok();
    await bank.pay(reference, { amount: 4_000 });
    await bank.pay(reference);
    const { state, payments } = await read(id);
    assert.equal(state, 'paid');
    assert.deepEqual(
      payments.map((each) => [each.is_late, each.is_repeated, each.is_other_amount]),
      [
        [true, false, true],
        [false, true, false],
      ],
    );
  });

  test('at the same moment as a cancellation is credited, and the order is paid', async () => {
    const { companyId, created, cancel, read } = await openCabinet();
    const orders = [];
    for (let i = 0; i < 10; i++) orders.push(await created({ amount: 1_000 }));
    const answers = await Promise.all(
      orders.map(async ({ id, reference }, i) => {
        const calls = [() => cancel(id), () => bank.pay(reference)] as const;
        const [cancelled] = await (i % 2 === 0
          ? Promise.all([calls[0](), calls[1]()])
          : Promise.all([calls[1](), calls[0]()]).then(([, answer]) => [answer] as const));
        return cancelled;
      }),
    );
    for (const answer of answers) {
      if (answer.status !== 200) answer.refused('topup_closed');
    }
    for (const { id } of orders) assert.equal((await read(id)).state, 'paid');
    assert.equal((await service.balance(companyId)).balance, 50 + 10 * 1_000 + 1_000);
  });
});

describe('cancelling', () => {
  test('works once, while the order is pending, and leaves a record', async () => {
    const { companyId, personId, created, cancel, read } = await openCabinet();
    const { id, reference } = await created();
    (await cancel(id)).ok();
    (await cancel(id)).ok();
    assert.equal((await read(id)).state, 'cancelled');
    const records = await auditOf(companyId);
    assert.deepEqual(records.slice(1), [
      { person_id: personId, action: 'topup.cancelled', object: reference, after: null },
    ]);
  });

  test('is refused for an order that is paid or being checked', async () => {
    const { created, cancel, claim } = await openCabinet();
    const paid = await created();
    await bank.pay(paid.reference);
    (await cancel(paid.id)).refused('topup_closed');
    const claimed = await created({ provider: 'transfer' });
    (await claim(claimed.id)).ok();
    (await cancel(claimed.id)).refused('topup_closed');
  });

  test('leaves one question to a bank that reports nothing by itself', async () => {
    const { created, cancel } = await openCabinet();
    const { id } = await created({ provider: 'kaspi' });
    (await cancel(id)).ok();
    const { next_check_in: next } = await storedOrder(id);
    assert(next !== null && next > 800 && next <= 900, String(next));
  });
});

describe('"I have paid"', () => {
  test('has the bank asked at once', async () => {
    const { created, claim, read } = await openCabinet();
    const { id } = await created({ provider: 'kaspi' });
    (await claim(id)).ok();
    assert.equal((await read(id)).state, 'checking');
    assert(((await storedOrder(id)).next_check_in as number) <= 0);
  });

  test('leaves it to the operator where no bank can be asked, also when the time is over', async () => {
    const { created, claim, read } = await openCabinet();
    const { id } = await created({ provider: 'transfer' });
    await expire(id);
    assert.equal((await read(id)).state, 'expired');
    (await claim(id)).ok();
    assert.equal((await read(id)).state, 'manual');
    assert.equal((await storedOrder(id)).next_check_in, null);
    (await claim(id)).ok();
    assert.equal((await read(id)).state, 'manual');
  });

  test('changes nothing for an order that is paid or cancelled', async () => {
    const { created, claim, cancel, read } = await openCabinet();
    const paid = await created();
    await bank.pay(paid.reference);
    (await claim(paid.id)).ok();
    assert.equal((await read(paid.id)).state, 'paid');
    const cancelled = await created();
    (await cancel(cancelled.id)).ok();
    (await claim(cancelled.id)).ok();
    assert.equal((await read(cancelled.id)).state, 'cancelled');
  });
});

describe('the list', () => {
  test('has orders and payments without an order, newest first, page by page', async () => {
    const { companyId, created, list } = await openCabinet();
    const first = await created({ amount: 1_000 });
    await topUp(service.ctx, { companyId, amount: 2_000, reference: `cash-${companyId}` });
    const last = await created({ amount: 3_000 });
    await bank.pay(first.reference);
    const { rows, next } = await list();
    assert.equal(next, null);
    assert.deepEqual(
      rows.map((row) => [row.reference, row.provider, row.amount, row.state, row.payments.length]),
      [
        [last.reference, 'freedom-pay', 3_000, 'pending', 0],
        [null, 'terminal', 2_000, 'paid', 1],
        [first.reference, 'freedom-pay', 1_000, 'paid', 1],
      ],
    );
    const older = await list({ cursor: rows[0]?.id });
    assert.deepEqual(older.rows, rows.slice(1));
  });

  test('continues after 50 rows where it stopped', async () => {
    const { companyId, list } = await openCabinet();
    for (let i = 0; i < 51; i++) await topUp(service.ctx, { companyId, amount: 1_000 + i });
    const page = await list();
    assert.equal(page.rows.length, 50);
    assert.equal(page.rows[0]?.amount, 1_050);
    assert.equal(page.next, page.rows[49]?.id);
    const rest = await list({ cursor: page.next });
    assert.deepEqual(
      rest.rows.map(({ amount }) => amount),
      [1_000],
    );
    assert.equal(rest.next, null);
  });

  test('of what is open leaves out what is paid, cancelled or over', async () => {
    const { created, cancel, claim, list } = await openCabinet();
    const pending = await created();
    const manual = await created({ provider: 'transfer' });
    (await claim(manual.id)).ok();
    const [paid, cancelled, over] = [await created(), await created(), await created()];
    await bank.pay(paid.reference);
    (await cancel(cancelled.id)).ok();
    await expire(over.id);
    const { rows } = await list({ is_open: true });
    assert.deepEqual(
      rows.map(({ id, state }) => [id, state]),
      [
        [manual.id, 'manual'],
        [pending.id, 'pending'],
      ],
    );
    assert.equal((await list()).rows.find(({ id }) => id === over.id)?.state, 'expired');
  });

  test('refuses a cursor that is none', async () => {
    const { call } = await openCabinet();
    const answer = await call(TOPUP_ENDPOINTS.topups, { query: { cursor: 'x' } });
    answer.refused('validation_error');
  });
});
