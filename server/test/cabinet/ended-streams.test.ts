/** Whoever may not read a company any more does not go on reading an open stream of it. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { COMPANY_ENDPOINTS as C, TEAM_ENDPOINTS as T } from '@zhiber/contract/cabinet/company.ts';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { blockPerson } from '../../src/accounts/block-person.ts';
import { lowestIdAt } from '../../src/ids.ts';
import { until, useService } from '../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';

const service = useService();
const strict = useService({ env: { REQUIRE_SECOND_FACTOR: 'owners' } });
const { person, as, proveIdentities } = createCabinetClient(service);

const disconnect = new AbortController();
after(() => disconnect.abort());

const newMessages = () => `/messages/live?after=${lowestIdAt(Date.now())}`;

/** Opens a stream as a page does: that of new messages, unless another is named. */
async function listen({ cookie }: TestPerson, { http } = service, path = newMessages()) {
  if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  const { status, body } = await fetch(`http://127.0.0.1:${port}/cabinet${path}`, {
    headers: { cookie },
    signal: disconnect.signal,
  });
  assert.equal(status, 200);
  const state = { hasEnded: false };
  const read = async () => {
    for await (const _chunk of body ?? []);
    state.hasEnded = true;
  };
  read().catch((error: unknown) => {
    if (!disconnect.signal.aborted) throw error;
  });
  return state;
}

async function createTeam() {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as never;
  const [member, colleague] = [
    await person({ role: 'developer', companyId }),
    await person({ role: 'developer', companyId }),
  ];
  return { owner, member, colleague };
}

/**
 * Does something that ends the stream of the member. That of the colleague, which was opened before
 * it and is checked in the same statement, stays.
 */
async function assertEnds(
  { member, colleague }: { member: TestPerson; colleague: TestPerson },
  act: () => Promise<unknown>,
): Promise<void> {
  const other = await listen(colleague);
  const stream = await listen(member);
  await act();
  await until('the end of the stream', async () => stream.hasEnded);
  assert.equal(other.hasEnded, false);
}

test('the stream of a removed member ends', async () => {
  const team = await createTeam();
  await assertEnds(team, async () => {
    const params = { id: team.member.personId };
    (await as(team.owner).call(T.removeMember, { params })).ok();
  });
});

test('of a member who becomes a viewer only the stream of the virtual phone ends', async () => {
  const { member } = await createTeam();
  const { keyId } = await service.key({ companyId: member.companyId as never, isTest: true });
  const messages = await listen(member);
  const phone = await listen(member, service, `/playground/events?key_id=${keyId}`);
  await service.sql(`update member set role = 'viewer' where person_id = $1`, [member.personId]);
  await until('the end of the stream', async () => phone.hasEnded);
  assert.equal(messages.hasEnded, false);
});

test('the stream of a session that was signed out ends', async () => {
  const team = await createTeam();
  await assertEnds(team, async () => (await as(team.member).call(S.signOut)).ok());
});

for (const [name, change] of [
  ['was not used for half an hour', `seen_at = clock_timestamp() - interval '30 minutes'`],
  ['began twelve hours ago', `created_at = clock_timestamp() - interval '12 hours'`],
] as const) {
  test(`the stream of a session that ${name} ends`, async () => {
    const team = await createTeam();
    const { personId } = team.member;
    await assertEnds(team, () =>
      service.sql(`update session set ${change} where person_id = $1`, [personId]),
    );
  });
}

test('the stream of a blocked person ends', async () => {
  const team = await createTeam();
  const { personId } = team.member;
  await assertEnds(team, () =>
    blockPerson(service.ctx, { person: { personId, name: 'Имя' }, reason: 'жалобы' }),
  );
});

test('the streams of people without a second factor end when it is required', async () => {
  const { owner, member, colleague } = await createTeam();
  await proveIdentities();
  for (const who of [owner, colleague]) {
    const { uri } = (await as(who).call(P.startSecondFactor)).ok();
    const body = { code: createAuthenticator(uri).code() };
    (await as(who).call(P.confirmSecondFactor, { body })).ok();
  }
  await assertEnds({ member, colleague }, async () => {
    (await as(owner).call(C.requireSecondFactor, { body: { is_required: true } })).ok();
  });
});

test('the stream of a manager who becomes an owner ends where owners need a second factor', async () => {
  const manager = await createCabinetClient(strict).person({ role: 'manager' });
  const stream = await listen(manager, strict);
  await strict.sql(`update member set role = 'owner' where person_id = $1`, [manager.personId]);
  await until('the end of the stream', async () => stream.hasEnded);
});
