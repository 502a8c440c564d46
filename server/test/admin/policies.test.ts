/**
 * Authorisation tests of the operator's desk, generated from its contract: every endpoint with every
 * session that must not open it.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { ADMIN_COMPANY_ENDPOINTS as C } from '@zhiber/contract/admin/companies.ts';
import type { AdminEndpoint } from '@zhiber/contract/admin/endpoint.ts';
import { ADMIN_ENDPOINTS } from '@zhiber/contract/admin/endpoints.ts';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { ROLES } from '@zhiber/contract/cabinet/rights.ts';
import { blockPerson } from '../../src/accounts/block-person.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import { removeOperator } from '../../src/operators/manage-operators.ts';
import type { ProblemCode } from '../../src/problem.ts';
import { type Call, createCabinetClient, readSetCookie } from '../cabinet/cabinet-client.ts';
import { useService } from '../harness.ts';
import { createAdminClient, type OperatorWithApp, type TestOperator } from './admin-client.ts';
import {
  type GuardedName,
  NO_THINGS,
  REFUSED_SAMPLES,
  SAMPLES,
  type Things,
} from './sample-requests.ts';

const service = useService();
const cabinet = createCabinetClient(service);
const { as, call, operator, halfOperator } = createAdminClient(service);

type Row = { name: string; endpoint: AdminEndpoint; sample: (things: Things) => Call<unknown> };
const ALL = Object.entries(ADMIN_ENDPOINTS) as [string, AdminEndpoint][];
const GUARDED: Row[] = Object.entries(SAMPLES).map(([name, sample]) => ({
  name,
  endpoint: ADMIN_ENDPOINTS[name as keyof typeof ADMIN_ENDPOINTS],
  sample: sample as Row['sample'],
}));

/** One query that hashes the rows of every table, to see whether anything has changed. */
async function snapshot(): Promise<Record<string, string>> {
  const tables = await service.sql<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace`,
  );
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as rows from ${name} t`,
  );
  const rows = await service.sql<{ name: string; rows: string }>(parts.join(' union all '));
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}

async function assertUnchanged(before: Record<string, string>): Promise<void> {
  const now = await snapshot();
  const changed = Object.keys(now).filter((name) => now[name] !== before[name]);
  assert.deepEqual(changed, []);
}

