import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_COMPANY_ENDPOINTS as C } from '@zhiber/contract/admin/companies.ts';
import { ADMIN_SESSION_ENDPOINTS as S } from '@zhiber/contract/admin/session.ts';
import { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { openSystemCompany } from '../../src/installation/system-company.ts';
import { askRefund } from '../../src/topups/refund-payment.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createAdminClient, type OperatorWithApp, PASSWORD } from './admin-client.ts';

const service = useService({ env: { CORRECTION_LIMIT: '10000' } });
const cabinet = createCabinetClient(service);
const { as, operator } = createAdminClient(service);

const REASON = 'Сообщения не дошли по нашей вине';
const newRequestId = () => randomBytes(16).toString('hex');
const correct = (
  who: { cookie: string },
  id: CompanyId,
  amount: number,
  request_id = newRequestId(),
) =>
  as(who).call(C.correctBalance, { params: { id }, body: { request_id, amount, reason: REASON } });
const company = async (who: { cookie: string }, id: CompanyId) =>
  (await as(who).call(C.company, { params: { id } })).ok();
const balanceOf = async (id: CompanyId) =>
  (
    await service.sql<{ balance: number }>('select balance from account where company_id = $1', [
      id,
    ])
  )[0]?.balance;
/** Asks for a large correction and returns its id. */
const ask = async (who: OperatorWithApp, id: CompanyId, amount = 10_001) => {
  assert.equal((await correct(who, id, amount)).ok().state, 'waiting');
  return (await company(who, id)).corrections[0]?.id as string;
};
const approve = (who: { cookie: string }, id: string) =>
  as(who).call(C.approveCorrection, { params: { id } });
const decline = (who: { cookie: string }, id: string) =>
  as(who).call(C.declineCorrection, { params: { id } });
const corrections = (id: CompanyId) =>
  service.sql<{ amount: number; reason: string }>(
    `select e.amount, c.reason from entry e join correction c on c.id = e.cause
     where e.company_id = $1 and e.kind = 'correction' order by e.number`,
    [id],
  );

describe('a correction within the limit', () => {
  test('is an entry with a reason at once, in both audit logs', async () => {
    const who = await operator();
    const owner = await cabinet.person({ role: 'owner' });
    const id = owner.companyId as CompanyId;
    assert.equal((await correct(who, id, 10_000)).ok().state, 'applied');
    assert.equal(await balanceOf(id), 10_050);
    assert.deepEqual(await corrections(id), [{ amount: 10_000, reason: REASON }]);
    const [record] = (await cabinet.as(owner).call(AUDIT_ENDPOINTS.audit)).ok().rows;
    assert.partialDeepStrictEqual(record, {
      action: 'balance.corrected',
      after: { amount: 10_000, reason: REASON },
      // The company does not learn where the operator works.
      address: null,
      request_id: null,
    });
    assert.match(record?.person ?? '', /^Оператор \d+$/);
    const [act] = (await as(who).call(A.audit, { query: { company_id: id } })).ok().rows;
    assert.partialDeepStrictEqual(act, {
      action: 'correction.applied',
      company: { id },
      after: { amount: 10_000, reason: REASON },
      address: '127.0.0.1',
    });
    assert.partialDeepStrictEqual((await company(who, id)).corrections, [
      { amount: 10_000, reason: REASON, state: 'applied', decided_by: null, is_own: true },
    ]);
  });

  test('takes at most what is available, and says what that is', async () => {
    const who = await operator();
    const id = await service.company(500);
    await service.sql('update account set held = 120 where company_id = $1', [id]);
    const refusal = (await correct(who, id, -381)).refused('correction_too_large');
    assert.equal(refusal.balance, 380);
    assert.deepEqual(refusal.errors, { amount: ['Доступно 380 ₸'] });
    assert.equal((await correct(who, id, -380)).ok().state, 'applied');
    assert.equal(await balanceOf(id), 120);
    await service.sql('update account set held = 0 where company_id = $1', [id]);
    assert.equal((await company(who, id)).corrections.length, 1);
  });

  test('pays a debt first, so that a company with money can send', async () => {
    const who = await operator();
    const id = await service.company(0);
    await topUp(service.ctx, { companyId: id, amount: 1_000, reference: newRequestId() });
    await correct(who, id, -2_000);
    const [payment] = await service.sql<{ id: string }>(
      'select id from payment where company_id = $1',
      [id],
    );
    const refund = { paymentId: payment?.id ?? '', amount: 1_000, reason: REASON, askedBy: null };
    await askRefund(service.ctx, {}, refund);
    const money = async () =>
      (await service.sql('select balance, debt from account where company_id = $1', [id]))[0];
    assert.deepEqual(await money(), { balance: 0, debt: 2_000 });
    assert.equal((await correct(who, id, 500)).ok().state, 'applied');
    assert.deepEqual(await money(), { balance: 0, debt: 1_500 });
    // A second operator's correction does the same.
    const other = await operator();
    (await approve(other, await ask(who, id))).ok();
    assert.deepEqual(await money(), { balance: 10_001 - 1_500, debt: 0 });
    assert.equal((await correct(who, id, -1)).ok().state, 'applied');
    assert.deepEqual(await money(), { balance: 8_500, debt: 0 });
    const { violations } = await auditIn(service.ctx.db);
    assert.equal(violations.debt_is_not_what_is_owed, 0);
    assert.equal(violations.correction_differs_from_its_entry, 0);
  });

  test('is made once, however often the same request comes', async () => {
    const who = await operator();
    const id = await service.company(0);
    const request = newRequestId();
    const answers = await runConcurrently(5, () => correct(who, id, 700, request));
    for (const answer of answers) assert.equal(answer.ok().state, 'applied');
    assert.equal(await balanceOf(id), 700);
    (await correct(who, id, 701, request)).refused('validation_error');
    (await correct(await operator(), id, 700, request)).refused('validation_error');
    (await correct(who, await service.company(0), 700, request)).refused('validation_error');
    assert.equal(await balanceOf(id), 700);
  });

  test('needs an amount, a reason and a customer', async () => {
    const who = await operator();
    const id = await service.company(100);
    (await correct(who, id, 0)).refused('validation_error');
    const body = { request_id: newRequestId(), amount: 5, reason: '  ' };
    (await as(who).call(C.correctBalance, { params: { id }, body })).refused('validation_error');
    (await correct(who, 999_999 as CompanyId, 5)).refused('not_found');
    (await correct(who, await openSystemCompany(service.ctx), 5)).refused('not_found');
    assert.equal(await balanceOf(id), 100);
  });
});

describe('the limit', () => {
  test('counts what one operator corrects in 24 hours, up and down, in all companies', async () => {
    const who = await operator();
    const [one, two] = [await service.company(9_000), await service.company(0)];
    assert.equal((await correct(who, one, -6_000)).ok().state, 'applied');
    assert.equal((await correct(who, two, 4_001)).ok().state, 'waiting');
    assert.equal((await correct(who, two, 4_000)).ok().state, 'applied');
    assert.equal((await correct(who, two, 1)).ok().state, 'waiting');
    // Another operator has a limit of their own.
    assert.equal((await correct(await operator(), two, 10_000)).ok().state, 'applied');
    await service.sql(
      `update correction_request set asked_at = asked_at - interval '24 hours' where asked_by = $1`,
      [who.personId],
    );
    assert.equal((await correct(who, two, 10_000)).ok().state, 'applied');
  });

  test('is not passed by corrections at the same moment', async () => {
    const who = await operator();
    const ids = await runConcurrently(6, () => service.company(0));
    const answers = await runConcurrently(6, (i) => correct(who, ids[i] as CompanyId, 3_000));
    const states = answers.map((answer) => answer.ok().state).toSorted();
    assert.deepEqual(states, ['applied', 'applied', 'applied', 'waiting', 'waiting', 'waiting']);
  });
});

describe('a correction above the limit', () => {
  test('changes nothing until another operator approves it', async () => {
    const [who, other] = [await operator(), await operator()];
    const id = await service.company(0);
    const correction = await ask(who, id, 10_001);
    assert.equal(await balanceOf(id), 0);
    const { corrections: waiting } = (await as(other).call(C.waitingCorrections)).ok();
    assert.partialDeepStrictEqual(
      waiting.filter((one) => one.id === correction),
      [{ amount: 10_001, state: 'waiting', company: { id, name: 'Тест' }, is_own: false }],
    );
    (await approve(other, correction)).ok();
    assert.equal(await balanceOf(id), 10_001);
    assert.deepEqual(await corrections(id), [{ amount: 10_001, reason: REASON }]);
    assert.partialDeepStrictEqual((await company(who, id)).corrections, [
      { id: correction, state: 'applied', is_own: true },
    ]);
    const acts = (await as(who).call(A.audit, { query: { company_id: id } })).ok().rows;
    assert.deepEqual(
      acts.map(({ action }) => action),
      ['correction.approved', 'correction.asked'],
    );
    (await approve(other, correction)).refused('correction_closed');
    (await decline(other, correction)).refused('correction_closed');
    assert.equal(await balanceOf(id), 10_001);
  });

  test('is never decided by who asked, also in another session', async () => {
    const who = await operator();
    const id = await service.company(0);
    const correction = await ask(who, id);
    (await approve(who, correction)).refused('own_correction');
    (await decline(who, correction)).refused('own_correction');
    const elsewhere = { cookie: '' };
    const typed = { email: who.email, password: PASSWORD };
    (await as(elsewhere).call(S.signIn, { body: typed })).refused('second_factor_required');
    (await as(elsewhere).call(S.signInSecond, { body: { code: who.app.nextCode() } })).ok();
    assert.notEqual(elsewhere.cookie, who.cookie);
    (await approve(elsewhere, correction)).refused('own_correction');
    assert.equal(await balanceOf(id), 0);
  });

  test('is refused by the database itself to who asked', async () => {
    const who = await operator();
    const correction = await ask(who, await service.company(0));
    const byHand = service.sql(
      'update correction_request set decided_by = asked_by, decided_at = clock_timestamp() where id = $1',
      [correction],
    );
    await assert.rejects(byHand, /correction_request_check/);
  });

  test('is applied once when ten operators approve and decline together', async () => {
    const who = await operator();
    const deciders: OperatorWithApp[] = [];
    for (let i = 0; i < 5; i++) deciders.push(await operator());
    const id = await service.company(0);
    const correction = await ask(who, id);
    const answers = await runConcurrently(10, (i) =>
      approve(deciders[i % 5] as OperatorWithApp, correction),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      answer.refused('correction_closed');
    }
    assert.equal(await balanceOf(id), 10_001);
    assert.equal((await corrections(id)).length, 1);

    const second = await ask(who, id, 20_000);
    const mixed = await runConcurrently(10, (i) =>
      (i % 2 === 0 ? approve : decline)(deciders[i % 5] as OperatorWithApp, second),
    );
    assert.equal(mixed.filter(({ status }) => status === 200).length, 1);
    const state = (await company(who, id)).corrections[0]?.state;
    assert.equal(await balanceOf(id), state === 'applied' ? 30_001 : 10_001);
  });

  test('is over after a decline, and after seven days', async () => {
    const [who, other] = [await operator(), await operator()];
    const id = await service.company(0);
    const declined = await ask(who, id);
    (await decline(other, declined)).ok();
    (await approve(other, declined)).refused('correction_closed');
    const late = await ask(who, id);
    const [row] = await service.sql<{ days: number }>(
      `select extract(epoch from expires_at - asked_at)::double precision / 86400 as days
       from correction_request where id = $1`,
      [late],
    );
    assert.equal(Math.round((row?.days ?? 0) * 1_000), 7_000);
    await service.sql(
      `update correction_request set expires_at = clock_timestamp() where id = $1`,
      [late],
    );
    (await approve(other, late)).refused('correction_closed');
    assert.deepEqual(
      (await company(who, id)).corrections.map(({ state }) => state),
      ['expired', 'declined'],
    );
    const { corrections: waiting } = (await as(other).call(C.waitingCorrections)).ok();
    assert(!waiting.some((one) => [declined, late].includes(one.id)));
    assert.equal(await balanceOf(id), 0);
  });

  test('takes only what is available when it is approved, and goes on waiting otherwise', async () => {
    const [who, other] = [await operator(), await operator()];
    const id = await service.company(15_000);
    const correction = await ask(who, id, -15_000);
    assert.equal((await correct(other, id, -1)).ok().state, 'applied');
    const refusal = (await approve(other, correction)).refused('correction_too_large');
    assert.equal(refusal.balance, 14_999);
    assert.equal(
      (await company(who, id)).corrections.find((c) => c.id === correction)?.state,
      'waiting',
    );
    assert.equal((await correct(other, id, 1)).ok().state, 'applied');
    (await approve(other, correction)).ok();
    assert.equal(await balanceOf(id), 0);
  });

  test('has an id that nobody else has', async () => {
    const who = await operator();
    for (const id of ['1', 'x', newId(Date.now())]) (await approve(who, id)).refused('not_found');
  });
});

test('sends and corrections at the same moment never take more than there is', async () => {
  const who = await operator();
  const key = await service.key({ balance: 200, isTest: false, channels: ['sms'] });
  const [sends, answers] = await Promise.all([
    runConcurrently(40, () => service.call('/otp/send', { phone: service.phone() }, key)),
    runConcurrently(20, () => correct(who, key.companyId, -10)),
  ]);
  const sent = sends.filter(({ status }) => status === 200).length;
  const taken = answers.filter(({ status }) => status === 200).length;
  for (const answer of answers) if (answer.status !== 200) answer.refused('correction_too_large');
  const left = await balanceOf(key.companyId);
  assert.equal(left, 200 - 8 * sent - 10 * taken);
  assert((left as number) >= 0);
  const { violations } = await auditIn(service.ctx.db);
  assert.deepEqual(
    Object.entries(violations).filter(([, count]) => count !== 0),
    [],
  );
});
