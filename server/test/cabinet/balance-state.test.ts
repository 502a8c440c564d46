import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALERT_ENDPOINTS } from '@zhiber/contract/cabinet/alerts.ts';
import { ROLES } from '@zhiber/contract/cabinet/rights.ts';
import { judgeBalance } from '../../src/alerts/read-balance-state.ts';
import { insertGroup } from '../../src/groups/group-store.ts';
import { topUp } from '../../src/topups/top-up.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';

const service = useService();
const { person, as } = createCabinetClient(service);

const stateFor = async (who: TestPerson) => (await as(who).call(ALERT_ENDPOINTS.balanceState)).ok();

const send = (key: TestKey, more: object = {}) =>
  service.call('/otp/send', { phone: service.phone(), ...more }, key);

async function refusalsAreLogged(who: TestPerson, count: number) {
  await until(`${count} refusals in the log`, async () => (await stateFor(who)).refused === count);
  return await stateFor(who);
}

/** A company that has spent all but 2 tenge. */
async function createPoorCompany() {
  const key = await service.key({ balance: 8 });
  for (let n = 0; n < 2; n++) assert.equal((await send(key)).status, 200);
  const owner = await person({ companyId: key.companyId, role: 'owner' });
  return { key, owner, companyId: key.companyId };
}

test('a balance that suffices is fine', async () => {
  const owner = await person({ role: 'owner' });
  const { state, available, refused, ask } = await stateFor(owner);
  assert.deepEqual(
    { state, available, refused, ask },
    { state: 'fine', available: 50, refused: 0, ask: [] },
  );
});

test('sends that are refused for money are counted from the first on, until a top-up', async () => {
  const { key, owner, companyId } = await createPoorCompany();
  assert.equal((await stateFor(owner)).state, 'short', 'nothing was refused yet');

  const before = Date.now();
  for (let n = 0; n < 3; n++) assert.equal((await send(key)).status, 402);
  const stopped = await refusalsAreLogged(owner, 3);
  assert.equal(stopped.state, 'stopped');
  assert.equal(stopped.available, 2);
  assert.equal(stopped.cheapest, 3);
  const since = Date.parse(String(stopped.refused_since));
  assert(since >= before - 1_000 && since <= Date.now());

  await topUp(service.ctx, { companyId, amount: 1_000 });
  const fine = await stateFor(owner);
  assert.deepEqual([fine.state, fine.refused, fine.refused_since], ['fine', 0, null]);
});

test('refusals from before the last top-up are not counted again', async () => {
  const { key, owner, companyId } = await createPoorCompany();
  await send(key);
  await refusalsAreLogged(owner, 1);
  await topUp(service.ctx, { companyId, amount: 1_000 });
  // The operator takes the money back by a correction.
  await service.sql(`select post_entry($1, 'correction', -2000, new_id())`, [companyId]);
  const { state, refused } = await stateFor(owner);
  assert.deepEqual([state, refused], ['short', 0]);
});

test('test keys and posts to groups are not refused for an empty balance', async () => {
  const { key, owner, companyId } = await createPoorCompany();
  const testKey = await service.key({ companyId, isTest: true });
  await insertGroup(service.ctx.db, { companyId, channel: 'telegram', name: 'Г', chatId: '-5' });
  const post = await service.call('/group/send', { group: 'Г', text: 'Текст' }, key);
  assert.equal(post.status, 402, 'the company has never paid');
  const magic = await service.call('/otp/send', { phone: '+77000000005' }, testKey);
  assert.equal(magic.status, 402);
  await send(key);
  const { refused } = await refusalsAreLogged(owner, 1);
  assert.equal(refused, 1);
});

test('refusals of other companies are not counted', async () => {
  const [one, other] = [await createPoorCompany(), await createPoorCompany()];
  await send(one.key);
  await refusalsAreLogged(one.owner, 1);
  assert.equal((await stateFor(other.owner)).refused, 0);
});

test('every role but support sees the state, and whom to ask for money', async () => {
  const { key, companyId } = await createPoorCompany();
  await send(key);
  for (const role of ROLES.slice(1)) {
    const member = await person({ companyId, role });
    if (role === 'support') {
      (await as(member).call(ALERT_ENDPOINTS.balanceState)).refused('no_right');
      continue;
    }
    assert.equal((await refusalsAreLogged(member, 1)).state, 'stopped', role);
  }
  const viewer = await person({ companyId, role: 'viewer' });
  const { ask } = await stateFor(viewer);
  const names = await service.sql<{ name: string }>(
    `select p.name from member m join person p on p.id = m.person_id
     where m.company_id = $1 and m.role in ('owner', 'manager', 'accountant') order by m.joined_at`,
    [companyId],
  );
  assert.deepEqual(
    ask,
    names.map(({ name }) => name),
  );
  assert.equal(ask.length, 3);
});

test('a debt stops everything, whatever the balance', async () => {
  const { owner, companyId } = await createPoorCompany();
  await service.sql('update account set debt = 500 where company_id = $1', [companyId]);
  const { state, debt } = await stateFor(owner);
  assert.deepEqual([state, debt], ['owed', 500]);
  await service.sql('update account set debt = 0 where company_id = $1', [companyId]);
});

describe('a balance is judged', () => {
  const prices = { whatsapp: 3, telegram: 3, sms: 8, group: 0 };
  const facts = { balance: 100, held: 0, debt: 0, threshold: null, spent: 0 };
  for (const [what, change, state] of [
    ['with nothing spent', {}, 'fine'],
    ['at exactly the price', { balance: 3 }, 'fine'],
    ['below the cheapest price', { balance: 2 }, 'short'],
    ['without what is held', { held: 98 }, 'short'],
    ['at the threshold', { threshold: 100 }, 'fine'],
    ['below the threshold', { threshold: 101 }, 'low'],
    ['with money for three days', { spent: 233 }, 'fine'],
    ['with money for less than three days', { spent: 280 }, 'low'],
    ['too small for an SMS', { balance: 7, spent: 1 }, 'low'],
    ['with a debt', { debt: 1 }, 'owed'],
  ] as const) {
    test(`${what}: ${state}`, () => {
      assert.equal(judgeBalance({ ...facts, ...change }, prices).state, state);
    });
  }

  test('with free messages it is never short', () => {
    const free = { whatsapp: 0, telegram: 0, sms: 0, group: 0 };
    assert.equal(judgeBalance({ ...facts, balance: 0 }, free).state, 'fine');
  });
});
