import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import Fastify from 'fastify';
import { FREEDOM_PAY } from '../../../simulators/credentials.ts';
import { addPaymentNotices } from '../../src/http/callbacks/payment-notices.ts';
import { withSignature } from '../../src/payments/freedom-pay-message.ts';
import { hasLockWaiter, until } from '../harness.ts';
import { usePayments } from './payment-rig.ts';

const rig = await usePayments();
const { service } = rig;

afterEach(async () => {
  rig.bank.plans.clear();
  await rig.assertClean();
});

/** A notice of a payment as its provider signs it. */
function signedNotice(reference: string, more: Record<string, string>): Record<string, string> {
  const payment = rig.bank.payments.find(({ order }) => order === reference);
  const values = { pg_order_id: reference, pg_payment_id: payment?.id ?? '', pg_result: '1' };
  return withSignature('result', { ...values, ...more }, { secret: FREEDOM_PAY.secret });
}

test('1,000 notices of one payment at once are credited once, with one bonus, and all answered', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 5_000);
  rig.bank.pay(reference);
  const statuses = await rig.bank.notify(reference, { copies: 1_000, triesMax: 1_000 });
  assert.equal(statuses.length, 1_000);
  assert.deepEqual(new Set(statuses), new Set([200]));
  // On a busy machine the watch finishes some.
  await rig.watch();
  assert.deepEqual(await rig.paymentsOf(reference), [
    {
      amount: 5_000,
      bonus: 1_000,
      refunded: 0,
      is_late: false,
      is_repeated: false,
      is_other_amount: false,
    },
  ]);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 6_050, debt: 0 });
  assert.equal((await rig.orderRow(reference)).state, 'paid');
  const outcomes = await rig.outcomesOf(reference);
  assert.equal(outcomes.credited, 1);
  assert.equal(outcomes.null, undefined);
});

test('few notices are handled at a time and few wait; further ones are refused, and repeated', async (t) => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 1_000);
  const [payment] = rig.bank.payments.slice(-1);
  assert(payment !== undefined);
  const app = Fastify();
  addPaymentNotices(app, service.ctx, { atOnceMax: 1, waitingMax: 2, waitMsMax: 60_000 });
  payment.resultUrl = `${await app.listen({ port: 0, host: '127.0.0.1' })}/payments/freedom-pay/result`;
  t.after(() => app.close());
  rig.bank.pay(reference);
  const refusals = () =>
    rig.bank.journal.lines.filter(
      (line) => line.event === 'receipt' && line.id === payment.id && line.status === 503,
    ).length;
  const { sent } = await service.ctx.db.transaction(async (tx) => {
    // The one that is let in waits for the account.
    await tx.query('select from account where company_id = $1 for update', [companyId]);
    const all = rig.bank.notify(reference, { copies: 10, triesMax: 1 });
    await until('the others are refused', async () => refusals() === 7);
    await until('one waits for the account', () => hasLockWaiter(service.sql));
    assert.deepEqual(await rig.outcomesOf(reference), { null: 1 });
    return { sent: all };
  });
  assert.deepEqual((await sent).sort(), [200, 200, 200, 503, 503, 503, 503, 503, 503, 503]);
  assert.deepEqual(await rig.bank.notify(reference), [200]);
  assert.deepEqual(await rig.outcomesOf(reference), { already: 3, credited: 1 });
});

test('a forged notice is refused, and nothing of it is stored; the log has one line', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  rig.bank.pay(reference);
  rig.log.length = 0;
  const statuses = await rig.bank.notify(reference, { isForged: true, copies: 50 });
  assert.deepEqual(new Set(statuses), new Set([403]));
  assert.deepEqual(await rig.outcomesOf(reference), {});
  assert.deepEqual(await rig.paymentsOf(reference), []);
  const lines = rig.log.filter((line) => line.includes('invalid signature'));
  assert.equal(lines.length, 1);
  assert.equal((await rig.orderRow(reference)).state, 'pending');
});

