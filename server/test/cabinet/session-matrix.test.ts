/**
 * The second table of authorisation, generated from the contract: every change in the cabinet with
 * every session that is over, not complete, or of somebody who has lost the right.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { TEAM_ENDPOINTS as T } from '@zhiber/contract/cabinet/company.ts';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { blockPerson } from '../../src/accounts/block-person.ts';
import { suspendCompany } from '../../src/company/suspend-company.ts';
import type { CompanyId } from '../../src/ids.ts';
import type { PaymentProvider } from '../../src/payments/payment.ts';
import { openTransfer } from '../../src/payments/transfer.ts';
import type { ProblemCode } from '../../src/problem.ts';
import { useService } from '../harness.ts';
import { createAuthenticator } from './authenticator.ts';
import { type Call, createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { createCompanyFixtures } from './company-fixtures.ts';
import { readEmailToken, readNewestCode } from './inbox.ts';
import {
  type Belongings,
  PERSONAL_SAMPLES,
  type PersonalThings,
  SAMPLES,
} from './sample-requests.ts';

const transfer = openTransfer({ iban: 'KZ000000000000000000' }) as PaymentProvider;
const service = useService({ env: { TRUST_PROXY: '127.0.0.1' }, payments: [transfer] });
const client = createCabinetClient(service);
const { person, as, proveIdentities } = client;
const { createBelongings, snapshotCompany, assertUnchanged } = createCompanyFixtures(
  service,
  client,
);

type Own = Belongings & PersonalThings;
type Change = { name: string; endpoint: CabinetEndpoint; sample: (own: Own) => Call<unknown> };

const REQUESTS = { ...SAMPLES, ...PERSONAL_SAMPLES } as Record<string, Change['sample']>;
const CHANGES: Change[] = (Object.entries(CABINET_ENDPOINTS) as [string, CabinetEndpoint][])
  .filter(([, { method, policy }]) => method !== 'GET' && policy !== 'anyone')
  .map(([name, endpoint]) => ({ name, endpoint, sample: REQUESTS[name] as Change['sample'] }));
const OF_COMPANY = CHANGES.filter(({ endpoint }) => endpoint.policy !== 'signed-in');
const PERSONAL = CHANGES.filter(({ endpoint }) => endpoint.policy === 'signed-in');

type Actor = TestPerson & { own: Own; colleague: TestPerson; elsewhere: TestPerson };

let addresses = 0;
/** Limits by network are not the ones looked at here. */
const newAddress = () => {
  addresses += 1;
  return { 'x-forwarded-for': `10.9.${addresses >> 8}.${addresses & 255}` };
};

/** One of two owners of a company, who has everything that the requests refer to. */
async function createActor(): Promise<Actor> {
  await service.sql('delete from sign_in_limit');
  const actor = await person({ role: 'owner' });
  const companyId = actor.companyId as CompanyId;
  const colleague = await person({ role: 'owner', companyId });
  const [other, third] = [await person({ role: 'owner' }), await person({ role: 'owner' })];
  const { phone } = actor;
  const otherCompanyId = other.companyId as CompanyId;
  await service.sql(`insert into member (company_id, person_id, role) values ($1, $2, 'viewer')`, [
    otherCompanyId,
    actor.personId,
  ]);
  await proveIdentities();
  const { uri } = (await as(actor).call(P.startSecondFactor)).ok();
  const { recovery_codes: codes } = (
    await as(actor).call(P.confirmSecondFactor, {
      body: { code: createAuthenticator(uri).code() },
    })
  ).ok();
  const newPhone = service.phone();
  (await as(actor).call(P.sendNewPhoneCode, { body: { phone: newPhone } })).ok();
  const newPhoneCode = readNewestCode(service, newPhone);
  const email = `new-${actor.personId}@example.kz`;
  (await as(actor).call(P.changeEmail, { body: { email } })).ok();
  const { link } = (await as(third).call(T.invite, { body: { role: 'viewer' } })).ok();
  const elsewhere = await person({ phone });
  await service.sql(
    'update session set second_factor_at = clock_timestamp(), company_id = $2 where person_id = $1',
    [actor.personId, companyId],
  );
  const sessions = (await as(actor).call(P.sessions)).ok().sessions;
  const otherSessionId = sessions.find(({ is_this }) => !is_this)?.id as string;
  const passkeyId = `passkey-${actor.personId}`;
  await service.sql(
    `insert into passkey (id, credential_id, person_id, name, public_key, counter)
     values ($1, $1, $2, 'Ноутбук', 'x', 0)`,
    [passkeyId, actor.personId],
  );
  const own: Own = {
    ...(await createBelongings(actor)),
    otherCompanyId,
    invitationToken: new URL(link).hash.slice(1),
    newPhone,
    newPhoneCode,
    unusedPhone: service.phone(),
    emailToken: readEmailToken(service, email),
    otherSessionId,
    passkeyId,
    recoveryCode: codes[0] as string,
  };
  await proveIdentities();
  return { ...actor, own, colleague, elsewhere };
}

