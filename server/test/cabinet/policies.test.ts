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

/** Of API calls alone, and written a moment after the call. */
const isWrittenLater = (table: string) => ['request_log', 'key_use'].includes(table);

for (const role of ROLES) {
  describe(`a member in the role of ${role}`, () => {
    let member: TestPerson;
    let own: Belongings;
    let unchanged: Map<string, string>;
    before(async () => {
      const owner = await person({ role: 'owner' });
      own = await createBelongings(owner);
      member = await person({ role, companyId: own.companyId });
      unchanged = await snapshotCompany(own.companyId);
    });
    const isAllowed = ({ endpoint }: Row) => hasRight(role, endpoint.policy as Right);

    for (const { name, endpoint, sample } of NON_STREAMING.filter((row) => !isAllowed(row))) {
      test(`may not ${name}`, async () => {
        (await as(member).call(endpoint, sample(own) as never)).refused('no_right');
      });
    }
    // Of a change that another takes back, the audit log keeps both.
    test('has changed nothing by what is refused', () =>
      assertUnchanged(own.companyId, unchanged, isWrittenLater));
    for (const { name, endpoint, sample } of NON_STREAMING.filter(isAllowed)) {
      test(`may ${name}`, async () => {
        const { status } = await as(member).call(endpoint, sample(own) as never);
        assert(![401, 403].includes(status), `${status} for ${role}`);
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
  let unchanged: Map<string, string>;
  before(async () => {
    const owner = await person({ role: 'owner' });
    theirs = await createBelongings(owner);
    stranger = await person({ role: 'owner' });
    await createBelongings(stranger);
    unchanged = await snapshotCompany(theirs.companyId);
  });

  for (const { name, endpoint, sample } of NON_STREAMING) {
    test(`${name} shows nothing`, async () => {
      const request = sample(theirs) as Call<unknown>;
      const answer = await as(stranger).call(endpoint, request as never);
      if (request.params !== undefined) answer.refused('not_found');
      const isOwnList = request.params === undefined && request.query === undefined;
      if (!isOwnList) assert(!answer.text.includes(CANARY), answer.text);
      assert(!answer.text.includes(theirs.messageId) && !answer.text.includes(theirs.slug));
    });
  }
  test('nothing of theirs has changed', () =>
    assertUnchanged(theirs.companyId, unchanged, isWrittenLater));
});

describe('in a company that the operator has suspended', () => {
  let owner: TestPerson;
  let own: Belongings;
  let unchanged: Map<string, string>;
  before(async () => {
    owner = await person({ role: 'owner' });
    own = await createBelongings(owner);
    const suspension = { companyId: own.companyId, reason: 'Жалобы' };
    assert.equal(await suspendCompany(service.ctx, suspension), true);
    unchanged = await snapshotCompany(own.companyId);
  });

  const isReading = ({ endpoint }: Row) => endpoint.method === 'GET';
  for (const { name, endpoint, sample } of NON_STREAMING.filter((row) => !isReading(row))) {
    test(`${name} is refused`, async () => {
      (await as(owner).call(endpoint, sample(own) as never)).refused('company_suspended');
    });
  }
  test('nothing has changed', () => assertUnchanged(own.companyId, unchanged, isWrittenLater));
  for (const { name, endpoint, sample } of NON_STREAMING.filter(isReading)) {
    test(`${name} can still be read`, async () => {
      const answer = await as(owner).call(endpoint, sample(own) as never);
      assert.equal(answer.status, 200, answer.text);
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
