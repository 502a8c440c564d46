import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { PaymentProvider } from '../../src/payments/payment.ts';
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
  assert.equal((await rig.orderRow(unasked)).state, 'expired');
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
