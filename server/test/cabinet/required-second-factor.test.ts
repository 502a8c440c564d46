/** Companies that nobody opens without a second factor. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AUDIT_ENDPOINTS,
  COMPANY_ENDPOINTS as C,
  TEAM_ENDPOINTS,
} from '@zhiber/contract/cabinet/company.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { type Belongings, SAMPLES } from './sample-requests.ts';

type Client = ReturnType<typeof createCabinetClient>;

async function connectApp({ as, proveIdentities }: Client, who: TestPerson) {
  await proveIdentities();
  const { uri } = (await as(who).call(P.startSecondFactor)).ok();
  const app = createAuthenticator(uri);
  (await as(who).call(P.confirmSecondFactor, { body: { code: app.code() } })).ok();
  return app;
}

/** Ids that exist nowhere: nobody gets as far as to look for them. */
const NO_BELONGINGS: Belongings = {
  companyId: 1 as never,
  keyId: 1 as never,
  messageId: 'none',
  requestId: 'none',
  slug: 'none',
  groupId: 1,
  invitationId: 1,
  viewId: 1,
  receiptNumber: 1,
  orderId: 'none',
  pastMonth: '2026-01',
  broadcastId: 'none',
  listId: 1,
  listPhone: 'none',
  unsubscribedPhone: 'none',
  memberId: 'nobody',
  templateId: 1,
  endedBroadcastId: 'none',
  broadcastsBy: { asked: 'none', scheduled: 'none', running: 'none', paused: 'none' },
  broadcastName: 'none',
  webhookId: 1,
  eventId: 'none',
};

describe('an owner', () => {
  const service = useService();
  const cabinet = createCabinetClient(service);
  const { person, as } = cabinet;
  const require = (who: TestPerson, isRequired: boolean) =>
    as(who).call(C.requireSecondFactor, { body: { is_required: isRequired } });

  const createTeam = async () => {
    const owner = await person({ role: 'owner' });
    const companyId = owner.companyId as never;
    const member = await person({ role: 'manager', companyId });
    return { owner, member, companyId };
  };

  test('requires it of everybody: without one, a member can do nothing but set it up', async () => {
    const { owner, member } = await createTeam();
    await connectApp(cabinet, owner);
    (await require(owner, true)).ok();
    for (const [name, sample] of Object.entries(SAMPLES)) {
      const endpoint = CABINET_ENDPOINTS[name as keyof typeof SAMPLES];
      const request = (sample as (own: Belongings) => object)(NO_BELONGINGS);
      const answer = await as(member).call(endpoint, request as never);
      // What their role may not do is refused for that reason.
      if (name === 'requireSecondFactor') answer.refused('no_right');
      else answer.refused('second_factor_needed');
    }
    const { company } = (await as(member).call(S.session)).ok();
    assert.equal(company?.needs_second_factor, true);

    await connectApp(cabinet, member);
    (await as(member).call(C.company)).ok();
    const after = (await as(member).call(S.session)).ok();
    assert.equal(after.company?.needs_second_factor, false);
  });

  test('with a second factor is not asked for one', async () => {
    const { owner } = await createTeam();
    await connectApp(cabinet, owner);
    (await require(owner, true)).ok();
    (await as(owner).call(TEAM_ENDPOINTS.team)).ok();
    assert.equal((await as(owner).call(C.company)).ok().requires_second_factor, true);
  });

  test('without one cannot require it, and does not shut everybody out', async () => {
    const { owner, member } = await createTeam();
    (await require(owner, true)).refused('second_factor_needed');
    assert.equal((await as(owner).call(C.company)).ok().requires_second_factor, false);
    (await as(member).call(C.company)).ok();
  });

  test('alone may require it, and the audit log says who did', async () => {
    const { owner, member } = await createTeam();
    await connectApp(cabinet, owner);
    await connectApp(cabinet, member);
    (await require(member, true)).refused('no_right');
    (await require(owner, true)).ok();
    (await require(owner, true)).ok();
    (await require(owner, false)).ok();
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert.deepEqual(
      rows.map(({ action, before, after }) => ({ action, before, after })),
      [
        {
          action: 'company.changed',
          before: { requiresSecondFactor: true },
          after: { requiresSecondFactor: false },
        },
        {
          action: 'company.changed',
          before: { requiresSecondFactor: false },
          after: { requiresSecondFactor: true },
        },
      ],
    );
  });

  test('who disconnects their app is asked for a second factor as everybody is', async () => {
    const { owner } = await createTeam();
    const app = await connectApp(cabinet, owner);
    (await require(owner, true)).ok();
    (await as(owner).call(S.confirmIdentity, { body: { code: app.nextCode() } })).ok();
    (await as(owner).call(P.endSecondFactor)).ok();
    (await as(owner).call(C.company)).refused('second_factor_needed');
    (await require(owner, false)).refused('second_factor_needed');
  });

  test('requires it in one company; the others of a member stay open', async () => {
    const { owner, member } = await createTeam();
    await connectApp(cabinet, owner);
    (await require(owner, true)).ok();
    const own = (await as(member).call(C.createCompany, { body: { name: 'Своя' } })).ok();
    (await as(member).call(C.company)).ok();
    const body = { company_id: owner.companyId as number };
    (await as(member).call(S.switchCompany, { body })).ok();
    (await as(member).call(C.company)).refused('second_factor_needed');
    (await as(member).call(S.switchCompany, { body: { company_id: own.id } })).ok();
    (await as(member).call(C.company)).ok();
  });
});

describe('REQUIRE_SECOND_FACTOR=owners', () => {
  const service = useService({ env: { REQUIRE_SECOND_FACTOR: 'owners' } });
  const cabinet = createCabinetClient(service);
  const { person, as } = cabinet;

  test('closes every company to owners without a second factor, and to nobody else', async () => {
    const owner = await person({ role: 'owner' });
    const manager = await person({ role: 'manager', companyId: owner.companyId as never });
    (await as(owner).call(C.company)).refused('second_factor_needed');
    assert.equal((await as(owner).call(S.session)).ok().company?.needs_second_factor, true);
    (await as(manager).call(C.company)).ok();
    assert.equal((await as(manager).call(S.session)).ok().company?.needs_second_factor, false);

    await connectApp(cabinet, owner);
    (await as(owner).call(C.company)).ok();
  });

  test('meets a manager who becomes an owner', async () => {
    const owner = await person({ role: 'owner' });
    const manager = await person({ role: 'manager', companyId: owner.companyId as never });
    await connectApp(cabinet, owner);
    const change = { params: { id: manager.personId }, body: { role: 'owner' as const } };
    (await as(owner).call(TEAM_ENDPOINTS.changeRole, change)).ok();
    (await as(manager).call(C.company)).refused('second_factor_needed');
  });
});
