import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { PaymentProvider } from '../../src/payments/payment.ts';
import { checkDueOrders } from '../../src/topups/check-orders.ts';
import { startPaymentWatch } from '../../src/topups/watch-payments.ts';
import { until } from '../harness.ts';
import { usePayments } from './payment-rig.ts';

const rig = await usePayments();
const { service } = rig;
const HOUR = 3600;

afterEach(async () => {
  rig.bank.plans.clear();
  await rig.assertClean();
});

const askedOf = () =>
  rig.bank.journal.lines.filter((line) => line.event === 'call' && line.path === '/get_status3.php')
    .length;

test('a payment that no notice came for is found by asking', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 5_000);
  await rig.watch();
  const { state, checks, next_check_at } = await rig.orderRow(reference);
  assert.deepEqual([state, checks, next_check_at !== null], ['pending', 1, true]);
  rig.bank.pay(reference);
  await rig.watch();
  assert.equal((await rig.orderRow(reference)).state, 'paid');
  // The notice comes after all.
  await rig.bank.notify(reference, { copies: 5 });
  assert.equal((await rig.paymentsOf(reference)).length, 1);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 6_050, debt: 0 });
});

for (const [what, plan] of [
  ['hangs up', { does: 'reset_before' }],
  ['is cut off', { does: 'reset_during' }],
  ['fails', { does: 'fail', code: 503 }],
  ['answers garbage', { does: 'malformed', form: 'html' }],
  ['answers nothing', { does: 'malformed', form: 'empty' }],
  ['answers without end', { does: 'malformed', form: 'endless' }],
  ['signs with another secret', { does: 'accept', isForged: true }],
  ['refuses', { does: 'refuse', code: 9999 }],
] as const) {
  test(`a provider that ${what} confirms nothing; the order is asked about again`, async () => {
    const reference = await rig.order(await service.company(), 5_000);
    rig.bank.pay(reference);
    rig.bank.plans.add({ to: 'get_status3.php', ...plan });
    await rig.watch();
    const { state, next_check_at } = await rig.orderRow(reference);
    assert.deepEqual([state, next_check_at !== null], ['pending', true]);
    rig.bank.plans.clear();
    await rig.watch();
    assert.equal((await rig.orderRow(reference)).state, 'paid');
  });
}

test('a provider that is silent does not keep another one waiting, nor the end of the service', async (t) => {
  const silent = await rig.openBank();
  const other: PaymentProvider = { ...silent.provider, name: 'kaspi' };
  const [one, two] = [await service.company(), await service.company()];
  const unanswered = await rig.order(one, 1_000, { provider: other });
  const answered = await rig.order(two, 1_000);
  silent.bank.pay(unanswered);
  rig.bank.pay(answered);
  silent.bank.plans.add({ to: 'get_status3.php', does: 'hang' });
  await rig.makeDue();

  const watch = startPaymentWatch({ ...service.ctx, payments: [other, rig.provider] });
  t.after(() => watch.stop());
  await until('the other order is paid', async () => {
    return (await rig.orderRow(answered)).state === 'paid';
  });
  // The silent one is still being waited for: its order is leased, and no next check is set.
  const leased = await service.sql(
    `select from payment_order where reference = $1 and state = 'pending' and checks = 1
       and next_check_at > clock_timestamp() + interval '30 seconds'`,
    [unanswered],
  );
  assert.equal(leased.length, 1);
  await watch.stop();

  silent.bank.plans.clear();
  await rig.watch({ ...service.ctx, payments: [other] });
  assert.equal((await rig.orderRow(unanswered)).state, 'paid');
  assert.equal((await rig.paymentsOf(unanswered)).length, 1);
});

test('two nodes ask about each order once, and credit each payment once', async () => {
  const companyId = await service.company();
  const references: string[] = [];
  for (let i = 0; i < 30; i++) references.push(await rig.order(companyId, 1_000));
  for (const reference of references) rig.bank.pay(reference);
  const before = askedOf();
  const nodes = [service.ctx, rig.openNode()];
  await rig.makeDue();
  await Promise.all(
    nodes.map(async (ctx) => {
      const watch = startPaymentWatch({ ...ctx, payments: [rig.provider] });
      await until('all are paid', async () => {
        const states = await Promise.all(references.map((each) => rig.orderRow(each)));
        return states.every(({ state }) => state === 'paid');
      });
      await watch.stop();
    }),
  );
  assert.equal(askedOf() - before, 30);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 30_000 + 1_000, debt: 0 });
});

