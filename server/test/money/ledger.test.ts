import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCompany } from '../../src/company/create-company.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { runConcurrently } from '../harness.ts';
import { useTwoNodes } from './two-nodes.ts';

const { service, otherCtx } = useTwoNodes();

async function entriesOf(companyId: CompanyId) {
  return await service.sql<{ kind: string; amount: number; balance_after: number }>(
    `select kind::text, amount, balance_after from entry where company_id = $1
     order by created_at, kind`,
    [companyId],
  );
}

test('a new company has exactly 50 tokens, from one entry', async () => {
  const { companyId, balance } = await createCompany(service.ctx, 'Новая');
  assert.equal(balance, 50);
  assert.deepEqual(await entriesOf(companyId), [
    { kind: 'welcome_bonus', amount: 50, balance_after: 50 },
  ]);
});

test('the first top-up brings a bonus of 1,000, the second does not', async () => {
  const { companyId } = await createCompany(service.ctx, 'Новая');
  assert.deepEqual(await topUp(service.ctx, { companyId, amount: 1_000 }), {
    result: 'credited',
    balance: 2_050,
    bonus: 1_000,
    receiptNumber: 1,
  });
  assert.deepEqual(await topUp(service.ctx, { companyId, amount: 5_000 }), {
    result: 'credited',
    balance: 7_050,
    bonus: 0,
    receiptNumber: 2,
  });
  assert.deepEqual(await entriesOf(companyId), [
    { kind: 'welcome_bonus', amount: 50, balance_after: 50 },
    { kind: 'topup', amount: 1_000, balance_after: 1_050 },
    { kind: 'first_topup_bonus', amount: 1_000, balance_after: 2_050 },
    { kind: 'topup', amount: 5_000, balance_after: 7_050 },
  ]);
});

test('20 concurrent first top-ups on two nodes bring one bonus', async () => {
  const { companyId } = await createCompany(service.ctx, 'Спешит');
  const outcomes = await runConcurrently(20, (i) =>
    topUp(i % 2 === 0 ? service.ctx : otherCtx(), { companyId, amount: 1_000 }),
  );
  const bonuses = outcomes.filter(
    (outcome) => outcome.result === 'credited' && outcome.bonus === 1_000,
  );
  assert.equal(bonuses.length, 1);
  const entries = await entriesOf(companyId);
  assert.equal(entries.filter((entry) => entry.kind === 'first_topup_bonus').length, 1);
  assert.equal(entries.filter((entry) => entry.kind === 'topup').length, 20);
  assert.equal((await service.balance(companyId)).balance, 50 + 20_000 + 1_000);
});

test('a top-up below the minimum credits nothing and brings no bonus', async () => {
  const companyId = await service.company();
  for (const amount of [999, 1, 0, -1_000]) {
    assert.deepEqual(await topUp(service.ctx, { companyId, amount }), {
      result: 'too_small',
      min: 1_000,
    });
  }
  assert.equal((await service.balance(companyId)).balance, 50);
});

test('the minimum top-up is configurable', async () => {
  const companyId = await service.company();
  const ctx = { ...service.ctx, config: { ...service.ctx.config, topupMin: 5_000 } };
  assert.equal((await topUp(ctx, { companyId, amount: 4_999 })).result, 'too_small');
  assert.equal((await topUp(ctx, { companyId, amount: 5_000 })).result, 'credited');
});

test('a top-up for a company that does not exist is refused', async () => {
  const companyId = 999_999_999 as CompanyId;
  assert.deepEqual(await topUp(service.ctx, { companyId, amount: 1_000 }), {
    result: 'no_company',
  });
});

test('entries cannot be changed or deleted, not even in their partition', async () => {
  const companyId = await service.company();
  const partitions = await service.sql<{ name: string }>(
    `select distinct tableoid::regclass::text as name from entry where company_id = $1`,
    [companyId],
  );
  const tables = ['entry', ...partitions.map((partition) => partition.name)];
  assert(tables.length > 1);
  for (const table of tables) {
    for (const change of [
      `update ${table} set amount = 1000000 where company_id = $1`,
      `update ${table} set balance_after = 0 where company_id = $1`,
      `delete from ${table} where company_id = $1`,
    ]) {
      await assert.rejects(service.sql(change, [companyId]), /never changed/, change);
    }
  }
  assert.deepEqual(await entriesOf(companyId), [
    { kind: 'welcome_bonus', amount: 50, balance_after: 50 },
  ]);
});

test('the ledger cannot be truncated', async () => {
  const truncating = service.ctx.db.transaction(async (tx) => {
    await tx.query('truncate entry');
    throw new Error('the ledger was truncated');
  });
  await assert.rejects(truncating, /never changed/);
});

test('a second entry with the same cause is refused, and the balance stays', async () => {
  const companyId = await service.company();
  const cause = newId(Date.now());
  const post = () =>
    service.sql('select post_entry($1, $2, $3, $4)', [companyId, 'correction', 10, cause]);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, post));
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.equal(outcome.reason.code, '23505');
  }
  assert.equal((await service.balance(companyId)).balance, 60);
});

test('an entry that would make the balance negative is refused', async () => {
  const companyId = await service.company();
  await assert.rejects(
    service.sql('select post_entry($1, $2, $3, $4)', [
      companyId,
      'correction',
      -51,
      newId(Date.now()),
    ]),
  );
  assert.equal((await service.balance(companyId)).balance, 50);
  assert.equal((await entriesOf(companyId)).length, 1);
});

test('an entry cannot take tokens that are held for a send', async () => {
  const companyId = await service.company();
  await service.sql('update account set held = 8 where company_id = $1', [companyId]);
  const take = (amount: number) =>
    service.sql('select post_entry($1, $2, $3, $4)', [
      companyId,
      'correction',
      -amount,
      newId(Date.now()),
    ]);
  await assert.rejects(take(43));
  await take(42);
  await service.sql('update account set held = 0 where company_id = $1', [companyId]);
});

test('every entry stores the running balance', async () => {
  const key = await service.key();
  await topUp(service.ctx, { companyId: key.companyId, amount: 1_000 });
  const phones = Array.from({ length: 60 }, service.phone);
  await runConcurrently(60, (i) => service.call('/otp/send', { phone: phones[i] }, key));
  const steps = await service.sql<{ balance_after: number; running: number }>(
    `select balance_after, sum(amount) over (order by created_at, balance_after desc) as running
     from entry where company_id = $1 and kind = 'charge' order by created_at`,
    [key.companyId],
  );
  for (const { balance_after, running } of steps) {
    assert.equal(balance_after, 2_050 + Number(running));
  }
  assert.equal((await service.balance(key.companyId)).balance, 2_050 - 180);
});
