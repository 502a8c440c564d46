import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { FREEDOM_PAY } from '../../../simulators/credentials.ts';
import { startFreedomPay } from '../../../simulators/freedom-pay.ts';
import { openFreedomPay } from '../../src/payments/freedom-pay.ts';
import { openPayments } from '../../src/payments/open-payments.ts';
import type { Created } from '../../src/payments/payment.ts';
import { usePayments } from './payment-rig.ts';

const rig = await usePayments();
const { bank } = rig;
afterEach(() => bank.plans.clear());

const publicUrl = 'https://zhiber.example';
const open = (settings: Partial<typeof FREEDOM_PAY> = {}) =>
  openFreedomPay({ ...FREEDOM_PAY, url: bank.url, publicUrl, ...settings });
const provider = open();

function create(reference: string, by = provider): Promise<Created> {
  const order = { reference, amount: 5_000, description: 'Баланс & <код> «ТОО»' } as const;
  return by.create({ ...order, language: 'kk' }, AbortSignal.timeout(5_000));
}

test('a payment is created with our reference, amount, language and addresses; the QR opens its page', async () => {
  const created = await create('ZB-CREATE');
  const payment = bank.payments.find(({ order }) => order === 'ZB-CREATE');
  const payUrl = `https://customer.freedompay.kz/pay.html?customer=${payment?.id}&lang=kz`;
  assert.deepEqual(created, {
    result: 'created',
    providerId: payment?.id,
    qr: payUrl,
    payUrl,
  });
  assert.deepEqual(
    [payment?.amount, payment?.currency, payment?.resultUrl, payment?.refundUrl],
    [
      '5000',
      'KZT',
      'https://zhiber.example/payments/freedom-pay/result',
      'https://zhiber.example/payments/freedom-pay/refund',
    ],
  );
});

test('the same order created again is the same payment', async () => {
  const [one, again] = [await create('ZB-AGAIN'), await create('ZB-AGAIN')];
  assert.deepEqual(again, one);
  assert.equal(bank.payments.filter(({ order }) => order === 'ZB-AGAIN').length, 1);
});

test('an answer about another order confirms nothing', async () => {
  const created = await create('ZB-OTHER');
  assert(created.result === 'created');
  bank.pay('ZB-OTHER');
  const { providerId } = created;
  const stateOf = async (reference: string) =>
    (await provider.readStatus?.({ reference, providerId }, AbortSignal.timeout(5_000)))?.state;
  assert.deepEqual([await stateOf('ZB-OTHER'), await stateOf('ZB-OURS')], ['paid', 'unclear']);
});

test('a refund tried again with its id sends money back once; with another id, again', async () => {
  await create('ZB-REFUND');
  bank.pay('ZB-REFUND');
  const payment = bank.payments.find(({ order }) => order === 'ZB-REFUND');
  const paymentId = payment?.id ?? '';
  const refund = (refundId: string) =>
    provider.refund?.(
      { refundId, providerId: paymentId, paymentId, amount: 500 },
      AbortSignal.timeout(5_000),
    );
  assert.deepEqual(await refund('one'), { result: 'done', providerRefundId: 'one' });
  await refund('one');
  assert.deepEqual(
    payment?.refunds.map(({ amount }) => amount),
    [500],
  );
  await refund('two');
  assert.equal(payment?.refunds.length, 2);
});

for (const [what, plan] of [
  ['hangs up', { does: 'reset_before' }],
  ['fails', { does: 'fail', code: 500 }],
  ['answers garbage', { does: 'malformed', form: 'html' }],
  ['answers half', { does: 'malformed', form: 'half_json' }],
  ['signs with another secret', { does: 'accept', isForged: true }],
  ['does not like our signature', { does: 'refuse', code: 1100 }],
] as const) {
  test(`a provider that ${what} is unavailable`, async () => {
    bank.plans.add({ to: 'init_payment.php', ...plan });
    assert.equal((await create('ZB-BROKEN')).result, 'unavailable');
  });
}

