/** An invitation is worth as much as the right of whoever gave it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEAM_ENDPOINTS as T } from '@zhiber/contract/cabinet/company.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import { useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';

const service = useService();
const { person, as, call } = createCabinetClient(service);

async function createTeam() {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as never;
  const manager = await person({ role: 'manager', companyId });
  return { owner, manager, companyId };
}

async function invite(who: TestPerson, role: Role): Promise<{ token: string }> {
  const { link } = (await as(who).call(T.invite, { body: { role } })).ok();
  return { token: new URL(link).hash.slice(1) };
}

const remove = (who: TestPerson, { personId }: TestPerson) =>
  as(who).call(T.removeMember, { params: { id: personId } });

const accept = (who: TestPerson, body: { token: string }) =>
  as(who).call(T.acceptInvitation, { body });

const openInvitations = async (who: TestPerson) =>
  (await as(who).call(T.team)).ok().invitations.length;

test('a removed manager cannot come back by an invitation of their own', async () => {
  const { owner, manager } = await createTeam();
  const body = await invite(manager, 'manager');
  (await remove(owner, manager)).ok();
  (await accept(manager, body)).refused('invitation_ended');
  (await as(manager).call(T.team)).refused('no_company');
});

test('open invitations of a removed member end for everybody, and those of others stay', async () => {
  const { owner, manager } = await createTeam();
  const [theirs, ours] = [await invite(manager, 'viewer'), await invite(owner, 'viewer')];
  assert.equal(await openInvitations(owner), 2);
  (await remove(owner, manager)).ok();
  assert.equal(await openInvitations(owner), 1);
  (await call(T.readInvitation, { body: theirs })).refused('invitation_ended');
  (await accept(await person(), theirs)).refused('invitation_ended');
  (await accept(await person(), ours)).ok();
});

test('invitations end when their giver loses the right to invite', async () => {
  const { owner, manager } = await createTeam();
  const body = await invite(manager, 'viewer');
  const change = { params: { id: manager.personId }, body: { role: 'developer' as const } };
  (await as(owner).call(T.changeRole, change)).ok();
  assert.equal(await openInvitations(owner), 0);
  (await accept(await person(), body)).refused('invitation_ended');
});

test('an owner who becomes a manager leaves only invitations that a manager may give', async () => {
  const { owner, companyId } = await createTeam();
  const second = await person({ role: 'owner', companyId });
  const [toOwner, toViewer] = [await invite(second, 'owner'), await invite(second, 'viewer')];
  const change = { params: { id: second.personId }, body: { role: 'manager' as const } };
  (await as(owner).call(T.changeRole, change)).ok();
  (await accept(await person(), toOwner)).refused('invitation_ended');
  (await accept(await person(), toViewer)).ok();
});

test('accepting checks the right again, even when an invitation was left open', async () => {
  const { owner, manager } = await createTeam();
  const body = await invite(manager, 'viewer');
  (await remove(owner, manager)).ok();
  // As if the invitation had been written at the very moment of the removal.
  await service.sql('update invitation set closed_at = null');
  (await accept(await person(), body)).refused('invitation_ended');
  const members = (await as(owner).call(T.team)).ok().members;
  assert.deepEqual(
    members.map(({ role }) => role),
    ['owner'],
  );
});

test('accepting gives no role that the giver may no longer give', async () => {
  const { owner, companyId } = await createTeam();
  const second = await person({ role: 'owner', companyId });
  const body = await invite(second, 'owner');
  const change = { params: { id: second.personId }, body: { role: 'manager' as const } };
  (await as(owner).call(T.changeRole, change)).ok();
  await service.sql('update invitation set closed_at = null');
  const guest = await person();
  (await accept(guest, body)).refused('invitation_ended');
  (await as(guest).call(T.team)).refused('no_company');
});

test('an invitation back from somebody who has the right works', async () => {
  const { owner, manager } = await createTeam();
  (await remove(owner, manager)).ok();
  (await accept(manager, await invite(owner, 'viewer'))).ok();
  (await as(manager).call(T.team)).ok();
});
