/** Abuse at the desk: decisions of the pumping guard, pardons, and what is closed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_ABUSE_ENDPOINTS as B } from '@zhiber/contract/admin/abuse.ts';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { blockPerson } from '../../src/accounts/block-person.ts';
import { suspendCompany } from '../../src/company/suspend-company.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { assertBlocked, service, startWithSuspect } from '../delivery/pumping-rig.ts';
import { createAdminClient } from './admin-client.ts';

const cabinet = createCabinetClient(service);
const { as, operator } = createAdminClient(service);
const newestAct = async (who: { cookie: string }) => (await as(who).call(A.audit)).ok().rows[0];

describe('a stream that the guard blocks', () => {
  test('is shown, passes while it is pardoned, and is blocked again afterwards', async () => {
    const who = await operator();
    const { key, node } = await startWithSuspect('block');
    const send = () => node.send(key, service.phone(), 'sms');
    await assertBlocked(await send());
    await node.round();
    const decisions = async () => {
      const query = { company_id: key.companyId };
      return (await as(who).call(B.guardDecisions, { query })).ok().decisions;
    };
    assert.partialDeepStrictEqual(await decisions(), [
      {
        company: { id: key.companyId, name: 'Тест' },
        prefix: '7701',
        verified: 0,
        action: 'blocked',
        pardoned_until: null,
      },
    ]);

    const stream = { company_id: key.companyId, prefix: '7701' };
    const body = { ...stream, hours: 2, reason: 'Клиент показал рассылку' };
    const before = Date.now();
    const { until } = (await as(who).call(B.pardonStream, { body })).ok();
    assert(Math.abs(Date.parse(until) - before - 2 * 3_600_000) < 60_000);
    assert.partialDeepStrictEqual(await newestAct(who), {
      action: 'guard.pardoned',
      object: '+7701',
      company: { id: key.companyId },
      after: { hours: 2, reason: 'Клиент показал рассылку' },
    });
    assert.equal((await decisions())[0]?.pardoned_until, until);
    await node.round();
    assert.equal((await send()).status, 200);
    assert.equal((await send()).status, 200);

    const params = { company_id: key.companyId, prefix: '7701' };
    assert.equal((await as(who).call(B.endPardon, { params })).ok().is_changed, true);
    assert.equal((await as(who).call(B.endPardon, { params })).ok().is_changed, false);
    assert.equal((await newestAct(who))?.action, 'guard.pardon_ended');
    await node.round();
    // One send a minute passes as a probe.
    await send();
    await assertBlocked(await send());
  });

  test('is pardoned for its own prefix and company alone, and not for ever', async () => {
    const who = await operator();
    const { key, node } = await startWithSuspect('block');
    const other = await service.key();
    for (const stream of [
      { company_id: key.companyId, prefix: '7702' },
      { company_id: other.companyId, prefix: '7701' },
    ]) {
      const body = { ...stream, hours: 1, reason: 'проба' };
      (await as(who).call(B.pardonStream, { body })).ok();
    }
    await node.round();
    await assertBlocked(await node.send(key, service.phone(), 'sms'));
    const body = { company_id: key.companyId, prefix: '7701', hours: 1, reason: 'проба' };
    (await as(who).call(B.pardonStream, { body })).ok();
    await service.sql(`update guard_pardon set until = clock_timestamp() - interval '1 second'`);
    await node.round();
    await assertBlocked(await node.send(key, service.phone(), 'sms'));
    assert.deepEqual((await as(who).call(B.closures)).ok().pardons, []);
  });
});

describe('hostile pardons', () => {
  for (const [name, changes] of Object.entries({
    'for more than three days': { hours: 73 },
    'for no time': { hours: 0 },
    'for a part of an hour': { hours: 1.5 },
    'for everybody': { prefix: '' },
    'for a pattern': { prefix: '77%' },
    'without a reason': { reason: '  ' },
  })) {
    test(`${name} are refused`, async () => {
      const who = await operator();
      const companyId = await service.company();
      const body = { company_id: companyId, prefix: '7701', hours: 1, reason: 'да', ...changes };
      (await as(who).call(B.pardonStream, { body })).refused('validation_error');
    });
  }
  test('for a company that does not exist are refused and leave no record', async () => {
    const who = await operator();
    const body = { company_id: 999_999, prefix: '7701', hours: 1, reason: 'да' };
    (await as(who).call(B.pardonStream, { body })).refused('not_found');
    assert.notEqual((await newestAct(who))?.action, 'guard.pardoned');
  });
});

describe('what operators have closed', () => {
  test('a blocked person is listed, and signs in again after an unblock', async () => {
    const who = await operator();
    const person = await cabinet.person();
    const { personId } = person;
    const reason = 'Массовая регистрация';
    assert(await blockPerson(service.ctx, { person: { personId, name: 'Ерлан' }, reason }));
    const blocked = async () =>
      (await as(who).call(B.closures)).ok().people.filter(({ id }) => id === personId);
    assert.partialDeepStrictEqual(await blocked(), [{ id: personId, reason }]);
    const unblock = async (id: string) => {
      const request = { params: { person_id: id }, body: { reason: 'Ошиблись человеком' } };
      return (await as(who).call(B.unblockPerson, request)).ok().is_changed;
    };
    assert.deepEqual([await unblock(personId), await unblock(personId)], [true, false]);
    assert.equal(await unblock("x' or true --"), false);
    assert.deepEqual(await blocked(), []);
    const acts = (await as(who).call(A.audit, { query: { action: 'person.unblocked' } })).ok().rows;
    assert.deepEqual(
      acts.map(({ after }) => after),
      [{ reason: 'Ошиблись человеком' }],
    );
    // The companies of the person see it too; this one has none but that of the installation.
    const logged = await service.sql(`select from audit_record where action = 'member.unblocked'`);
    assert.equal(logged.length, 1);
  });

  test('a host is barred and allowed again, with its reason in the log of operators', async () => {
    const who = await operator();
    const set = async (endpoint: typeof B.barHost | typeof B.unbarHost, host: string) => {
      const body = { host, reason: 'Поддельный банк' };
      return (await as(who).call(endpoint, { body })).ok().is_changed;
    };
    assert.deepEqual(
      [await set(B.barHost, 'EVIL.kz.'), await set(B.barHost, 'evil.kz')],
      [true, false],
    );
    assert.partialDeepStrictEqual((await as(who).call(B.closures)).ok().hosts, [
      { host: 'evil.kz', reason: 'Поддельный банк' },
    ]);
    assert.partialDeepStrictEqual(await newestAct(who), {
      action: 'host.barred',
      object: 'evil.kz',
      after: { reason: 'Поддельный банк' },
    });
    assert.deepEqual(
      [await set(B.unbarHost, 'evil.kz'), await set(B.unbarHost, 'evil.kz')],
      [true, false],
    );
    assert.deepEqual((await as(who).call(B.closures)).ok().hosts, []);
    assert.equal((await newestAct(who))?.action, 'host.unbarred');
    for (const host of ['*.evil.kz', 'https://evil.kz/path', 'a b', '..']) {
      const body = { host, reason: 'да' };
      (await as(who).call(B.barHost, { body })).refused('validation_error');
    }
  });

  test('a suspended company is listed with its reason', async () => {
    const who = await operator();
    const companyId = await service.company();
    await suspendCompany(service.ctx, { companyId, reason: 'Спам' });
    const { companies } = (await as(who).call(B.closures)).ok();
    assert.partialDeepStrictEqual(companies, [{ id: companyId, name: 'Тест', reason: 'Спам' }]);
  });
});
