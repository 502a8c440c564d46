/**
 * A real server process is killed at the worst moments: between storing a notice and answering it,
 * between crediting a payment and recording that, and between sending a refund and recording that.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { FREEDOM_PAY } from '../../../simulators/credentials.ts';
import { openPayments } from '../../src/payments/open-payments.ts';
import type { PaymentProvider } from '../../src/payments/payment.ts';
import { askRefund } from '../../src/topups/refund-payment.ts';
import { bundledProgram } from '../bundled-program.ts';
import { freePort } from '../free-port.ts';
import { until } from '../harness.ts';
import { connectionOf } from '../money/two-nodes.ts';
import { createHome, type Running } from '../start/serve-harness.ts';
import { toDatabaseUrl } from '../test-database.ts';
import { usePayments } from './payment-rig.ts';

const rig = await usePayments();
const { service, bank } = rig;
const home = createHome(
  bundledProgram(path.join(import.meta.dirname, '../crashes/serve-with-simulator.ts')),
);
after(() => home.remove());

const port = await freePort();
const url = `http://127.0.0.1:${port}`;

/** Starts the server, to be killed at a point; and waits until it answers. */
async function start(crashAt = ''): Promise<Running> {
  const running = home.start(['serve'], {
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: toDatabaseUrl(connectionOf(service)),
    RECEIPTS_PORT: '0',
    PROVIDER_URL: 'http://127.0.0.1:1',
    LOG_LEVEL: 'error',
    FREEDOM_PAY_URL: bank.url,
    FREEDOM_PAY_MERCHANT_ID: FREEDOM_PAY.merchantId,
    FREEDOM_PAY_SECRET: FREEDOM_PAY.secret,
    CRASH_AT: crashAt,
  });
  await until('the server answers or has died', async () => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return true;
    return await fetch(`${url}/api/health`).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
  return running;
}

async function waitForKill(running: Running): Promise<void> {
  await running.ended;
  assert.equal(running.child.signalCode, 'SIGKILL', running.err());
}

test('kill -9 between storing, crediting and answering, and between sending a refund and recording it', async () => {
  const companyId = await service.company();
  const { providers, close } = await openPayments(
    { 'freedom-pay': { ...FREEDOM_PAY, url: bank.url } },
    { isSandbox: false, log: service.ctx.log, publicUrl: () => url },
  );
  const reference = await rig.order(companyId, 5_000, {
    provider: providers[0] as PaymentProvider,
  });
  await close();
  bank.pay(reference);
  // Only the notice tells of the payment.
  await service.sql('update payment_order set next_check_at = null');

  const first = await start('store-notice: after');
  assert.deepEqual(await bank.notify(reference, { triesMax: 1 }), [0]);
  await waitForKill(first);
  assert.deepEqual(await rig.outcomesOf(reference), { null: 1 });
  assert.deepEqual(await rig.paymentsOf(reference), []);

  await rig.makeDue();
  await waitForKill(await start('close-notice: before'));
  assert.equal((await rig.paymentsOf(reference)).length, 1);
  assert.deepEqual(await rig.outcomesOf(reference), { null: 1 });

  await rig.makeDue();
  const third = await start('close-refund: before');
  await until('the notice is handled', async () => {
    return (await rig.outcomesOf(reference)).already === 1;
  });
  const [payment] = await service.sql<{ id: string }>(
    'select id from payment where company_id = $1',
    [companyId],
  );
  const paymentId = payment?.id ?? '';
  const wanted = { paymentId, amount: 2_000, reason: 'ошибка', askedBy: null };
  await askRefund(service.ctx, {}, wanted);
  await waitForKill(third);
  const refunds = () => bank.payments.find(({ order }) => order === reference)?.refunds.length;
  assert.equal(refunds(), 1);

  await rig.makeDue();
  const last = await start();
  await until('the refund is recorded', async () => {
    const rows = await service.sql(`select from refund where state = 'done'`);
    return rows.length === 1;
  });
  // The provider repeats the notice that was never answered.
  assert.deepEqual(await bank.notify(reference), [200]);
  assert.equal(refunds(), 1);
  assert.equal((await rig.paymentsOf(reference)).length, 1);
  assert.deepEqual(await rig.moneyOf(companyId), { balance: 50 + 5_000 + 1_000 - 2_000, debt: 0 });
  await rig.assertClean();
  const ended = await last.stop('SIGTERM');
  assert.deepEqual([ended.code, ended.err], [0, '']);
});
