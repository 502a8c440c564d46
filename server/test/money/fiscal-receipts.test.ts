import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { WEBKASSA } from '../../../simulators/credentials.ts';
import { startWebkassa, type WebkassaSimulator } from '../../../simulators/webkassa.ts';
import type { CompanyId } from '../../src/ids.ts';
import { openRegister } from '../../src/papers/fiscal-store.ts';
import {
  listStuckReceipts,
  registerNext,
  retryFiscalReceipt,
} from '../../src/papers/register-receipts.ts';
import type { FiscalRegister } from '../../src/payments/fiscal.ts';
import { openFiscalRegister } from '../../src/payments/open-fiscal.ts';
import { openWebkassa } from '../../src/payments/webkassa.ts';
import { creditPayment } from '../../src/topups/credit-payment.ts';
import type { Payment } from '../../src/topups/payment-store.ts';
import { askRefund, settleRefund } from '../../src/topups/refund-payment.ts';
import { runConcurrently, until, useService } from '../harness.ts';
import { readTestServer } from '../test-database.ts';

const service = useService();
let simulator: WebkassaSimulator;
let register: FiscalRegister;

before(async () => {
  simulator = await startWebkassa(WEBKASSA);
  register = openWebkassa({ ...WEBKASSA, url: simulator.url });
});
afterEach(async () => {
  simulator.plans.clear();
  await service.sql('delete from fiscal_receipt');
});
after(async () => {
  await register.close();
  await simulator.close();
});

let payments = 0;
async function pay(companyId: CompanyId, amount = 5_000): Promise<Payment> {
  payments += 1;
  const outcome = await creditPayment(
    service.ctx,
    {},
    {
      companyId,
      provider: 'kaspi',
      providerPaymentId: `fiscal-${payments}`,
      amount,
      paidAt: new Date(),
    },
  );
  assert(outcome.result === 'credited');
  return outcome.payment;
}

/** A payment since the register was connected. */
async function payWithRegister(amount?: number): Promise<Payment> {
  await openRegister(service.ctx.db, 'webkassa');
  return await pay(await service.company(), amount);
}

const round = (callMsMax = 5_000) => registerNext(service.ctx, register, { callMsMax });

async function registerAll(): Promise<void> {
  while (await round());
}

type Row = {
  state: string;
  tries: number;
  error: string | null;
  number: string | null;
  url: string | null;
  wait: number | null;
};
async function rowOf(id: string): Promise<Row | undefined> {
  const rows = await service.sql<Row>(
    `select state::text, tries, error, number, url,
       round(extract(epoch from next_try_at - clock_timestamp()))::integer as wait
     from fiscal_receipt where id = $1`,
    [id],
  );
  return rows[0];
}

const makeDue = () =>
  service.sql(
    'update fiscal_receipt set next_try_at = clock_timestamp() where next_try_at is not null',
  );
const endLeases = () => service.sql('update fiscal_register set leased_until = clock_timestamp()');
const takenOf = (id: string) => simulator.journal.taken().filter(({ ref }) => ref === id);

test('payments from before the register was connected have no receipt', async () => {
  const earlier = await pay(await service.company());
  await openRegister(service.ctx.db, 'webkassa');
  const later = await pay(await service.company());
  // A second start changes nothing.
  await openRegister(service.ctx.db, 'webkassa');
  await registerAll();
  assert.equal(await rowOf(earlier.id), undefined);
  assert.equal((await rowOf(later.id))?.state, 'registered');
});

test('a payment is registered once under its own id, with its number and page', async () => {
  const payment = await payWithRegister(7_000);
  await registerAll();
  await registerAll();
  const [taken, ...others] = takenOf(payment.id);
  assert.deepEqual([taken?.text, others], ['sale 7000', []]);
  const row = await rowOf(payment.id);
  assert.deepEqual(
    [row?.state, row?.number, row?.url, row?.tries, row?.error],
    ['registered', taken?.id, `https://consumer.example/?i=${taken?.id}`, 1, null],
  );
});

test('20 payments are registered by ten rounds at once, each once, one operation at a time', async () => {
  const made = [];
  for (let i = 0; i < 20; i++) made.push(await payWithRegister(1_000 + i));
  let [inside, insideMax] = [0, 0];
  const counting: FiscalRegister = {
    ...register,
    async register(...args) {
      inside += 1;
      insideMax = Math.max(insideMax, inside);
      try {
        return await register.register(...args);
      } finally {
        inside -= 1;
      }
    },
  };
  await until('all are registered', async () => {
    await runConcurrently(10, () => registerNext(service.ctx, counting));
    const [row] = await service.sql<{ left: number }>(
      `select count(*)::integer as left from fiscal_receipt where state <> 'registered'`,
    );
    return row?.left === 0;
  });
  assert.equal(insideMax, 1);
  for (const { id } of made) assert.equal(takenOf(id).length, 1);
});

test('a refund that the bank has made becomes a return of its sale', async () => {
  const payment = await payWithRegister();
  await registerAll();
  const asked = await askRefund(
    service.ctx,
    {},
    {
      paymentId: payment.id,
      amount: 2_000,
      reason: 'ошибка',
      askedBy: null,
    },
  );
  assert(asked.result === 'asked');
  const { id } = asked.refund;
  await registerAll();
  assert.equal(await rowOf(id), undefined);
  await settleRefund(service.ctx, {}, id, { result: 'done', providerRefundId: 'r' });
  await registerAll();
  await registerAll();
  const [back, ...others] = takenOf(id);
  assert.deepEqual([back?.text, others], ['return 2000', []]);
  assert.partialDeepStrictEqual(back?.details, {
    ReturnBasisDetails: { CheckNumber: (await rowOf(payment.id))?.number },
  });
});

