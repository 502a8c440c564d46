import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, type TestContext, test } from 'node:test';
import { KASPI } from '../../../simulators/credentials.ts';
import { startKaspi } from '../../../simulators/kaspi.ts';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { newId } from '../../src/ids.ts';
import { type KaspiSettings, openKaspi } from '../../src/payments/kaspi.ts';
import type { Created, OrderToPay } from '../../src/payments/payment.ts';
import { checkDueOrders } from '../../src/topups/check-orders.ts';
import { insertOrder } from '../../src/topups/order-store.ts';
import { useService } from '../harness.ts';
import { NOBODYS_URL, startParrot } from '../providers/rig/local-server.ts';

const ORDER: OrderToPay = {
  reference: 'ZB-7K3M9QXW',
  amount: 5_000,
  description: 'Пополнение баланса',
  language: 'ru',
};
const soon = () => AbortSignal.timeout(5_000);
/** For calls that get no answer. */
const atOnce = () => AbortSignal.timeout(300);

async function openRig(t: TestContext, changes: Partial<KaspiSettings> = {}) {
  const simulator = await startKaspi(KASPI);
  const kaspi = openKaspi({ ...KASPI, url: `${simulator.url}/r1/v01`, ...changes });
  t.after(async () => {
    await kaspi.close();
    await simulator.close();
  });
  /** What a payer does with one of the two payments of an order. */
  const act = async (name: string, given: object) => {
    const answer = await fetch(`${simulator.url}/_simulator/acts/${name}`, {
      method: 'POST',
      body: JSON.stringify(given),
    });
    return (await answer.json()) as { StatusCode?: number; registrations?: number };
  };
  const pay = async (qrPaymentId: number) => {
    assert.equal((await act('scan', { qrPaymentId })).StatusCode, 0);
    assert.equal((await act('confirm', { qrPaymentId })).StatusCode, 0);
  };
  const order = async () => created(await kaspi.create(ORDER, soon()));
  const status = (providerId: string) =>
    kaspi.readStatus?.({ reference: ORDER.reference, providerId }, soon());
  const refund = (amount: number, { refundId = randomUUID(), signal = soon() } = {}) =>
    kaspi.refund?.({ refundId, providerId: '1+2', paymentId: '1', amount }, signal);
  const returnable = async () => {
    const answer = await fetch(
      `${simulator.url}/r1/v01/payment/details?QrPaymentId=1&DeviceToken=device-1`,
      { headers: { 'api-key': KASPI.apiKey, 'x-request-id': randomUUID() } },
    );
    const { Data } = (await answer.json()) as { Data: { AvailableReturnAmount: number } };
    return Data.AvailableReturnAmount;
  };
  return { simulator, kaspi, act, pay, order, status, refund, returnable };
}

function created(outcome: Created | undefined): Extract<Created, { result: 'created' }> {
  assert.equal(outcome?.result, 'created', JSON.stringify(outcome));
  return outcome as Extract<Created, { result: 'created' }>;
}

/** Kaspi that gives the same answer to every call but the registration. */
async function answering(t: TestContext, content: object) {
  const { url } = await startParrot(t, {
    status: 200,
    body: JSON.stringify({ StatusCode: 0, Message: 'OK', Data: { DeviceToken: 'd', ...content } }),
  });
  const kaspi = openKaspi({ ...KASPI, url: `${url}/r1/v01` });
  t.after(() => kaspi.close());
  return kaspi;
}

test('an order has the token as its QR, a link for a phone, and both ids', async (t) => {
  const { order } = await openRig(t);
  const { providerId, qr, payUrl, expiresAt, checkAfterSeconds } = await order();
  assert.equal(providerId, '1+2');
  assert.equal(qr, '51236903777280167836178166503744991');
  assert.equal(payUrl, 'https://pay.kaspi.kz/pay/sim2');
  assert.equal(checkAfterSeconds, 5);
  assert.ok(expiresAt instanceof Date);
});

