import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { CompanyId } from '../../src/ids.ts';
import { askRefund } from '../../src/topups/refund-payment.ts';
import { confirmRefundByHand } from '../../src/topups/send-refunds.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { watchProvider } from '../../src/topups/watch-payments.ts';
import { usePayments } from './payment-rig.ts';

const rig = await usePayments();
const { service } = rig;

afterEach(async () => {
  rig.bank.plans.clear();
  await rig.assertClean();
});

/** A paid order, and the id of its payment. */
async function paid(companyId: CompanyId, amount: number) {
  const reference = await rig.order(companyId, amount);
  rig.bank.pay(reference);
  await rig.bank.notify(reference);
  const [row] = await service.sql<{ id: string }>(
    'select p.id from payment p join payment_order o on o.id = p.order_id where o.reference = $1',
    [reference],
  );
  return { reference, paymentId: row?.id as string };
}

async function ask(paymentId: string, amount: number): Promise<string> {
  const reason = 'ошибка плательщика';
  const asked = await askRefund(
    service.ctx,
    {},
    { paymentId, amount, reason, askedBy: 'Оператор' },
  );
  assert(asked.result === 'asked');
  return asked.refund.id;
}

async function refundRow(id: string) {
  const [row] = await service.sql<{ state: string; tries: number; next_try_at: Date | null }>(
    'select state::text, tries, next_try_at from refund where id = $1',
    [id],
  );
  return row as NonNullable<typeof row>;
}

const sentBack = (reference: string) =>
  rig.bank.payments.find(({ order }) => order === reference)?.refunds.map(({ amount }) => amount);

test('a refund is sent to the provider once, and settled by its answer', async () => {
  const companyId = await service.company();
  const { reference, paymentId } = await paid(companyId, 5_000);
  const id = await ask(paymentId, 2_000);
  await rig.watch();
  await rig.watch();
  const { state, tries, next_try_at } = await refundRow(id);
  assert.deepEqual([state, tries, next_try_at], ['done', 1, null]);
  assert.deepEqual(sentBack(reference), [2_000]);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 5_000 + 1_000 - 2_000, debt: 0 });
  // What the provider then reports is this refund, and no other.
  await rig.bank.notify(reference, { kind: 'refunded' });
  await rig.watch();
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 5_000 + 1_000 - 2_000, debt: 0 });
});

for (const [what, plan] of [
  ['was lost', { does: 'reset_during' }],
  ['never came', { does: 'reset_before', isTaken: true }],
  ['makes no sense', { does: 'malformed', form: 'html' }],
  ['is signed by somebody else', { does: 'accept', isForged: true }],
] as const) {
  test(`a refund whose answer ${what} is not sent twice`, async () => {
    const { reference, paymentId } = await paid(await service.company(), 5_000);
    const id = await ask(paymentId, 2_000);
    rig.bank.plans.add({ to: 'revoke.php', ...plan });
    await rig.watch();
    assert.equal((await refundRow(id)).state, 'asked');
    rig.bank.plans.clear();
    await rig.watch();
    assert.equal((await refundRow(id)).state, 'done');
    assert.deepEqual(sentBack(reference), [2_000]);
  });
}

test('while it is unknown whether a lost refund has happened, none is sent', async () => {
  const { reference, paymentId } = await paid(await service.company(), 5_000);
  const id = await ask(paymentId, 2_000);
  rig.bank.plans.add({ to: 'revoke.php', does: 'fail', code: 502 });
  rig.bank.plans.add({ to: 'get_status3.php', does: 'fail', code: 502 });
  await rig.watch();
  await rig.watch();
  const calls = rig.bank.journal.lines.filter(
    (line) => line.event === 'call' && line.path === '/revoke.php',
  );
  const before = calls.length;
  rig.bank.plans.clear();
  rig.bank.plans.add({ to: 'get_status3.php', does: 'fail', code: 502 });
  await rig.watch();
  const after = rig.bank.journal.lines.filter(
    (line) => line.event === 'call' && line.path === '/revoke.php',
  );
  assert.equal(after.length, before);
  assert.equal((await refundRow(id)).state, 'asked');
  rig.bank.plans.clear();
  await rig.watch();
  assert.equal((await refundRow(id)).state, 'done');
  assert.deepEqual(sentBack(reference), [2_000]);
});