/** The log and the use of keys, of API calls alone, written a moment after the call. */
const WRITTEN_LATER = ['request_log', 'key_use'];
let snapshotQuery: Promise<string> | undefined;

async function buildSnapshotQuery(): Promise<string> {
  // When a session was last seen is no change.
  const tables = await service.sql<{ name: string; columns: string }>(
    `select relname as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace and relname <> all ($1)
       and attnum > 0 and not attisdropped and attname <> 'seen_at'
     group by relname`,
    [WRITTEN_LATER],
  );
  const parts = tables.map(
    ({ name, columns }) => `select '${name}' as name,
      count(*) || ' ' || sum(hashtextextended(row(${columns})::text, 0)) as rows from ${name}`,
  );
  return parts.join(' union all ');
}

/** A hash of the rows of every table. */
async function snapshotAll(): Promise<Record<string, string>> {
  snapshotQuery ??= buildSnapshotQuery();
  const text = await snapshotQuery;
  const rows = await service.ctx.db.transaction(async (tx) => {
    // Starting processes to read in parallel takes far longer than reading these few rows.
    await tx.query('set local max_parallel_workers_per_gather = 0');
    return await tx.query<{ name: string; rows: string }>(text);
  });
  return Object.fromEntries(rows.map(({ name, rows: hash }) => [name, hash]));
}

const send = ({ cookie, own }: Actor, { endpoint, sample }: Change) =>
  // A copy of the cookie, so that an answer does not change it.
  as({ cookie }).call(endpoint, { ...sample(own), headers: newAddress() } as never);

test('every change has a request', () => {
  assert(CHANGES.length > 40, String(CHANGES.length));
  assert.deepEqual(
    CHANGES.filter(({ sample }) => sample === undefined).map(({ name }) => name),
    [],
  );
});

/**
 * What the requests get with a session in order. Without this a request that is refused for another
 * reason would prove nothing.
 */
const NOT_OK: Record<string, string> = {
  /** Needs a real device; server/test/browser/cabinet has one. */
  addPasskey: 'passkey_refused',
  /** The app with codes is on already. */
  startSecondFactor: 'validation_error',
  confirmSecondFactor: 'not_found',
  /** No messenger is connected. */
  groupInvitation: 'groups_not_connected',
};

describe('with a session in order', () => {
  for (const change of CHANGES) {
    test(`${change.name} is done`, async () => {
      const actor = await createActor();
      const answer = await send(actor, change);
      const code = answer.status === 200 ? 'ok' : JSON.parse(answer.text).error_code;
      assert.equal(code, NOT_OK[change.name] ?? 'ok', answer.text);
    });
  }
});

type Situation = {
  lose: (actor: Actor) => Promise<unknown>;
  /** The refusal of what belongs to a company, and of a person's own changes. */
  ofCompany: ProblemCode;
  personal: ProblemCode | undefined;
};

const NOT_SIGNED_IN = { ofCompany: 'not_signed_in', personal: 'not_signed_in' } as const;
const setSession = (actor: Actor, change: string) =>
  service.sql(`update session set ${change} where person_id = $1`, [actor.personId]);

