import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AUDIT_ENDPOINTS,
  COMPANY_ENDPOINTS,
  TEAM_ENDPOINTS,
} from '@zhiber/contract/cabinet/company.ts';
import { countLockWaiters, until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { lettersTo } from './inbox.ts';

const service = useService();
const { person, as, call } = createCabinetClient(service);
const { createCompany, company, changeCompany } = COMPANY_ENDPOINTS;

const BUSINESS_ID = '971240001315';

describe('a company', () => {
  test('is created by a person, who becomes its owner, with a bonus of 50 tokens', async () => {
    const founder = await person();
    const made = await as(founder).call(createCompany, { body: { name: ' ТОО «Ромашка» ' } });
    assert.equal(made.ok().balance, 50);
    const seen = await as(founder).call(company);
    assert.equal(seen.ok().name, 'ТОО «Ромашка»');
    const { members } = (await as(founder).call(TEAM_ENDPOINTS.team)).ok();
    assert.deepEqual(
      members.map(({ role, is_me, contact }) => ({ role, is_me, contact })),
      [{ role: 'owner', is_me: true, contact: founder.phone }],
    );
  });

  test('has the message language of its creation, which cannot be English', async () => {
    const founder = await person();
    const body = { name: 'Екі тіл', language: 'both' } as const;
    (await as(founder).call(createCompany, { body })).ok();
    assert.equal((await as(founder).call(company)).ok().language, 'both');
    const english = { name: 'English', language: 'en' } as never;
    (await as(founder).call(createCompany, { body: english })).refused('validation_error');
  });

  test('gets one bonus per phone, even when several are created concurrently', async () => {
    const founder = await person();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        as({ ...founder }).call(createCompany, { body: { name: `Компания ${i}` } }),
      ),
    );
    const balances = answers.map((answer) => answer.ok().balance);
    assert.deepEqual(balances.toSorted(), [0, 0, 0, 0, 0, 0, 0, 50]);
  });

  test('is the last that a person may create when they own ten, also by concurrent calls', async () => {
    const founder = await person();
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, i) =>
        as({ ...founder }).call(createCompany, { body: { name: `Компания ${i}` } }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 4);
    for (const answer of refused) answer.refused('too_many_companies');
    const owned = 'select company_id as id from member where person_id = $1';
    const companies = await service.sql<{ id: number }>(owned, [founder.personId]);
    assert.equal(companies.length, 10);
    // A company of another owner does not count.
    await service.sql(`update member set role = 'viewer' where company_id = $1`, [
      companies[0]?.id,
    ]);
    (await as(founder).call(createCompany, { body: { name: 'Ещё одна' } })).ok();
    (await as(founder).call(createCompany, { body: { name: 'Лишняя' } })).refused(
      'too_many_companies',
    );
    // Nothing is left of a refused company.
    const named = `select from company where name = 'Лишняя'`;
    assert.deepEqual(await service.sql(named), []);
  });

  test('gets one bonus per business number, even with different founders', async () => {
    const balances = [];
    for (let i = 0; i < 2; i++) {
      const founder = await person();
      const body = { name: 'Одна и та же', business_id: BUSINESS_ID };
      const made = await as(founder).call(createCompany, { body });
      balances.push(made.ok().balance);
    }
    assert.deepEqual(balances, [50, 0]);
  });

  test('refuses a business number whose checksum is wrong', async () => {
    const founder = await person();
    const body = { name: 'Ошибка', business_id: '971240001314' };
    const { errors } = (await as(founder).call(createCompany, { body })).refused(
      'validation_error',
    );
    assert.deepEqual(Object.keys(errors as object), ['business_id']);
  });

  test('is changed by its owner, not by a viewer, with an audit log entry', async () => {
    const owner = await person({ role: 'owner' });
    const facts = {
      ...({ name: 'Новое имя', business_id: null, language: 'kk', brand: ' ' } as const),
      approval_above: 500,
    };
    (await as(owner).call(changeCompany, { body: facts })).ok();
    const { brand, language, approval_above } = (await as(owner).call(company)).ok();
    assert.deepEqual([brand, language, approval_above], [null, 'kk', 500]);
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert.deepEqual(rows[0]?.before, { name: 'Тест', language: 'ru', approvalAbove: null });
    assert.deepEqual(rows[0]?.after, { name: 'Новое имя', language: 'kk', approvalAbove: 500 });
    assert.equal(rows[0]?.address, '127.0.0.1');

    const viewer = await person({ role: 'viewer', companyId: owner.companyId as never });
    (await as(viewer).call(changeCompany, { body: facts })).refused('no_right');
  });
});

