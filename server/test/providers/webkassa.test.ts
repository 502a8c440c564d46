import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { WEBKASSA } from '../../../simulators/credentials.ts';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { startWebkassa, type WebkassaSimulator } from '../../../simulators/webkassa.ts';
import { newId } from '../../src/ids.ts';
import type { FiscalRegister, SaleFacts } from '../../src/payments/fiscal.ts';
import { openWebkassa } from '../../src/payments/webkassa.ts';

let simulator: WebkassaSimulator;
let register: FiscalRegister;

before(async () => {
  simulator = await startWebkassa(WEBKASSA);
  register = openWebkassa({ ...WEBKASSA, url: simulator.url });
});
afterEach(() => simulator.plans.clear());
after(async () => {
  await register.close();
  await simulator.close();
});

const newReceipt = (more: { sale?: SaleFacts; vat?: number } = {}) => ({
  id: newId(Date.now()),
  amount: 5_000,
  name: 'Пополнение',
  vat: more.vat ?? null,
  sale: more.sale,
});
type Receipt = ReturnType<typeof newReceipt>;

const send = (receipt: Receipt, ms = 5_000) => register.register(receipt, AbortSignal.timeout(ms));
const takenOf = ({ id }: Receipt) => simulator.journal.taken().filter(({ ref }) => ref === id);

/** What the register was sent for a receipt. */
function sentFor(receipt: Receipt): Record<string, unknown> {
  const [taken] = takenOf(receipt);
  assert(taken?.details !== undefined);
  return taken.details;
}

async function registered(receipt: Receipt) {
  const outcome = await send(receipt);
  assert(outcome.result === 'registered', JSON.stringify(outcome));
  return outcome;
}

test('a sale is registered with its number and its page', async () => {
  const receipt = newReceipt();
  const { facts, url } = await registered(receipt);
  const [taken] = takenOf(receipt);
  assert.deepEqual(facts, {
    number: taken?.id,
    at: '15.11.2026 10:00:00',
    total: 5_000,
    registrationNumber: '010101234567',
    isOffline: false,
  });
  assert.equal(url, `https://consumer.example/?i=${taken?.id}`);
  const { Token, ...sent } = sentFor(receipt);
  assert.equal(typeof Token, 'string');
  assert.deepEqual(sent, {
    CashboxUniqueNumber: 'SWK00000001',
    OperationType: 2,
    Positions: [
      {
        Count: 1,
        Price: 5_000,
        TaxPercent: 0,
        Tax: 0,
        TaxType: 0,
        PositionName: 'Пополнение',
        PositionCode: 'TOPUP',
        UnitCode: 796,
        Discount: 0,
        Markup: 0,
      },
    ],
    Payments: [{ Sum: 5_000, PaymentType: 1 }],
    Change: 0,
    RoundType: 2,
    ExternalCheckNumber: receipt.id,
  });
});

test('a seller that pays VAT has it on the receipt', async () => {
  const receipt = newReceipt({ vat: 16 });
  await registered(receipt);
  const { Positions } = sentFor(receipt);
  assert.partialDeepStrictEqual(Positions, [{ TaxPercent: 16, Tax: 689.66, TaxType: 100 }]);
});

test('a return names the sale that it belongs to', async () => {
  const { facts } = await registered(newReceipt());
  const back = newReceipt({ sale: facts });
  await registered(back);
  const sent = sentFor(back);
  assert.equal(sent.OperationType, 3);
  assert.deepEqual(sent.ReturnBasisDetails, {
    DateTime: '15.11.2026 10:00:00',
    Total: 5_000,
    CheckNumber: facts.number,
    RegistrationNumber: '010101234567',
    IsOffline: false,
  });
});

test('the same receipt again is looked up, and not registered twice', async () => {
  const receipt = newReceipt();
  const first = await registered(receipt);
  const again = await registered(receipt);
  assert.deepEqual(again.facts, first.facts);
  assert.equal(takenOf(receipt).length, 1);
});

test('a receipt of an earlier shift is found there', async () => {
  const receipt = newReceipt();
  const first = await registered(receipt);
  assert.deepEqual(await register.closeShift(AbortSignal.timeout(5_000)), { result: 'closed' });
  assert.deepEqual((await registered(receipt)).facts, first.facts);
});

test('a session that has ended is renewed, and the receipt registered once', async () => {
  await registered(newReceipt());
  simulator.endSessions();
  const receipt = newReceipt();
  await registered(receipt);
  assert.equal(takenOf(receipt).length, 1);
});

test('a shift of more than a day is ended first', async () => {
  await registered(newReceipt());
  simulator.passDay();
  const { hasClosedShift } = await registered(newReceipt());
  assert.equal(hasClosedShift, true);
  assert.equal((await registered(newReceipt())).hasClosedShift, false);
});

test('the end of a shift that has ended already is no failure', async () => {
  const signal = AbortSignal.timeout(5_000);
  await register.closeShift(signal);
  assert.deepEqual(await register.closeShift(signal), { result: 'closed' });
});

const FAILURES: [name: string, plan: Plan, result: 'refused' | 'unclear', reason: RegExp][] = [
  ['not activated', { does: 'refuse', code: 10 }, 'refused', /^Webkassa 10: /],
  ['offline for too long', { does: 'refuse', code: 18 }, 'refused', /^Webkassa 18: /],
  ['silent', { does: 'hang' }, 'unclear', /no answer in time/],
  ['gone before it read', { does: 'reset_before' }, 'unclear', /./],
  ['gone in the middle of its answer', { does: 'reset_during' }, 'unclear', /./],
  ['broken', { does: 'fail', code: 502 }, 'unclear', /^HTTP 502, not readable$/],
  ['answering a page', { does: 'malformed', form: 'html' }, 'unclear', /not readable/],
  ['answering half', { does: 'malformed', form: 'half_json' }, 'unclear', /not readable/],
  ['answering nothing', { does: 'malformed', form: 'empty' }, 'unclear', /not readable/],
];
for (const [name, plan, result, reason] of FAILURES) {
  test(`while the register is ${name}, the receipt is ${result}; later it is registered once`, async () => {
    const receipt = newReceipt();
    simulator.plans.add({ ...plan, to: receipt.id, times: 1 });
    const outcome = await send(receipt, 700);
    assert.equal(outcome.result, result);
    assert.match((outcome as { reason: string }).reason, reason);
    await registered(receipt);
    assert.equal(takenOf(receipt).length, 1);
  });
}

test('a wrong password is refused, and nothing was asked for', async (t) => {
  const stranger = openWebkassa({ ...WEBKASSA, password: 'wrong', url: simulator.url });
  t.after(() => stranger.close());
  const receipt = newReceipt();
  const outcome = await stranger.register(receipt, AbortSignal.timeout(5_000));
  assert.deepEqual(outcome, { result: 'refused', reason: 'Webkassa 1: Ошибка 1' });
  assert.equal(takenOf(receipt).length, 0);
});

test('a register that is not there is refused', async (t) => {
  const nowhere = openWebkassa({ ...WEBKASSA, url: 'http://127.0.0.1:1' });
  t.after(() => nowhere.close());
  const outcome = await nowhere.register(newReceipt(), AbortSignal.timeout(5_000));
  assert.equal(outcome.result, 'refused');
});