test('a notice that was changed, has no signature or is sent to another address is refused', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  const signed = signedNotice(reference, { pg_amount: '5000', pg_currency: 'KZT' });
  const { pg_sig: _signature, ...unsigned } = signed;
  const send = (path: string, form: Record<string, string>) =>
    fetch(`${rig.url}/payments/freedom-pay/${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
    }).then(({ status }) => status);
  assert.equal(await send('result', { ...signed, pg_amount: '50000' }), 403);
  assert.equal(await send('result', { ...signed, more: '1' }), 403);
  assert.equal(await send('result', unsigned), 403);
  assert.equal(await send('result', {}), 403);
  // A paid notice is not a notice about a refund.
  assert.equal(await send('refund', signed), 403);
  assert.equal(await send('check', signed), 403);
  assert.equal(await send('result', { ...signed, filler: 'x'.repeat(65_536) }), 413);
  assert.deepEqual(await rig.outcomesOf(reference), {});
  assert.equal(await send('result', signed), 200);
  assert.equal((await rig.paymentsOf(reference)).length, 1);
});

test('a notice can also come in the query or as XML', async () => {
  const [one, other] = [
    await rig.order(await service.company(), 1_000),
    await rig.order(await service.company(), 1_000),
  ];
  const signedOf = (reference: string) =>
    signedNotice(reference, {
      pg_amount: '1000.00',
      pg_currency: 'KZT',
      pg_description: 'Баланс & <код>',
    });
  const url = `${rig.url}/payments/freedom-pay/result`;
  const byQuery = await fetch(`${url}?${new URLSearchParams(signedOf(one))}`);
  assert.equal(byQuery.status, 200);
  const inside = Object.entries(signedOf(other)).map(
    ([name, value]) =>
      `<${name}>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`,
  );
  const byXml = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ pg_xml: `<response>${inside.join('')}</response>` }),
  });
  assert.equal(byXml.status, 200);
  for (const reference of [one, other]) {
    assert.equal((await rig.paymentsOf(reference)).length, 1, reference);
  }
});

test('an amount that only the notice claims is not believed: what the provider confirms is credited', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 5_000);
  rig.bank.pay(reference);
  assert.deepEqual(await rig.bank.notify(reference, { amount: '500000' }), [200]);
  assert.deepEqual(await rig.paymentsOf(reference), []);
  assert.equal((await rig.orderRow(reference)).state, 'checking');
  await rig.watch();
  const [payment] = await rig.paymentsOf(reference);
  assert.deepEqual([payment?.amount, payment?.is_other_amount], [5_000, false]);
  assert.deepEqual(await rig.outcomesOf(reference), { credited: 1 });
});

test('a notice that names no currency credits nothing by itself: the provider is asked', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  const body = new URLSearchParams(signedNotice(reference, { pg_amount: '5000' }));
  const { status } = await fetch(`${rig.url}/payments/freedom-pay/result`, {
    method: 'POST',
    body,
  });
  assert.equal(status, 200);
  assert.deepEqual(await rig.paymentsOf(reference), []);
  assert.equal((await rig.orderRow(reference)).state, 'checking');
});

test('a payer who paid another amount is credited with it, and it is flagged', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  rig.bank.pay(reference, { amount: '4000' });
  await rig.bank.notify(reference, { copies: 20 });
  await rig.watch();
  const payments = await rig.paymentsOf(reference);
  assert.deepEqual(
    payments.map(({ amount, bonus, is_other_amount }) => [amount, bonus, is_other_amount]),
    [[4_000, 1_000, true]],
  );
});

for (const [what, paid] of [
  ['a fraction of a tenge', { amount: '5000.50' }],
  ['another currency', { currency: 'USD' }],
] as const) {
  test(`a payment with ${what} is credited by nobody, and stands on the operator's desk`, async () => {
    const reference = await rig.order(await service.company(), 5_000);
    rig.bank.pay(reference, paid);
    assert.deepEqual(await rig.bank.notify(reference), [200]);
    await rig.watch();
    assert.deepEqual(await rig.paymentsOf(reference), []);
    const { state, next_check_at } = await rig.orderRow(reference);
    assert.deepEqual([state, next_check_at], ['manual', null]);
    assert.deepEqual(await rig.outcomesOf(reference), { manual: 1 });
  });
}

test('where the provider does not confirm, people look; its later word still counts', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  rig.bank.pay(reference, { amount: '7000' });
  await rig.bank.notify(reference);
  rig.bank.plans.add({ to: 'get_status3.php', does: 'reset_before' });
  await rig.watch();
  const { state, next_check_at } = await rig.orderRow(reference);
  assert.equal(state, 'manual');
  assert.notEqual(next_check_at, null);
  assert.deepEqual(await rig.outcomesOf(reference), { null: 1 });

  rig.bank.plans.clear();
  await rig.watch();
  assert.equal((await rig.orderRow(reference)).state, 'paid');
  assert.deepEqual(
    (await rig.paymentsOf(reference)).map(({ amount }) => amount),
    [7_000],
  );
});

test('where the provider says that nothing was paid, people look', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  rig.bank.pay(reference, { amount: '7000' });
  await rig.bank.notify(reference);
  rig.bank.fail(reference);
  await rig.watch();
  assert.deepEqual(await rig.paymentsOf(reference), []);
  assert.equal((await rig.orderRow(reference)).state, 'manual');
  assert.deepEqual(await rig.outcomesOf(reference), { manual: 1 });
});

test('an order that is paid stays paid while a doubtful notice about it is checked', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  await rig.bank.notify(reference, { amount: '7000' });
  rig.bank.plans.add({ to: 'get_status3.php', does: 'reset_before' });
  await rig.watch();
  assert.equal((await rig.orderRow(reference)).state, 'paid');
  assert.deepEqual(await rig.outcomesOf(reference), { credited: 1, null: 1 });
});

test('an unsigned or wrongly signed word of the provider confirms nothing', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  rig.bank.pay(reference, { amount: '900000' });
  await rig.bank.notify(reference);
  rig.bank.plans.add({ to: 'get_status3.php', does: 'accept', isForged: true });
  await rig.watch();
  assert.deepEqual(await rig.paymentsOf(reference), []);
  assert.equal((await rig.orderRow(reference)).state, 'manual');
});