const SITUATIONS: Record<string, Situation> = {
  'a session that was signed out': {
    lose: async ({ cookie }) => (await as({ cookie }).call(S.signOut)).ok(),
    ...NOT_SIGNED_IN,
  },
  'a session that was ended elsewhere': {
    lose: async ({ elsewhere }) => (await as(elsewhere).call(P.endOtherSessions)).ok(),
    ...NOT_SIGNED_IN,
  },
  'a session that nobody used for 30 minutes': {
    lose: (actor) => setSession(actor, `seen_at = seen_at - interval '30 minutes'`),
    ...NOT_SIGNED_IN,
  },
  'a session of 12 hours': {
    lose: (actor) => setSession(actor, `created_at = created_at - interval '12 hours'`),
    ...NOT_SIGNED_IN,
  },
  'half a session, after the first step': {
    lose: (actor) => setSession(actor, 'second_factor_at = null'),
    ...NOT_SIGNED_IN,
  },
  'the session of a blocked person': {
    lose: ({ personId }) =>
      blockPerson(service.ctx, { person: { personId, name: 'Имя' }, reason: 'жалобы' }),
    ...NOT_SIGNED_IN,
  },
  'a session that outlived the block of its person': {
    lose: ({ personId }) =>
      service.sql(
        `update person set blocked_at = clock_timestamp(), blocked_because = 'жалобы' where id = $1`,
        [personId],
      ),
    ...NOT_SIGNED_IN,
  },
  'the session of a removed member': {
    lose: async ({ personId, colleague }) =>
      (await as(colleague).call(T.removeMember, { params: { id: personId } })).ok(),
    ofCompany: 'no_company',
    personal: undefined,
  },
  'a session in a suspended company': {
    lose: ({ own: { companyId } }) => suspendCompany(service.ctx, { companyId, reason: 'Жалобы' }),
    ofCompany: 'company_suspended',
    personal: undefined,
  },
};

for (const [name, { lose, ofCompany, personal }] of Object.entries(SITUATIONS)) {
  describe(`with ${name}`, () => {
    let actor: Actor;
    let unchanged: Record<string, string>;
    before(async () => {
      actor = await createActor();
      await lose(actor);
      unchanged = await snapshotAll();
    });
    const refused = personal === undefined ? OF_COMPANY : CHANGES;
    for (const change of refused) {
      test(`${change.name} is refused`, async () => {
        const isPersonal = PERSONAL.includes(change);
        (await send(actor, change)).refused((isPersonal ? personal : ofCompany) as never);
      });
    }
    // Of a change that another takes back, the audit log keeps both.
    test('nothing has changed', async () => {
      const now = await snapshotAll();
      const changed = Object.keys(now).filter((table) => now[table] !== unchanged[table]);
      assert.deepEqual(changed, []);
    });
  });
}

/** Why these work for somebody who has lost a company, or whose company is suspended. */
const OWN_ACCOUNT: Record<keyof typeof PERSONAL_SAMPLES, string> = {
  signOut: 'anybody may leave',
  confirmIdentity: 'the identity is not of a company',
  startPasskeyProof: 'as above',
  sendIdentityCode: 'as above',
  switchCompany: 'leads to the other companies of the person',
  changeProfile: 'the account is their own',
  changePassword: 'as above',
  changeEmail: 'as above',
  confirmNewEmail: 'as above',
  sendNewPhoneCode: 'as above',
  changePhone: 'as above',
  startSecondFactor: 'as above',
  confirmSecondFactor: 'as above',
  endSecondFactor: 'as above',
  startPasskey: 'as above',
  addPasskey: 'as above',
  renamePasskey: 'as above',
  removePasskey: 'as above',
  endSession: 'as above',
  endOtherSessions: 'as above',
  createCompany: 'a company of their own',
  acceptInvitation: 'of another company, which invited them',
};

for (const [name, { lose, personal }] of Object.entries(SITUATIONS)) {
  if (personal !== undefined) continue;
  describe(`with ${name}, of one's own account`, () => {
    for (const change of PERSONAL) {
      const reason = OWN_ACCOUNT[change.name as keyof typeof OWN_ACCOUNT];
      test(`${change.name} is done (${reason}), and the company stays as it is`, async () => {
        const actor = await createActor();
        await lose(actor);
        const before = await snapshotCompany(actor.own.companyId);
        const answer = await send(actor, change);
        const code = answer.status === 200 ? 'ok' : JSON.parse(answer.text).error_code;
        assert.equal(code, NOT_OK[change.name] ?? 'ok', answer.text);
        await assertUnchanged(actor.own.companyId, before);
      });
    }

    test('nothing of it leads back into the company', async () => {
      const actor = await createActor();
      const { link } = (await as(actor).call(T.invite, { body: { role: 'owner' } })).ok();
      await lose(actor);
      const { companyId } = actor.own;
      const before = await snapshotCompany(companyId);
      const token = new URL(link).hash.slice(1);
      const accepted = await as(actor).call(T.acceptInvitation, { body: { token } });
      assert(accepted.status >= 400, accepted.text);
      await as(actor).call(S.switchCompany, { body: { company_id: companyId } });
      for (const change of OF_COMPANY) assert((await send(actor, change)).status >= 400);
      await assertUnchanged(companyId, before);
    });
  });
}
