/**
 * Authorisation tests, generated from the contract: every endpoint with every role, and with the ids
 * of another company.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { hasRight, type Right, ROLES } from '@zhiber/contract/cabinet/rights.ts';
import { suspendCompany } from '../../src/company/suspend-company.ts';
import { useService } from '../harness.ts';
import { type Call, createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { CANARY, createCompanyFixtures } from './company-fixtures.ts';
import { type Belongings, SAMPLES, STREAMS } from './sample-requests.ts';

const service = useService();
const client = createCabinetClient(service);
const { person, as, call } = client;
const { createBelongings, snapshotCompany, assertUnchanged } = createCompanyFixtures(
  service,
  client,
);

type Row = { name: string; endpoint: CabinetEndpoint; sample: (own: Belongings) => Call<unknown> };
const ALL = Object.entries(CABINET_ENDPOINTS) as [string, CabinetEndpoint][];
const COMPANY_ENDPOINTS: Row[] = Object.entries(SAMPLES).map(([name, sample]) => ({
  name,
  endpoint: CABINET_ENDPOINTS[name as keyof typeof CABINET_ENDPOINTS],
  sample: sample as Row['sample'],
}));
const NON_STREAMING = COMPANY_ENDPOINTS.filter(({ name }) => !STREAMS.includes(name as never));
const NO_BELONGINGS = {} as Belongings;

test('every endpoint of the contract is a route, and no route is registered in another way', () => {
  const missing = ALL.filter(
    ([, { method, path }]) => !service.http.hasRoute({ method, url: `/cabinet${path}` }),
  );
  assert.deepEqual(missing, []);
  const folder = path.join(import.meta.dirname, '../../src/http/cabinet');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const registering = files
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      /\.(?:route|get|post|put|delete|all)\(\s*[{'"`]/.test(
        readFileSync(path.join(folder, file), 'utf8'),
      ),
    );
  assert.deepEqual(registering.toSorted(), ['endpoint.ts']);
});

describe('without a session', () => {
  for (const [name, endpoint] of ALL.filter(([, { policy }]) => policy !== 'anyone')) {
    test(`${name} is refused`, async () => {
      (await call(endpoint)).refused('not_signed_in');
    });
  }
});

test('a person without a company is refused by every endpoint of a company', async () => {
  const withoutCompany = await person();
  for (const { endpoint } of COMPANY_ENDPOINTS) {
    (await as(withoutCompany).call(endpoint)).refused('no_company');
  }
});

describe('a request from another site', () => {
  for (const [name, endpoint] of ALL.filter(([, { method }]) => method !== 'GET')) {
    test(`cannot reach ${name}`, async () => {
      const headers = { 'x-zhiber-cabinet': undefined };
      (await call(endpoint, { headers })).refused('foreign_request');
      const foreign = { origin: 'https://evil.kz', 'sec-fetch-site': 'cross-site' };
      (await call(endpoint, { headers: foreign })).refused('foreign_request');
    });
  }
});

for (const role of ROLES) {
  describe(`a member in the role of ${role}`, () => {
    let member: TestPerson;
    let own: Belongings;
    before(async () => {
      const owner = await person({ role: 'owner' });
      own = await createBelongings(owner);
      member = await person({ role, companyId: own.companyId });
    });

    for (const { name, endpoint, sample } of NON_STREAMING) {
      const isAllowed = hasRight(role, endpoint.policy as Right);
      test(`${isAllowed ? 'may' : 'may not'} ${name}`, async () => {
        const before = await snapshotCompany(own.companyId);
        const answer = await as(member).call(endpoint, sample(own) as never);
        if (isAllowed) {
          assert(![401, 403].includes(answer.status), `${answer.status} for ${role}`);
        } else {
          answer.refused('no_right');
          await assertUnchanged(own.companyId, before);
        }
      });
    }
    for (const { name, endpoint } of COMPANY_ENDPOINTS.filter(
      (row) => !NON_STREAMING.includes(row),
    )) {
      if (hasRight(role, endpoint.policy as Right)) continue;
      test(`may not ${name}`, async () => {
        (await as(member).call(endpoint, { query: {} } as never)).refused('no_right');
      });
    }
  });
}

describe('with the ids of another company', () => {
  let stranger: TestPerson;
  let theirs: Belongings;
  before(async () => {
    const owner = await person({ role: 'owner' });
    theirs = await createBelongings(owner);
    stranger = await person({ role: 'owner' });
    await createBelongings(stranger);
  });

  for (const { name, endpoint, sample } of NON_STREAMING) {
    test(`${name} shows nothing and changes nothing`, async () => {
      const before = await snapshotCompany(theirs.companyId);
      const request = sample(theirs) as Call<unknown>;
      const answer = await as(stranger).call(endpoint, request as never);
      if (request.params !== undefined) answer.refused('not_found');
      const isOwnList = request.params === undefined && request.query === undefined;
      if (!isOwnList) assert(!answer.text.includes(CANARY), answer.text);
      assert(!answer.text.includes(theirs.messageId) && !answer.text.includes(theirs.slug));
      await assertUnchanged(theirs.companyId, before);
    });
  }
});

describe('in a company that the operator has suspended', () => {
  let owner: TestPerson;
  let own: Belongings;
  before(async () => {
    owner = await person({ role: 'owner' });
    own = await createBelongings(owner);
    const suspension = { companyId: own.companyId, reason: 'Жалобы' };
    assert.equal(await suspendCompany(service.ctx, suspension), true);
  });

  for (const { name, endpoint, sample } of NON_STREAMING) {
    const isReading = endpoint.method === 'GET';
    test(`${name} ${isReading ? 'can still be read' : 'is refused and changes nothing'}`, async () => {
      const before = await snapshotCompany(own.companyId);
      const answer = await as(owner).call(endpoint, sample(own) as never);
      if (isReading) {
        assert.equal(answer.status, 200, answer.text);
      } else {
        answer.refused('company_suspended');
        await assertUnchanged(own.companyId, before);
      }
    });
  }
});

describe('31 minutes after the sign-in', () => {
  const sensitive = COMPANY_ENDPOINTS.filter(({ endpoint }) => endpoint.needsFreshSignIn);
  test('some endpoints need a recent sign-in', () => assert(sensitive.length >= 4));
  for (const { name, endpoint } of sensitive) {
    test(`${name} requires confirming the identity again`, async () => {
      const owner = await person({ role: 'owner' });
      await service.sql(
        `update session set confirmed_at = confirmed_at - interval '31 minutes' where person_id = $1`,
        [owner.personId],
      );
      const answer = await as(owner).call(
        endpoint,
        (SAMPLES[name as never] as Row['sample'])(NO_BELONGINGS) as never,
      );
      answer.refused('stale_sign_in');
    });
  }
});