test('a notice with the payment of another order credits neither twice', async () => {
  const [one, other] = [await service.company(), await service.company()];
  const paid = await rig.order(one, 2_000);
  const unpaid = await rig.order(other, 2_000);
  rig.bank.pay(paid);
  // First for the wrong order, then for the right one, and again for the wrong one.
  assert.deepEqual(await rig.bank.notify(paid, { order: unpaid }), [200]);
  assert.deepEqual(await rig.bank.notify(paid), [200]);
  assert.deepEqual(await rig.bank.notify(paid, { order: unpaid }), [200]);
  await rig.watch();
  assert.equal((await rig.paymentsOf(paid)).length, 1);
  assert.deepEqual(await rig.paymentsOf(unpaid), []);
  assert.deepEqual(await rig.outcomesOf(unpaid), { other_order: 2 });
  assert.deepEqual(await rig.moneyOf(other), { balance: 50, debt: 0 });
});

test('a notice about the order of another provider credits nothing', async () => {
  const other = { ...(await rig.openBank()).provider, name: 'kaspi' } as const;
  const reference = await rig.order(await service.company(), 5_000, { provider: other });
  await rig.provider.create(
    { reference, amount: 5_000, description: 'Пополнение баланса', language: 'ru' },
    AbortSignal.timeout(5_000),
  );
  rig.bank.pay(reference);
  assert.deepEqual(await rig.bank.notify(reference), [200]);
  await rig.watch();
  assert.deepEqual(await rig.paymentsOf(reference), []);
  assert.deepEqual(await rig.outcomesOf(reference), { unknown_order: 1 });
});

test('a notice for an order that does not exist is stored, and credits nothing', async () => {
  const reference = await rig.order(await service.company(), 2_000);
  rig.bank.pay(reference);
  assert.deepEqual(await rig.bank.notify(reference, { order: 'ZB-UNKNOWN', payment: '77' }), [200]);
  assert.deepEqual(await rig.outcomesOf('ZB-UNKNOWN'), { unknown_order: 1 });
  assert.deepEqual(await rig.paymentsOf(reference), []);
});

test('a failed payment leaves the order open; reports in the wrong order change nothing', async () => {
  const reference = await rig.order(await service.company(), 2_000);
  await rig.bank.notify(reference, { kind: 'failed' });
  assert.equal((await rig.orderRow(reference)).state, 'pending');
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  await rig.bank.notify(reference, { kind: 'failed' });
  await rig.bank.notify(reference);
  assert.equal((await rig.orderRow(reference)).state, 'paid');
  assert.equal((await rig.paymentsOf(reference)).length, 1);
  assert.deepEqual(await rig.outcomesOf(reference), { already: 1, credited: 1, failed: 2 });
});

test('money that is only held on a card is not credited until it is taken', async () => {
  const reference = await rig.order(await service.company(), 2_000);
  rig.bank.pay(reference, { isHeld: true });
  await rig.bank.notify(reference);
  await rig.watch();
  assert.deepEqual(await rig.paymentsOf(reference), []);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  assert.equal((await rig.paymentsOf(reference)).length, 1);
});

test('a second payment for one order is credited as well, and marked', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 1_000);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  await rig.bank.notify(reference, { payment: 'second-time', copies: 10 });
  assert.deepEqual(
    (await rig.paymentsOf(reference)).map(({ is_repeated }) => is_repeated),
    [false, true],
  );
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 1_000 + 1_000 + 1_000, debt: 0 });
});

test('a refund made in the console of the provider is recorded once; reports of the payment after it credit nothing', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 3_000);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  rig.bank.refund(reference, 500);
  await rig.bank.notify(reference, { kind: 'refunded', copies: 10 });
  await rig.watch();
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 3_000 + 1_000 - 500, debt: 0 });
  rig.bank.refund(reference, 2_500);
  await rig.bank.notify(reference, { kind: 'refunded' });
  await rig.bank.notify(reference, { copies: 10 });
  await rig.watch();
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50, debt: 0 });
  assert.deepEqual(
    (await rig.paymentsOf(reference)).map(({ refunded }) => refunded),
    [3_000],
  );
});

test('a refund that is reported before its payment leaves nothing on the balance', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 3_000);
  rig.bank.pay(reference);
  rig.bank.refund(reference, 3_000);
  await rig.bank.notify(reference, { kind: 'refunded' });
  await rig.watch();
  await rig.bank.notify(reference);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50, debt: 0 });
  assert.equal((await rig.paymentsOf(reference)).length, 1);
});

test('a refund that only a notice claims is not recorded', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 3_000);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  await rig.bank.notify(reference, { kind: 'refunded' });
  await rig.watch();
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 4_050, debt: 0 });
});

test('no secret, and no signature, is ever in the log', () => {
  assert.ok(rig.log.length > 0);
  assert.ok(!rig.log.join().includes(FREEDOM_PAY.secret));
  assert.ok(!rig.log.join().includes('pg_sig'));
});