test('the device is registered once for orders released together, and again when Kaspi forgot it', async (t) => {
  const { order, act } = await openRig(t);
  await Promise.all(Array.from({ length: 5 }, order));
  assert.equal((await act('forget-device', {})).registrations, 1);
  await order();
  assert.equal((await act('forget-device', {})).registrations, 2);
});

test('an order waits until one of the two is paid, and asks at the interval of Kaspi', async (t) => {
  const { order, act, pay, status } = await openRig(t);
  const { providerId } = await order();
  const waiting = { state: 'waiting', checkAfterSeconds: 5 };
  assert.deepEqual(await status(providerId), waiting);
  await act('scan', { qrPaymentId: 1 });
  assert.deepEqual(await status(providerId), waiting);
  await act('confirm', { qrPaymentId: 1 });
  const paid = await status(providerId);
  assert.ok(paid?.state === 'paid');
  const { paidAt, ...payment } = paid.payments[0] ?? {};
  assert.deepEqual(payment, { paymentId: '1', amount: 5_000, currency: 'KZT', refunded: 0 });
  assert.ok(paidAt instanceof Date);
  assert.equal(paid.payments.length, 1);
  // The link can still be paid, so the order is asked about again.
  assert.equal(paid.checkAfterSeconds, 5);

  await pay(2);
  const twice = await status(providerId);
  assert.ok(twice?.state === 'paid');
  assert.deepEqual(
    twice.payments.map(({ paymentId }) => paymentId),
    ['1', '2'],
  );
  assert.equal(twice.checkAfterSeconds, undefined);
});

test('an order is over when both have failed, and not before', async (t) => {
  const { order, act, status } = await openRig(t);
  const { providerId } = await order();
  await act('scanerror', { qrPaymentId: 1 });
  assert.equal((await status(providerId))?.state, 'waiting');
  await act('scan', { qrPaymentId: 2 });
  await act('confirmerror', { qrPaymentId: 2 });
  assert.deepEqual(await status(providerId), { state: 'expired' });
});

test('without a link the order is paid by its QR alone', async (t) => {
  const { simulator, order, pay, status } = await openRig(t);
  simulator.plans.add({ to: 'create-link', does: 'refuse', code: -999 });
  const { providerId, payUrl } = await order();
  assert.deepEqual([providerId, payUrl], ['1', undefined]);
  await pay(1);
  const paid = await status(providerId);
  assert.ok(paid?.state === 'paid');
  assert.equal(paid.checkAfterSeconds, undefined);
});

describe('an order is not made, and the reason never has the key in it, when Kaspi', () => {
  const cases: Record<string, [plan: object, result: string]> = {
    'refuses the amount': [{ to: 'create', does: 'refuse', code: -990_000_028 }, 'refused'],
    'refuses the device': [{ to: 'register', does: 'refuse', code: -14_000_002 }, 'refused'],
    'never answers': [{ to: 'create', does: 'hang' }, 'unavailable'],
    'breaks the connection': [{ to: 'create', does: 'reset_during' }, 'unavailable'],
    'answers 500': [{ does: 'fail', code: 500 }, 'unavailable'],
    'answers without end': [{ does: 'malformed', form: 'endless' }, 'unavailable'],
    'answers with a page': [{ does: 'malformed', form: 'html' }, 'unavailable'],
    'answers with half an answer': [
      { to: 'create', does: 'malformed', form: 'half_json' },
      'unavailable',
    ],
    'answers with a list': [{ does: 'malformed', form: 'wrong_type' }, 'unavailable'],
    'answers with nothing': [{ does: 'malformed', form: 'empty' }, 'unavailable'],
  };
  for (const [name, [plan, result]] of Object.entries(cases)) {
    test(name, async (t) => {
      const { simulator, kaspi } = await openRig(t);
      simulator.plans.add(plan as never);
      const outcome = await kaspi.create(ORDER, atOnce());
      assert.equal(outcome.result, result, JSON.stringify(outcome));
      assert.doesNotMatch(JSON.stringify(outcome), /simulated-kaspi/);
    });
  }

  test('does not accept the key', async (t) => {
    const { kaspi } = await openRig(t, { apiKey: 'another' });
    const reason = 'Kaspi не принял ключ сервиса';
    assert.deepEqual(await kaspi.create(ORDER, soon()), { result: 'unavailable', reason });
  });

  test('cannot be reached', async (t) => {
    const kaspi = openKaspi({ ...KASPI, url: NOBODYS_URL });
    t.after(() => kaspi.close());
    assert.equal((await kaspi.create(ORDER, soon())).result, 'unavailable');
  });

  for (const [name, content] of Object.entries({
    'has no token': { QrPaymentId: 1 },
    'has no id': { QrToken: '5' },
    'has an odd id': { QrToken: '5', QrPaymentId: '../1' },
  })) {
    test(`gives an order that ${name}`, async (t) => {
      const outcome = await (await answering(t, content)).create(ORDER, soon());
      assert.deepEqual(outcome, { result: 'unavailable', reason: 'Kaspi ответил непонятно' });
    });
  }
});