test('a return waits until its sale is registered', async () => {
  const payment = await payWithRegister();
  const asked = await askRefund(
    service.ctx,
    {},
    {
      paymentId: payment.id,
      amount: 5_000,
      reason: 'ошибка',
      askedBy: null,
    },
  );
  assert(asked.result === 'asked');
  const { id } = asked.refund;
  await settleRefund(service.ctx, {}, id, { result: 'done', providerRefundId: 'r' });
  simulator.plans.add({ to: payment.id, times: 1, does: 'refuse', code: 10 });
  await registerAll();
  assert.equal(takenOf(id).length, 0);
  await makeDue();
  await registerAll();
  assert.deepEqual([takenOf(payment.id).length, takenOf(id).length], [1, 1]);
});

test('a register that refuses never blocks a credit, and is tried again with growing pauses', async () => {
  const payment = await payWithRegister();
  assert.equal((await service.balance(payment.company_id)).balance, 6_050);
  simulator.plans.add({ to: payment.id, does: 'refuse', code: 10 });
  const waits = [];
  for (let tries = 1; tries <= 10; tries++) {
    await makeDue();
    await registerAll();
    const row = await rowOf(payment.id);
    assert.deepEqual([row?.tries, row?.error], [tries, 'Webkassa 10: Ошибка 10']);
    waits.push(row?.wait);
  }
  assert.deepEqual(waits, [30, 60, 300, 900, 3600, 10800, 21600, 43200, 86400, null]);
  assert.equal((await rowOf(payment.id))?.state, 'failed');

  const [stuck] = await listStuckReceipts(service.ctx);
  assert.deepEqual(
    [stuck?.payment_id, stuck?.receipt_number, stuck?.state, stuck?.error],
    [payment.id, payment.receipt_number, 'failed', 'Webkassa 10: Ошибка 10'],
  );
  simulator.plans.clear();
  await registerAll();
  assert.equal((await rowOf(payment.id))?.state, 'failed');
  assert.equal(await retryFiscalReceipt(service.ctx, payment.id), true);
  await registerAll();
  assert.equal((await rowOf(payment.id))?.state, 'registered');
  assert.deepEqual(await listStuckReceipts(service.ctx), []);
  assert.equal(await retryFiscalReceipt(service.ctx, payment.id), false);
});

test('a receipt without an answer is found again, and not registered twice', async () => {
  const payment = await payWithRegister();
  simulator.plans.add({ to: payment.id, times: 1, does: 'hang' });
  await round(700);
  assert.equal((await rowOf(payment.id))?.state, 'waiting');
  await makeDue();
  await registerAll();
  assert.equal((await rowOf(payment.id))?.state, 'registered');
  assert.equal(takenOf(payment.id).length, 1);
});

describe('a shift', () => {
  const shift = async () =>
    (
      await service.sql<{ hours: number | null }>(
        `select round(extract(epoch from clock_timestamp() - shift_since) / 3600)::integer as hours
         from fiscal_register`,
      )
    )[0]?.hours;
  const zReports = () =>
    simulator.journal.lines.filter((line) => line.event === 'act' && line.name === 'Z-report')
      .length;
  const age = (hours: number) =>
    service.sql(
      `update fiscal_register set shift_since = clock_timestamp() - make_interval(hours => $1)`,
      [hours],
    );

  test('is ended before it lasts a day, though nobody pays', async () => {
    await payWithRegister();
    await registerAll();
    assert.equal(await shift(), 0);
    await age(22);
    const before = zReports();
    await round();
    assert.deepEqual([zReports(), await shift()], [before, 22]);
    await age(23);
    await round();
    assert.deepEqual([zReports(), await shift()], [before + 1, null]);
    await round();
    assert.equal(zReports(), before + 1);
  });

  test('that has lasted too long is ended when the register says so', async () => {
    await payWithRegister();
    await registerAll();
    await age(20);
    simulator.passDay();
    const payment = await payWithRegister();
    await registerAll();
    assert.equal(takenOf(payment.id).length, 1);
    assert.equal(await shift(), 0);
  });
});

test('kill -9 after the register has taken a receipt: the next process finds it, and there is one', async (t) => {
  const payment = await payWithRegister();
  simulator.plans.add({ to: payment.id, times: 1, does: 'hang' });
  const program = path.join(import.meta.dirname, 'fiscal-round.ts');
  const [row] = await service.sql<{ database: string }>('select current_database() as database');
  const connection = JSON.stringify({ ...readTestServer(), ...row });
  const child = spawn(process.execPath, [program, connection, simulator.url], { stdio: 'inherit' });
  t.after(() => child.kill('SIGKILL'));
  await until('the register has it', async () => takenOf(payment.id).length === 1);
  child.kill('SIGKILL');
  await once(child, 'exit');

  // The dead process still has the register.
  assert.equal(await round(), false);
  assert.equal((await rowOf(payment.id))?.state, 'waiting');
  await endLeases();
  await makeDue();
  await registerAll();
  assert.equal((await rowOf(payment.id))?.state, 'registered');
  assert.equal(takenOf(payment.id).length, 1);
});

test('a sandbox registers nothing, whatever is configured', () => {
  const webkassa = { ...WEBKASSA, url: simulator.url };
  assert.equal(openFiscalRegister({ webkassa }, { isSandbox: true }), undefined);
  assert.equal(openFiscalRegister({}, { isSandbox: false }), undefined);
});