describe('an invitation', () => {
  const inviteAs = async (role: 'owner' | 'manager', invited: 'owner' | 'developer') => {
    const inviter = await person({ role });
    const answer = await as(inviter).call(TEAM_ENDPOINTS.invite, { body: { role: invited } });
    return { inviter, answer };
  };
  const readToken = (link: string) => new URL(link).hash.slice(1);

  test('admits one person once in its role', async () => {
    const { inviter, answer } = await inviteAs('owner', 'developer');
    const { link } = answer.ok();
    assert.match(link, /\/invite#[\w-]{43}$/);
    const body = { token: readToken(link) };
    assert.equal((await call(TEAM_ENDPOINTS.readInvitation, { body })).ok().role, 'developer');

    const guests = await Promise.all([person(), person(), person()]);
    const acceptances = await Promise.all(
      guests.map((guest) => as(guest).call(TEAM_ENDPOINTS.acceptInvitation, { body })),
    );
    assert.deepEqual(acceptances.map((answer) => answer.status).toSorted(), [200, 422, 422]);
    const winner = guests[acceptances.findIndex((answer) => answer.status === 200)];
    assert(winner !== undefined);
    // The session of the new member works for the company immediately.
    (await as(winner).call(AUDIT_ENDPOINTS.audit)).refused('no_right');
    const { members } = (await as(inviter).call(TEAM_ENDPOINTS.team)).ok();
    assert.deepEqual(
      members.map((member) => member.role),
      ['owner', 'developer'],
    );
  });

  test('is invalid once withdrawn or expired', async () => {
    const { inviter, answer } = await inviteAs('owner', 'developer');
    const body = { token: readToken(answer.ok().link) };
    const { invitations } = (await as(inviter).call(TEAM_ENDPOINTS.team)).ok();
    const params = { id: invitations[0]?.id as number };
    (await as(inviter).call(TEAM_ENDPOINTS.withdrawInvitation, { params })).ok();
    (await as(inviter).call(TEAM_ENDPOINTS.withdrawInvitation, { params })).refused('not_found');
    (await call(TEAM_ENDPOINTS.readInvitation, { body })).refused('invitation_ended');

    const second = (
      await as(inviter).call(TEAM_ENDPOINTS.invite, { body: { role: 'viewer' } })
    ).ok();
    await service.sql(`update invitation set ends_at = clock_timestamp() where closed_at is null`);
    const late = { token: readToken(second.link) };
    const guest = await person();
    (await as(guest).call(TEAM_ENDPOINTS.acceptInvitation, { body: late })).refused(
      'invitation_ended',
    );
  });

  test('cannot be withdrawn by an owner of another company', async () => {
    const { inviter, answer } = await inviteAs('owner', 'developer');
    const body = { token: readToken(answer.ok().link) };
    const { invitations } = (await as(inviter).call(TEAM_ENDPOINTS.team)).ok();
    const params = { id: invitations[0]?.id as number };
    const stranger = await person({ role: 'owner' });
    (await as(stranger).call(TEAM_ENDPOINTS.withdrawInvitation, { params })).refused('not_found');
    assert.equal((await call(TEAM_ENDPOINTS.readInvitation, { body })).ok().role, 'developer');
  });

  test('to the role of owner can be created only by an owner', async () => {
    (await inviteAs('manager', 'owner')).answer.refused('no_right');
    (await inviteAs('owner', 'owner')).answer.ok();
  });

  test('is also sent by email when an address is given', async () => {
    const inviter = await person({ role: 'owner' });
    const body = { role: 'accountant', email: 'buh@romashka.kz' } as const;
    const { link } = (await as(inviter).call(TEAM_ENDPOINTS.invite, { body })).ok();
    const letter = lettersTo(service, body.email).at(-1);
    assert.equal(letter?.link, link);
  });

  test('is refused when fifty are open', async () => {
    const inviter = await person({ role: 'owner' });
    const answers = [];
    for (let i = 0; i < 51; i++) {
      answers.push(await as(inviter).call(TEAM_ENDPOINTS.invite, { body: { role: 'viewer' } }));
    }
    answers.pop()?.refused('too_many');
    assert(answers.every((answer) => answer.status === 200));
  });

  test('is stored only as a hash of its token', async () => {
    const { answer } = await inviteAs('owner', 'developer');
    const token = readToken(answer.ok().link);
    const rows = await service.sql(
      `select * from invitation where to_jsonb(invitation)::text like $1`,
      [`%${token}%`],
    );
    assert.deepEqual(rows, []);
  });
});

describe('a member', () => {
  const createTeam = async () => {
    const owner = await person({ role: 'owner' });
    const companyId = owner.companyId as never;
    const manager = await person({ role: 'manager', companyId });
    const developer = await person({ role: 'developer', companyId });
    return { owner, manager, developer };
  };

  test('has a new role from the next request on', async () => {
    const { owner, developer } = await createTeam();
    (await as(developer).call(AUDIT_ENDPOINTS.audit)).refused('no_right');
    const params = { id: developer.personId };
    const body = { role: 'manager' } as const;
    (await as(owner).call(TEAM_ENDPOINTS.changeRole, { params, body })).ok();
    (await as(developer).call(AUDIT_ENDPOINTS.audit)).ok();
  });

  test('loses access immediately when removed', async () => {
    const { owner, developer } = await createTeam();
    const params = { id: developer.personId };
    (await as(owner).call(TEAM_ENDPOINTS.removeMember, { params })).ok();
    (await as(developer).call(TEAM_ENDPOINTS.team)).refused('no_company');
    (await as(owner).call(TEAM_ENDPOINTS.removeMember, { params })).refused('not_found');
  });

  test('who is an owner can be changed only by owners', async () => {
    const { owner, manager, developer } = await createTeam();
    const body = { role: 'viewer' } as const;
    const change = TEAM_ENDPOINTS.changeRole;
    (await as(manager).call(change, { params: { id: owner.personId }, body })).refused('no_right');
    (
      await as(manager).call(TEAM_ENDPOINTS.removeMember, { params: { id: owner.personId } })
    ).refused('no_right');
    const raise = { params: { id: developer.personId }, body: { role: 'owner' } as const };
    (await as(manager).call(change, raise)).refused('no_right');
  });

  test('who is an owner cannot leave concurrently with the only other owner', async () => {
    const { owner, developer } = await createTeam();
    const params = { id: developer.personId };
    (await as(owner).call(TEAM_ENDPOINTS.changeRole, { params, body: { role: 'owner' } })).ok();
    // Both requests have passed their checks when the lock on the company is released.
    const leaving = await service.ctx.db
      .transaction(async (tx) => {
        await tx.query('select from company where id = $1 for no key update', [owner.companyId]);
        const answers = [owner, developer].map((each) =>
          as(each).call(TEAM_ENDPOINTS.removeMember, { params: { id: each.personId } }),
        );
        await until(
          'both requests wait for the lock',
          async () => (await countLockWaiters(service.sql)) === answers.length,
        );
        return answers;
      })
      .then((answers) => Promise.all(answers));
    assert.deepEqual(leaving.map((answer) => answer.status).toSorted(), [200, 422]);
    const refused = leaving.find((answer) => answer.status === 422);
    refused?.refused('last_owner');
  });
});