test('a link that is no https address does not become a button', async (t) => {
  const content = {
    QrToken: '5',
    QrPaymentId: 1,
    PaymentId: 2,
    PaymentLink: 'javascript:alert(1)',
  };
  const outcome = created(await (await answering(t, content)).create(ORDER, soon()));
  assert.deepEqual([outcome.providerId, outcome.payUrl], ['1', undefined]);
});

test('a time without an offset is not guessed, and an odd interval not followed', async (t) => {
  const content = {
    QrToken: '5',
    QrPaymentId: 1,
    ExpireDate: '2026-11-15T10:00:00',
    QrPaymentBehaviorOptions: { StatusPollingInterval: 0 },
  };
  const outcome = created(await (await answering(t, content)).create(ORDER, soon()));
  assert.deepEqual([outcome.expiresAt, outcome.checkAfterSeconds], [undefined, 5]);
});

describe('a status is unclear', () => {
  const details = { TotalAmount: 5_000, AvailableReturnAmount: 5_000 };
  const cases: Record<string, object> = {
    'in a word that nobody has seen': { Status: 'Settled' },
    'named like a part of every object': { Status: 'constructor' },
    'without a word': {},
    'when it is paid and the amount is not whole tenge': {
      Status: 'Processed',
      ...details,
      TotalAmount: 5_000.5,
    },
    'when it is paid and there is no amount': { Status: 'Processed' },
    'when more can be returned than was paid': {
      Status: 'Processed',
      ...details,
      AvailableReturnAmount: 5_001,
    },
  };
  for (const [name, content] of Object.entries(cases)) {
    test(name, async (t) => {
      const kaspi = await answering(t, content);
      const status = await kaspi.readStatus?.({ reference: 'ZB-1', providerId: '1' }, soon());
      assert.equal(status?.state, 'unclear');
    });
  }

  test('when Kaspi does not answer, and of an unknown payment', async (t) => {
    const { simulator, kaspi, order, status } = await openRig(t);
    const { providerId } = await order();
    assert.equal((await status('77'))?.state, 'unclear');
    assert.equal((await status('1/../2'))?.state, 'unclear');
    simulator.plans.add({ to: 'status', does: 'hang' });
    const silent = await kaspi.readStatus?.({ reference: ORDER.reference, providerId }, atOnce());
    assert.equal(silent?.state, 'unclear');
  });
});