test('an order whose payment failed stays open: the payer can try again', async () => {
  const reference = await rig.order(await service.company(), 1_000);
  rig.bank.fail(reference);
  await rig.watch();
  assert.equal((await rig.orderRow(reference)).state, 'pending');
  rig.bank.pay(reference);
  await rig.watch();
  assert.equal((await rig.orderRow(reference)).state, 'paid');
});

test('an order ends when its time is over and the provider says that nobody has paid', async () => {
  const reference = await rig.order(await service.company(), 1_000, { endsInSeconds: -1 });
  rig.bank.plans.add({ to: 'get_status3.php', does: 'reset_before' });
  await rig.watch();
  // Its answer is waited for: the payment may have come in time.
  assert.equal((await rig.orderRow(reference)).state, 'pending');
  rig.bank.plans.clear();
  await rig.watch();
  const { state, next_check_at } = await rig.orderRow(reference);
  assert.deepEqual([state, next_check_at !== null], ['expired', true]);
});

test('a late payment is found after the end of its order, credited and flagged', async () => {
  const reference = await rig.order(await service.company(), 1_000, { endsInSeconds: -HOUR });
  await rig.watch();
  assert.equal((await rig.orderRow(reference)).state, 'expired');
  rig.bank.pay(reference);
  await rig.watch();
  assert.equal((await rig.orderRow(reference)).state, 'paid');
  assert.deepEqual(
    (await rig.paymentsOf(reference)).map(({ amount, is_late }) => [amount, is_late]),
    [[1_000, true]],
  );
});

test('hours after its end an order is not asked about any more; a notice is still credited', async () => {
  const reference = await rig.order(await service.company(), 1_000, { endsInSeconds: -4 * HOUR });
  await rig.watch();
  const { state, next_check_at } = await rig.orderRow(reference);
  assert.deepEqual([state, next_check_at], ['expired', null]);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  assert.equal((await rig.orderRow(reference)).state, 'paid');
});

test('an order that its provider has cancelled is cancelled', async () => {
  const reference = await rig.order(await service.company(), 1_000);
  rig.bank.cancel(reference);
  await rig.watch();
  assert.equal((await rig.orderRow(reference)).state, 'cancelled');
});

test('an order ends by itself where nobody can be asked, or the provider is silent for long', async () => {
  const companyId = await service.company();
  const unasked = await rig.order(companyId, 1_000, { endsInSeconds: -1 });
  const silent = await rig.order(companyId, 1_000, { endsInSeconds: -700 });
  await service.sql(`update payment_order set provider = 'transfer' where reference = $1`, [
    unasked,
  ]);
  rig.bank.plans.add({ to: 'get_status3.php', does: 'reset_before' });
  await rig.watch();
  const { state, next_check_at } = await rig.orderRow(unasked);
  assert.deepEqual([state, next_check_at], ['expired', null]);
  assert.equal((await rig.orderRow(silent)).state, 'expired');
});

test('what the provider has sent back already is found with the payment', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 5_000);
  rig.bank.pay(reference);
  rig.bank.refund(reference, 1_500);
  await rig.watch();
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 5_000 + 1_000 - 1_500, debt: 0 });
});

test('a refund in the console whose notice was lost is found by asking, and taken once', async () => {
  const companyId = await service.company();
  const reference = await rig.order(companyId, 5_000);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  // Not soon, and not while people wait for the answers about other orders.
  const soon = await service.sql(
    `select from payment_order where reference = $1 and next_check_at < clock_timestamp() + interval '59 minutes'`,
    [reference],
  );
  assert.equal(soon.length, 0);

  rig.bank.refund(reference, 2_000);
  rig.bank.plans.add({ to: 'get_status3.php', does: 'reset_before' });
  await rig.watchPaid(reference);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 5_000 + 1_000, debt: 0 });
  rig.bank.plans.clear();
  await rig.watchPaid(reference);
  await rig.watchPaid(reference);
  // The notice comes after all.
  await rig.bank.notify(reference, { kind: 'refunded', copies: 5 });
  await rig.watch();
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 5_000 + 1_000 - 2_000, debt: 0 });
  const refunds = await service.sql(
    'select amount, state::text from refund where company_id = $1',
    [companyId],
  );
  assert.deepEqual(refunds, [{ amount: 2_000, state: 'done' }]);
  const { state, next_check_at } = await rig.orderRow(reference);
  assert.deepEqual([state, next_check_at !== null], ['paid', true]);
});