test('a provider that is silent is waited for only as long as the signal says', async () => {
  bank.plans.add({ to: 'init_payment.php', does: 'hang' });
  const order = { reference: 'ZB-SILENT', amount: 1, description: 'x', language: 'ru' } as const;
  const created = await provider.create(order, AbortSignal.timeout(50));
  assert.deepEqual(created, { result: 'unavailable', reason: 'Провайдер не ответил' });
});

test('a refusal names the reason and the code', async () => {
  bank.plans.add({ to: 'init_payment.php', does: 'refuse', code: 2000 });
  assert.deepEqual(await create('ZB-REFUSED'), {
    result: 'refused',
    reason: 'Операция невозможна (2000)',
  });
});

test('wrong credentials make it unavailable, also in the one error that is not signed', async () => {
  assert.deepEqual(await create('ZB-MERCHANT', open({ merchantId: '1' })), {
    result: 'unavailable',
    reason: 'Провайдер не знает мерчанта (9998)',
  });
  // The error about our signature is signed with the real secret, which we do not have.
  assert.equal((await create('ZB-SECRET', open({ secret: 'wrong' }))).result, 'unavailable');
});

test('a provider that fails again and again is not asked for a while', async () => {
  const { provider: guarded, bank: broken } = await rig.openBank();
  broken.plans.add({ does: 'fail', code: 500 });
  for (let i = 0; i < 5; i++) await create('ZB-CIRCUIT', guarded);
  const calls = broken.journal.lines.length;
  const skipped = await create('ZB-CIRCUIT', guarded);
  assert.equal(skipped.result, 'unavailable');
  assert.equal(broken.journal.lines.length, calls);
  assert.ok(rig.log.some((line) => line.includes('circuit opened')));
});

test('only configured providers are open, and none of them in a sandbox', async () => {
  const tools = { log: rig.service.ctx.log, publicUrl: () => publicUrl };
  const values = { ...FREEDOM_PAY, url: bank.url };
  const namesOf = async (config: Parameters<typeof openPayments>[0], isSandbox: boolean) => {
    const { providers, close } = await openPayments(config, { ...tools, isSandbox });
    await close();
    return providers.map(({ name }) => name);
  };
  assert.deepEqual(await namesOf({ 'freedom-pay': values }, false), ['freedom-pay']);
  assert.deepEqual(await namesOf({}, false), []);
  const inSandbox = await namesOf({ 'freedom-pay': values }, true);
  assert.ok(!inSandbox.includes('freedom-pay'));
});

test('the control API of the simulator plays the payer and sends notices', async () => {
  const own = await startFreedomPay(FREEDOM_PAY);
  const adapter = openFreedomPay({ ...FREEDOM_PAY, url: own.url, publicUrl: own.url });
  await create('ZB-CONTROL', adapter);
  const act = (name: string, body: object) =>
    fetch(`${own.url}/_simulator/acts/${name}`, { method: 'POST', body: JSON.stringify(body) });
  const paid = await act('pay', { order: 'ZB-CONTROL', amount: '4000' });
  assert.deepEqual(await paid.json(), { ok: true });
  assert.equal(own.payments[0]?.status, 'success');
  assert.equal(own.payments[0]?.amount, '4000');
  // Nobody listens there; a forged notice is not repeated.
  const sent = await act('notify', { order: 'ZB-CONTROL', isForged: true, copies: 2 });
  assert.deepEqual(await sent.json(), { ok: true, statuses: [404, 404] });
  assert.equal((await act('notify', { order: 'ZB-CONTROL', kind: 'odd' })).status, 400);
  await adapter.close?.();
  await own.close();
});

test('questions keep the pause that the provider asks for, also from a new order', async (t) => {
  const [asked, ordered] = [open(), open()];
  t.after(() => Promise.all([asked.close?.(), ordered.close?.()]));
  // Whoever would have to wait is told at once that the service ends.
  const turn = async (by: typeof provider) => await by.waitForTurn?.(AbortSignal.abort());
  await turn(asked);
  await assert.rejects(turn(asked), { name: 'AbortError' });
  await create('ZB-PAUSE', ordered);
  await assert.rejects(turn(ordered), { name: 'AbortError' });
});