test('a refund that the provider refuses is given back', async () => {
  const companyId = await service.company();
  const { reference, paymentId } = await paid(companyId, 5_000);
  const id = await ask(paymentId, 2_000);
  rig.bank.plans.add({ to: 'revoke.php', does: 'refuse', code: 2000 });
  await rig.watch();
  assert.equal((await refundRow(id)).state, 'refused');
  assert.deepEqual(sentBack(reference), []);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 6_050, debt: 0 });
});

test('a refund that is refused because the money was sent back in the console is recorded, not lost', async () => {
  const companyId = await service.company();
  const { reference, paymentId } = await paid(companyId, 5_000);
  const id = await ask(paymentId, 5_000);
  rig.bank.refund(reference, 5_000);
  await rig.watch();
  assert.equal((await refundRow(id)).state, 'refused');
  // It is due at once.
  await watchProvider(service.ctx, rig.provider);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50, debt: 0 });
  assert.deepEqual(sentBack(reference), [5_000]);
});

test('wrong credentials refuse no refund: it is tried again', async () => {
  const { paymentId } = await paid(await service.company(), 5_000);
  const id = await ask(paymentId, 2_000);
  rig.bank.plans.add({ to: 'revoke.php', does: 'refuse', code: 1100 });
  await rig.watch();
  const { state, next_try_at } = await refundRow(id);
  assert.deepEqual([state, next_try_at !== null], ['asked', true]);
  rig.bank.plans.clear();
  await rig.watch();
  assert.equal((await refundRow(id)).state, 'done');
});

test('two refunds of one payment are sent one after the other, each once', async () => {
  const { reference, paymentId } = await paid(await service.company(), 5_000);
  const ids = [await ask(paymentId, 1_000), await ask(paymentId, 1_000)];
  rig.bank.plans.add({ to: 'revoke.php', does: 'reset_during' });
  await rig.watch();
  assert.deepEqual(sentBack(reference), [1_000]);
  rig.bank.plans.clear();
  await rig.watch();
  await rig.watch();
  for (const id of ids) assert.equal((await refundRow(id)).state, 'done');
  assert.deepEqual(sentBack(reference), [1_000, 1_000]);
});

test('what was sent back before does not count for a refund that never arrived', async () => {
  const { reference, paymentId } = await paid(await service.company(), 5_000);
  await ask(paymentId, 1_000);
  await rig.watch();
  const id = await ask(paymentId, 1_000);
  rig.bank.plans.add({ to: 'revoke.php', does: 'reset_before' });
  await rig.watch();
  assert.deepEqual(sentBack(reference), [1_000]);
  rig.bank.plans.clear();
  await rig.watch();
  assert.equal((await refundRow(id)).state, 'done');
  assert.deepEqual(sentBack(reference), [1_000, 1_000]);
});

test('two nodes send a refund once', async () => {
  const { reference, paymentId } = await paid(await service.company(), 5_000);
  await ask(paymentId, 1_000);
  const other = rig.openNode();
  await rig.makeDue();
  await Promise.all([service.ctx, other].map((ctx) => watchProvider(ctx, rig.provider)));
  assert.deepEqual(sentBack(reference), [1_000]);
});

test('where no provider sends money back, the refund waits for the operator', async () => {
  const companyId = await service.company();
  await topUp(service.ctx, { companyId, amount: 3_000, reference: 'bank-1' });
  const [row] = await service.sql<{ id: string }>('select id from payment where company_id = $1', [
    companyId,
  ]);
  const [done, refused] = [await ask(row?.id ?? '', 1_000), await ask(row?.id ?? '', 1_000)];
  const byHand = (id: string, outcome: Parameters<typeof confirmRefundByHand>[3]) =>
    confirmRefundByHand(service.ctx, {}, id, outcome);
  assert.equal(await byHand(done, { result: 'done', note: 'п/п 77' }), 'in_progress');
  await rig.watch();
  assert.equal((await refundRow(done)).next_try_at, null);
  assert.equal(await byHand(done, { result: 'done', note: 'п/п 77' }), 'done');
  assert.equal(await byHand(refused, { result: 'refused', reason: 'счёт закрыт' }), 'refused');
  assert.equal(await byHand(refused, { result: 'done', note: 'п/п 77' }), 'refused');
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 3_000 + 1_000 - 1_000, debt: 0 });
});