describe('a refund', () => {
  test('in parts is shown by the status', async (t) => {
    const { order, pay, refund, status } = await openRig(t);
    const { providerId } = await order();
    await pay(1);
    const refundId = randomUUID();
    assert.deepEqual(await refund(2_000, { refundId }), {
      result: 'done',
      providerRefundId: refundId,
    });
    assert.equal((await refund(1_000))?.result, 'done');
    const paid = await status(providerId);
    assert.equal(paid?.state === 'paid' && paid.payments[0]?.refunded, 3_000);
  });

  test('that Kaspi refuses is refused', async (t) => {
    const { simulator, order, pay, refund } = await openRig(t);
    await order();
    await pay(1);
    simulator.plans.add({ to: 'return', does: 'refuse', code: -99_000_005 });
    assert.deepEqual(await refund(5_000), {
      result: 'refused',
      reason: 'Kaspi отказал (ошибка -99000005)',
    });
  });

  test('whose answer is lost is found in what can still be returned', async (t) => {
    const { simulator, order, pay, refund, returnable } = await openRig(t);
    await order();
    await pay(1);
    simulator.plans.add({ to: 'return', does: 'reset_during', times: 1 });
    assert.equal((await refund(2_000))?.result, 'done');
    assert.equal(await returnable(), 3_000);
  });

  test('whose outcome is unclear is made once, however often it is tried', async (t) => {
    const { simulator, order, pay, refund, returnable } = await openRig(t);
    await order();
    await pay(1);
    const refundId = randomUUID();
    // Kaspi makes the return, and is then silent until the deadline.
    simulator.plans.add({ to: 'return', does: 'hang', times: 1 });
    assert.equal((await refund(2_000, { refundId, signal: atOnce() }))?.result, 'unclear');
    assert.equal((await refund(2_000, { refundId }))?.result, 'done');
    assert.equal(await returnable(), 3_000);
  });

  test('that never reached Kaspi is made by the next try', async (t) => {
    const { simulator, order, pay, refund, returnable } = await openRig(t);
    await order();
    await pay(1);
    const refundId = randomUUID();
    simulator.plans.add({ to: 'return', does: 'reset_before', times: 1 });
    assert.equal((await refund(5_000, { refundId }))?.result, 'unclear');
    assert.equal((await refund(5_000, { refundId }))?.result, 'done');
    assert.equal(await returnable(), 0);
    // After a restart the memory of the try is gone, but a whole payment is returned once at most.
    assert.equal((await refund(5_000))?.result, 'done');
  });

  test('of more than is left is for a person to look at', async (t) => {
    const { order, pay, refund } = await openRig(t);
    await order();
    await pay(1);
    await refund(4_000);
    assert.equal((await refund(2_000))?.result, 'unclear');
  });
});

describe('an order whose QR and link are both paid', () => {
  const service = useService();

  test('is credited for each, also when the second comes after the first was credited', async (t) => {
    const { kaspi, order, pay } = await openRig(t);
    const companyId = await service.company();
    const { providerId } = await order();
    await insertOrder(service.ctx.db, {
      id: newId(Date.now()),
      company_id: companyId,
      reference: ORDER.reference,
      provider: 'kaspi',
      amount: ORDER.amount,
      payer_name: 'ТОО «Плательщик»',
      payer_business_id: null,
      provider_id: providerId,
      qr: null,
      pay_url: null,
      created_by: null,
      expires_at: new Date(Date.now() + 180_000),
      next_check_at: new Date(),
    });
    const check = async () => {
      await service.sql(
        'update payment_order set next_check_at = clock_timestamp() where next_check_at is not null',
      );
      await checkDueOrders(service.ctx, kaspi, soon());
      const [row] = await service.sql<{ state: string; is_due: boolean; payments: number }>(
        `select state::text, coalesce(next_check_at < clock_timestamp() + interval '1 minute', false) as is_due,
           (select count(*)::integer from payment) as payments from payment_order`,
      );
      return row;
    };
    assert.deepEqual(await check(), { state: 'pending', is_due: true, payments: 0 });
    await pay(2);
    assert.deepEqual(await check(), { state: 'paid', is_due: true, payments: 1 });
    await pay(1);
    // From now on only a return can change anything, and is asked about rarely.
    assert.deepEqual(await check(), { state: 'paid', is_due: false, payments: 2 });
    assert.equal((await service.balance(companyId)).balance, 50 + 10_000 + 1_000);
    const flags = await service.sql<{ is_repeated: boolean }>(
      'select is_repeated from payment order by id',
    );
    assert.deepEqual(
      flags.map(({ is_repeated }) => is_repeated),
      [false, true],
    );
    const { violations } = await auditIn(service.ctx.db);
    assert.equal(
      Object.values(violations).reduce((sum, count) => sum + count),
      0,
    );
  });
});