test('a paid order is asked about for half a year, also after a question without an answer', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  const nextCheckAfter = async (days: number) => {
    await service.sql(
      `update payment_order set expires_at = clock_timestamp() - make_interval(days => $2) where reference = $1`,
      [reference, days],
    );
    await rig.watchPaid(reference);
    return (await rig.orderRow(reference)).next_check_at;
  };
  rig.bank.plans.add({ to: 'get_status3.php', does: 'reset_before' });
  assert.notEqual(await nextCheckAfter(10), null);
  rig.bank.plans.clear();
  assert.notEqual(await nextCheckAfter(179), null);
  assert.equal(await nextCheckAfter(181), null);
  assert.equal((await rig.orderRow(reference)).state, 'paid');
});

test('orders that people wait for are asked about before those that are paid', async () => {
  const companyId = await service.company();
  const paid: string[] = [];
  for (let i = 0; i < 20; i++) paid.push(await rig.order(companyId, 1_000));
  for (const reference of paid) {
    rig.bank.pay(reference);
    await rig.bank.notify(reference);
  }
  const waiting = await rig.order(companyId, 1_000);
  await service.sql(
    `update payment_order set next_check_at = clock_timestamp() - interval '1 hour' where reference = any ($1)`,
    [paid],
  );
  await rig.makeDue();
  // One round is 20 orders.
  await checkDueOrders(service.ctx, rig.provider, new AbortController().signal);
  assert.equal((await rig.orderRow(waiting)).checks, 1);
});

test('a provider that does not know old payments any more still works for others', async () => {
  const { bank, provider } = await rig.openBank();
  for (let i = 0; i < 6; i++) {
    const status = await provider.readStatus?.(
      { reference: 'ZB-OLD', providerId: '1' },
      AbortSignal.timeout(5_000),
    );
    assert.equal(status?.state, 'unclear');
  }
  assert.equal(provider.circuit?.(), 'closed');
  bank.plans.add({ to: 'get_status3.php', does: 'reset_before' });
  for (let i = 0; i < 5; i++) {
    await provider.readStatus?.(
      { reference: 'ZB-OLD', providerId: '1' },
      AbortSignal.timeout(5_000),
    );
  }
  assert.equal(provider.circuit?.(), 'open');
});

test('a provider that asks for pauses is asked only in turn, and keeps no other one waiting', async (t) => {
  const paced = await rig.openBank();
  let askedFor = 0;
  const turns: (() => void)[] = [];
  const other: PaymentProvider = {
    ...paced.provider,
    name: 'sandbox-bank',
    waitForTurn: async (signal) => {
      askedFor += 1;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      turns.push(resolve);
      signal.addEventListener('abort', () => reject(new Error('shutdown')));
      await promise;
    },
  };
  const [one, two] = [await service.company(), await service.company()];
  const references = [
    await rig.order(one, 1_000, { provider: other }),
    await rig.order(one, 1_000, { provider: other }),
  ];
  const unpaced = await rig.order(two, 1_000);
  for (const reference of references) paced.bank.pay(reference);
  rig.bank.pay(unpaced);
  await rig.makeDue();
  const asked = () => paced.bank.journal.lines.filter(({ event }) => event === 'call').length - 2;
  const paidOf = async () =>
    (await Promise.all(references.map((each) => rig.orderRow(each)))).filter(
      ({ state }) => state === 'paid',
    ).length;

  const watch = startPaymentWatch({ ...service.ctx, payments: [other, rig.provider] });
  t.after(() => watch.stop());
  await until('the other provider has been asked', async () => {
    return (await rig.orderRow(unpaced)).state === 'paid' && askedFor === 2;
  });
  assert.equal(asked(), 0);
  turns.shift()?.();
  await until('one is paid', async () => (await paidOf()) === 1);
  assert.equal(asked(), 1);
  turns.shift()?.();
  await until('both are paid', async () => (await paidOf()) === 2);
  assert.equal(asked(), 2);
});

test('an answer about another payment confirms nothing', async () => {
  const reference = await rig.order(await service.company(), 5_000);
  const paid = await rig.order(await service.company(), 5_000);
  rig.bank.pay(paid);
  const payment = rig.bank.payments.find(({ order }) => order === paid);
  const providerId = payment?.id ?? '';
  const status = await rig.provider.readStatus?.(
    { reference, providerId },
    AbortSignal.timeout(5_000),
  );
  assert.equal(status?.state, 'unclear');
});