test('every endpoint of the desk is a route, and no route is registered in another way', () => {
  const missing = ALL.filter(
    ([, { method, path }]) => !service.http.hasRoute({ method, url: `/admin/api${path}` }),
  );
  assert.deepEqual(missing, []);
  const folder = path.join(import.meta.dirname, '../../src/http/admin');
  const registering = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    return [...text.matchAll(/\.(?:route|get|post|put|delete|all)\(\s*[{'"`].*/g)].map(
      ([found]) => `${file} ${found}`,
    );
  });
  // Any other address below the endpoints is not found.
  assert.deepEqual(registering.toSorted(), [
    'endpoint.ts .route({',
    "routes.ts .all('/*', async () => {",
  ]);
});

/**
 * Written a second time by hand: the tests below are generated from the contract, so they would
 * follow a policy that was loosened by mistake. All other endpoints are open to any operator.
 */
const BEFORE_SIGN_IN = [
  'readWelcome',
  'secondFactors',
  'signIn',
  'signInByPasskey',
  'signInSecond',
  'signInSecondByPasskey',
  'signOut',
  'startPasskeySecondStep',
  'startPasskeySignIn',
  'welcome',
];
const WITHOUT_SECOND_FACTOR = [
  'addPasskey',
  'confirmSecondFactor',
  'startPasskey',
  'startSecondFactor',
];
const ASKS_AGAIN = [
  'approveCorrection',
  'barHost',
  'changeKeyLimits',
  'chooseSenderName',
  'confirmOrder',
  'correctBalance',
  'importStatement',
  'matchLine',
  'pardonStream',
  'publishIncident',
  'refundPayment',
  'resumeCompany',
  'retryWork',
  'setCompanyPrice',
  'setPrice',
  'settleRefund',
  'suspendCompany',
  'unbarHost',
  'unblockPerson',
  'viewCompany',
  'withdrawCompanyPrice',
  'withdrawPrice',
];

test('every endpoint of the desk is open to whom these lists say, and asks again where they say', () => {
  const named = (is: (endpoint: AdminEndpoint) => boolean) =>
    ALL.flatMap(([name, endpoint]) => (is(endpoint) ? [name] : [])).toSorted();
  assert.deepEqual(
    named(({ policy }) => policy === 'anyone'),
    BEFORE_SIGN_IN,
  );
  assert.deepEqual(
    named(({ policy }) => policy === 'half'),
    WITHOUT_SECOND_FACTOR,
  );
  assert.deepEqual(
    named(({ needsProof }) => needsProof === true),
    ASKS_AGAIN,
  );
});

test('an unknown endpoint is not answered with a page', async () => {
  const answer = await service.http.inject({ url: '/admin/api/nothing' });
  assert.equal(answer.statusCode, 404);
  assert.equal(answer.json().error_code, 'not_found');
});

test('nothing of the desk may be stored by a browser or a proxy', async () => {
  const owner = await operator();
  for (const { endpoint, sample } of GUARDED) {
    const request = sample({ ...NO_THINGS, recoveryCode: owner.recoveryCodes[0] as string });
    const answer = await as(owner).call(endpoint, request as never);
    assert.equal(answer.headers['cache-control'], 'no-store', endpoint.path);
  }
});

type Situation = {
  /** The cookies of the request. */
  enter: () => Promise<{ cookie: string }>;
  refusal: (endpoint: AdminEndpoint) => ProblemCode | undefined;
};
const always = (code: ProblemCode) => () => code;
const NOT_SIGNED_IN = always('not_signed_in');
const change = async <Who extends TestOperator>(
  who: Promise<Who>,
  lose: (who: Who) => Promise<unknown>,
) => {
  const found = await who;
  await lose(found);
  return found;
};
const setSession = (text: string) => (who: TestOperator) =>
  service.sql(`update operator_session set ${text} where person_id = $1`, [who.personId]);

/** Every endpoint with each of these is refused, and nothing changes. */
const SITUATIONS: Record<string, Situation> = {
  'no session': { enter: async () => ({ cookie: '' }), refusal: NOT_SIGNED_IN },
  'a token that is no token': {
    enter: async () => ({ cookie: `zhiber-admin=${'a'.repeat(43)}` }),
    refusal: NOT_SIGNED_IN,
  },
  ...Object.fromEntries(
    ROLES.map((role) => [
      `the cabinet session of a member in the role of ${role}`,
      { enter: () => cabinet.person({ role }), refusal: NOT_SIGNED_IN },
    ]),
  ),
  'the token of a cabinet session under the name of the desk': {
    enter: async () => {
      const { cookie } = await cabinet.person({ role: 'owner' });
      return { cookie: cookie.replace(/^zhiber=/, 'zhiber-admin=') };
    },
    refusal: NOT_SIGNED_IN,
  },
  'the cabinet session of an operator': {
    enter: async () => cabinetSessionOf(await operator()),
    refusal: NOT_SIGNED_IN,
  },
  'a session without a second factor': {
    enter: halfOperator,
    refusal: ({ policy }) => (policy === 'half' ? undefined : 'second_factor_needed'),
  },
  'a session that has not used the second factor its person has': {
    enter: () => change(operator(), setSession('proven_at = null')),
    refusal: always('second_factor_required'),
  },
  'a session whose person has lost the second factor': {
    enter: () =>
      change(operator(), ({ personId }) =>
        service.sql('delete from second_factor where person_id = $1', [personId]),
      ),
    refusal: ({ policy }) => (policy === 'half' ? undefined : 'second_factor_needed'),
  },
  'a session that has ended': {
    enter: () =>
      change(operator(), setSession("ends_at = clock_timestamp() - interval '1 second'")),
    refusal: NOT_SIGNED_IN,
  },
  'a session that nobody has used for an hour': {
    enter: () =>
      change(operator(), setSession("seen_at = clock_timestamp() - interval '61 minutes'")),
    refusal: NOT_SIGNED_IN,
  },
  'a half session that has waited for half an hour': {
    enter: () =>
      change(halfOperator(), setSession("created_at = clock_timestamp() - interval '31 minutes'")),
    refusal: NOT_SIGNED_IN,
  },
  'the session of a removed operator': {
    enter: () => change(operator(), ({ email }) => removeOperator(service.ctx, {}, { email })),
    refusal: NOT_SIGNED_IN,
  },
  'a session that outlived the removal of its operator': {
    enter: () =>
      change(operator(), ({ personId }) =>
        service.sql('update operator set removed_at = clock_timestamp() where person_id = $1', [
          personId,
        ]),
      ),
    refusal: NOT_SIGNED_IN,
  },
  'a session of somebody who has not used the welcome link': {
    enter: () =>
      change(operator(), ({ personId }) =>
        service.sql('update operator set joined_at = null where person_id = $1', [personId]),
      ),
    refusal: NOT_SIGNED_IN,
  },
  'the session of a blocked person': {
    enter: () =>
      change(operator(), ({ personId }) =>
        blockPerson(service.ctx, { person: { personId, name: 'Имя' }, reason: 'жалобы' }),
      ),
    refusal: NOT_SIGNED_IN,
  },
  'a session that outlived the block of its person': {
    enter: () =>
      change(operator(), ({ personId }) =>
        service.sql(
          `update person set blocked_at = clock_timestamp(), blocked_because = 'жалобы' where id = $1`,
          [personId],
        ),
      ),
    refusal: NOT_SIGNED_IN,
  },
};

for (const [name, { enter, refusal }] of Object.entries(SITUATIONS)) {
  describe(`with ${name}`, () => {
    let who: { cookie: string };
    let unchanged: Record<string, string>;
    before(async () => {
      const { cookie } = await enter();
      who = { cookie };
      unchanged = await snapshot();
    });
    for (const { name: endpointName, endpoint, sample } of GUARDED) {
      const code = refusal(endpoint);
      if (code === undefined) continue;
      test(`${endpointName} is refused`, async () => {
        const request = sample(NO_THINGS);
        (await as(who).call(endpoint, request as never)).refused(code);
      });
    }
    test('nothing has changed', () => assertUnchanged(unchanged));
  });
}

describe('with a complete session', () => {
  let who: OperatorWithApp;
  let things: Things;
  before(async () => {
    who = await operator();
    things = await createThings(who);
    // The queue that the samples refer to.
    const job = { name: 'sample', cron: '0 0 1 1 *', run: async () => undefined };
    await service.ctx.jobs.work(job);
  });
  for (const { name, endpoint, sample } of GUARDED.filter(
    (row) => row.endpoint.policy === 'operator',
  )) {
    test(`${name} is let in`, async () => {
      const answer = await as(who).call(endpoint, sample(things) as never);
      const refusal = REFUSED_SAMPLES[name as GuardedName];
      if (refusal === undefined) answer.ok();
      else answer.refused(refusal);
    });
  }
});

describe('six minutes after the last proof', () => {
  let who: OperatorWithApp;
  let unchanged: Record<string, string>;
  before(async () => {
    who = await change(
      operator(),
      setSession("proven_at = proven_at - interval '5 minutes 1 second'"),
    );
    unchanged = await snapshot();
  });
  const sensitive = GUARDED.filter(
    ({ endpoint }) => endpoint.needsProof || endpoint.policy === 'half',
  );
  for (const { name, endpoint, sample } of sensitive) {
    test(`${name} asks again who is there`, async () => {
      const request = sample(NO_THINGS);
      (await as(who).call(endpoint, request as never)).refused('stale_sign_in');
    });
  }
  test('nothing has changed', () => assertUnchanged(unchanged));
});

describe('a request from another site', () => {
  let who: OperatorWithApp;
  before(async () => {
    who = await operator();
  });
  for (const [name, endpoint] of ALL) {
    test(`cannot reach ${name}`, async () => {
      const foreign = { origin: 'https://evil.kz', 'sec-fetch-site': 'cross-site' };
      (await as({ ...who }).call(endpoint, { headers: foreign })).refused('foreign_request');
      if (endpoint.method === 'GET') return;
      for (const header of [undefined, '0']) {
        const headers = { 'x-zhiber-admin': header, 'x-zhiber-cabinet': '1' };
        (await as({ ...who }).call(endpoint, { headers })).refused('foreign_request');
      }
    });
  }
});

describe('the cookie of an operator', () => {
  let who: OperatorWithApp;
  let renamed: { cookie: string };
  before(async () => {
    who = await operator();
    renamed = { cookie: who.cookie.replace(/^zhiber-admin=/, 'zhiber=') };
  });
  const guarded = (Object.entries(CABINET_ENDPOINTS) as [string, CabinetEndpoint][]).filter(
    ([, { policy }]) => policy !== 'anyone',
  );
  for (const [name, endpoint] of guarded) {
    test(`does not open ${name} of the cabinet`, async () => {
      (await cabinet.as({ ...who }).call(endpoint)).refused('not_signed_in');
      (await cabinet.as({ ...renamed }).call(endpoint)).refused('not_signed_in');
    });
  }

  test('opens the desk under its own name alone', async () => {
    (await as({ ...renamed }).call(ADMIN_ENDPOINTS.session)).refused('not_signed_in');
    (await as({ ...who }).call(ADMIN_ENDPOINTS.session)).ok();
  });

  test('is sent to no other site, and no script reads it', async () => {
    const { headers } = await call(ADMIN_ENDPOINTS.signOut);
    assert.equal(
      headers['set-cookie'],
      'zhiber-admin=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
    );
  });
});

/** One of everything that the requests of an operator refer to. */
async function createThings(who: OperatorWithApp): Promise<Things> {
  const { companyId, keyId } = await service.key();
  const job = { name: 'sample', cron: '0 0 1 1 *', run: async () => undefined };
  await service.ctx.jobs.work(job);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const price = { item: 'sms', tokens: 5, from: later } as const;
  const other = await operator();
  const at = { params: { id: companyId } };
  (await as(other).call(C.setCompanyPrice, { ...at, body: price })).ok();
  for (const request_id of ['b'.repeat(32), 'c'.repeat(32)]) {
    const body = { request_id, amount: 20_000, reason: 'Ошибка в счёте' };
    (await as(other).call(C.correctBalance, { ...at, body })).ok();
  }
  const { own_prices: prices, corrections } = (await as(who).call(C.company, at)).ok();
  const [first, second] = corrections.map(({ id }) => id);
  return {
    companyId,
    recoveryCode: who.recoveryCodes[0] as string,
    keyId,
    priceId: prices[0]?.id as number,
    correctionIds: [first as string, second as string],
  };
}

async function cabinetSessionOf({ personId }: TestOperator): Promise<{ cookie: string }> {
  const caller = { cookie: undefined, address: '127.0.0.1', device: 'Test/1.0' };
  const secondFactorAt = new Date();
  const started = await startSession(service.accounts, caller, { personId, secondFactorAt });
  const who = { cookie: readSetCookie(started.cookie) ?? '' };
  // It is a session of the cabinet, so that a refusal at the desk says something.
  (await cabinet.as(who).call(P.sessions)).ok();
  return who;
}
