/**
 * An operator looks at the cabinet of a company. Generated from the contract: every endpoint of the
 * cabinet, and nothing that changes anything.
 */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_COMPANY_ENDPOINTS as C } from '@zhiber/contract/admin/companies.ts';
import { ADMIN_SESSION_ENDPOINTS as D } from '@zhiber/contract/admin/session.ts';
import { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { RIGHTS, type Right } from '@zhiber/contract/cabinet/rights.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { blockPerson } from '../../src/accounts/block-person.ts';
import { listSessionRoles } from '../../src/accounts/sessions.ts';
import type { CompanyId } from '../../src/ids.ts';
import { openSystemCompany } from '../../src/installation/system-company.ts';
import { removeOperator } from '../../src/operators/manage-operators.ts';
import { viewCompany } from '../../src/operators/view-company.ts';
import {
  type Call,
  createCabinetClient,
  readSetCookie,
  type TestPerson,
} from '../cabinet/cabinet-client.ts';
import { createCompanyFixtures } from '../cabinet/company-fixtures.ts';
import { type Belongings, PERSONAL_SAMPLES, SAMPLES, STREAMS } from '../cabinet/sample-requests.ts';
import { until, useService } from '../harness.ts';
import { createAdminClient, type OperatorWithApp } from './admin-client.ts';

const service = useService();
const cabinet = createCabinetClient(service);
const { as, operator } = createAdminClient(service);
const { createBelongings, snapshotCompany, assertUnchanged } = createCompanyFixtures(
  service,
  cabinet,
);

const ALL = Object.entries(CABINET_ENDPOINTS) as [string, CabinetEndpoint][];
const REQUESTS = { ...SAMPLES, ...PERSONAL_SAMPLES } as unknown as Record<
  string,
  ((own: object) => Call<unknown>) | undefined
>;
const PERSONAL = {
  otherCompanyId: 1,
  invitationToken: 'a'.repeat(43),
  newPhone: '+77010000000',
  newPhoneCode: '123456',
  unusedPhone: '+77010000001',
  emailToken: 'a'.repeat(43),
  otherSessionId: 'x',
  passkeyId: 'x',
  recoveryCode: 'aaaaa-aaaaa',
};

/** The rights that let somebody see, without those to see phones and codes. Written by hand. */
const SEEN: readonly Right[] = [
  'overview.see',
  'messages.see',
  'requests.see',
  'links.see',
  'groups.see',
  'broadcasts.see',
  'keys.see',
  'webhooks.see',
  'balance.see',
  'team.see',
  'company.see',
  'audit.see',
];

/** Counts that are kept once somebody has asked for them. */
const isKeptCount = (table: string, name: string) =>
  table === 'counted_hour' || (table === 'broadcast' && name === 'results');
/** Files that the audit log of the company names, whoever takes them. */
const RECORDED: readonly string[] = ['exportLedger', 'monthFile'];

/** Opens the cabinet of a company. The browser keeps the cookie of the desk apart. */
async function view(who: OperatorWithApp, id: CompanyId): Promise<{ cookie: string }> {
  const answer = await as(who).call(C.viewCompany, { params: { id } });
  answer.ok();
  return { cookie: readSetCookie(answer.headers['set-cookie'], 'zhiber-view') as string };
}

describe('the view of an operator', () => {
  let owner: TestPerson;
  let own: Belongings;
  let viewer: { cookie: string };
  before(async () => {
    owner = await cabinet.person({ role: 'owner' });
    own = await createBelongings(owner);
    viewer = await view(await operator(), own.companyId);
  });
  const request = (name: string) => REQUESTS[name]?.({ ...own, ...PERSONAL }) as never;

  const changes = ALL.filter(([name, { method }]) => method !== 'GET' && name !== 'signOut');
  test('is tried with every change of the cabinet', () => assert(changes.length > 50));
  for (const [name, endpoint] of changes) {
    test(`cannot ${name}, and changes nothing`, async () => {
      const unchanged = await snapshotCompany(own.companyId);
      (await cabinet.as({ ...viewer }).call(endpoint, request(name))).refused('view_only');
      await assertUnchanged(own.companyId, unchanged);
    });
  }

  const reads = ALL.filter(
    ([name, { method, policy }]) =>
      method === 'GET' && policy !== 'anyone' && !STREAMS.includes(name as never),
  );
  for (const [name, endpoint] of reads) {
    const isSeen = name === 'session' || SEEN.includes(endpoint.policy as Right);
    test(`${isSeen ? 'reads' : 'does not read'} ${name}, and changes nothing`, async () => {
      const unchanged = await snapshotCompany(own.companyId);
      const answer = await cabinet.as({ ...viewer }).call(endpoint, request(name));
      // The act of a month gets its number from the first who asks for it, who must not be a viewer.
      if (isSeen && name !== 'actFile') assert.equal(answer.status, 200, answer.text);
      else answer.refused('view_only');
      const isRecorded = RECORDED.includes(name);
      await assertUnchanged(
        own.companyId,
        unchanged,
        (table) => isKeptCount(table, name) || (isRecorded && table === 'audit_record'),
      );
    });
  }

  test('leaves the name of the operator with a statement, and no address', async () => {
    for (const name of RECORDED) {
      const endpoint = CABINET_ENDPOINTS[name as 'monthFile'];
      assert.equal((await cabinet.as({ ...viewer }).call(endpoint, request(name))).status, 200);
      const [record] = await service.sql<{ person_name: string; traces: number }>(
        `select person_name, num_nonnulls(address, device, request_id) as traces from audit_record
         where company_id = $1 and action = 'ledger.exported' order by id desc limit 1`,
        [own.companyId],
      );
      assert.match(record?.person_name ?? '', /^Оператор \d+$/);
      assert.equal(record?.traces, 0);
    }
  });

  test('reads an act that the company has asked for', async () => {
    const act = await cabinet.as(owner).call(CABINET_ENDPOINTS.actFile, request('actFile'));
    assert.equal(act.status, 200, act.text);
    for (const name of ['actFile', 'monthFile'] as const) {
      const { headers } = await cabinet
        .as({ ...viewer })
        .call(CABINET_ENDPOINTS[name], request(name));
      assert.match(String(headers['content-type']), /^application\/(pdf|zip)$/);
    }
  });

  for (const right of Object.keys(RIGHTS) as Right[]) {
    test(`${SEEN.includes(right) ? 'has' : 'lacks'} the right ${right}`, async () => {
      const { company } = (await cabinet.as({ ...viewer }).call(S.session)).ok();
      assert.equal(company?.rights.includes(right), SEEN.includes(right));
    });
  }

  test('does not follow the virtual phone, which shows codes', async () => {
    const { phoneEvents } = CABINET_ENDPOINTS;
    const answer = await cabinet.as({ ...viewer }).call(phoneEvents, request('phoneEvents'));
    answer.refused('view_only');
  });

  test('opens nothing of the desk', async () => {
    (await as({ ...viewer }).call(D.session)).refused('not_signed_in');
    const renamed = { cookie: viewer.cookie.replace('zhiber-view=', 'zhiber-admin=') };
    (await as(renamed).call(D.session)).refused('not_signed_in');
    const asSession = { cookie: viewer.cookie.replace('zhiber-view=', 'zhiber=') };
    (await cabinet.as(asSession).call(S.session)).refused('not_signed_in');
  });
});

describe('a view', () => {
  test('is in the log of the company before its first page, by name', async () => {
    const owner = await cabinet.person({ role: 'owner' });
    const who = await operator();
    const id = owner.companyId as CompanyId;
    (await as(who).call(C.viewCompany, { params: { id } })).ok();
    const [record] = (await cabinet.as(owner).call(AUDIT_ENDPOINTS.audit)).ok().rows;
    assert.partialDeepStrictEqual(record, { action: 'company.viewed', address: null });
    assert.match(record?.person ?? '', /^Оператор \d+$/);
    const [act] = (await as(who).call(A.audit, { query: { company_id: id } })).ok().rows;
    assert.partialDeepStrictEqual(act, { action: 'company.viewed', company: { id } });
  });

  test('shows that company alone, with masked phones', async () => {
    const who = await operator();
    const key = await service.key({ isTest: false });
    const phone = service.phone();
    await service.call('/otp/send', { phone }, key);
    const viewer = await view(who, key.companyId);
    const session = (await cabinet.as(viewer).call(S.session)).ok();
    assert.equal(session.company?.id, key.companyId);
    assert.deepEqual(session.companies, [{ id: key.companyId, name: 'Тест', role: 'viewer' }]);
    const minutes = (Date.parse(session.viewed_until ?? '') - Date.now()) / 60_000;
    assert(minutes > 28 && minutes <= 30, String(minutes));
    const list = await cabinet.as(viewer).call(M.messages);
    assert.equal(list.ok().rows.length, 1);
    assert(!list.text.includes(phone.slice(1)), list.text);
  });

  test('is not of the company of the installation, nor of one that does not exist', async () => {
    const who = await operator();
    for (const id of [await openSystemCompany(service.ctx), 999_999]) {
      (await as(who).call(C.viewCompany, { params: { id } })).refused('not_found');
    }
  });

  test('takes the place of the own session of the browser while it lasts, and no longer', async () => {
    const who = await operator();
    const owner = await cabinet.person({ role: 'owner' });
    const viewer = await view(who, await service.company());
    const both = { cookie: `${owner.cookie}; ${viewer.cookie}` };
    const { company } = (await cabinet.as({ ...both }).call(S.session)).ok();
    assert.notEqual(company?.id, owner.companyId);
    (
      await cabinet.as({ ...both }).call(CABINET_ENDPOINTS.changeProfile, {
        body: { name: 'Другое имя' },
      })
    ).refused('view_only');
    const ended = await cabinet.as({ ...both }).call(S.signOut);
    assert.match(String(ended.headers['set-cookie']), /^zhiber-view=; Max-Age=0/);
    // The pages of the view are still open: they must not show the own company from now on.
    const late = await cabinet.as({ ...both }).call(S.session);
    late.refused('not_signed_in');
    assert.match(String(late.headers['set-cookie']), /^zhiber-view=; Max-Age=0/);
    assert.equal((await cabinet.as(owner).call(S.session)).ok().company?.id, owner.companyId);
  });

  test('is one at a time for a session of the desk', async () => {
    const who = await operator();
    const first = await view(who, await service.company());
    const second = await view(who, await service.company());
    (await cabinet.as(first).call(S.session)).refused('not_signed_in');
    (await cabinet.as(second).call(S.session)).ok();
  });
});

test('a view is not opened by a session that has ended meanwhile', async () => {
  const { personId } = await operator();
  const current = { personId, sessionId: 'ended', name: 'Имя' };
  const gone = { ...current, hasSecondFactor: true, provenAt: new Date() };
  const id = await service.company();
  const opened = viewCompany(service.ctx, { operator: gone, actor: {} }, id);
  await assert.rejects(opened, { code: 'not_signed_in' });
  const logged = `select from audit_record where company_id = $1 and action = 'company.viewed'`;
  assert.equal((await service.sql(logged, [id])).length, 0);
});

describe('a view ends', () => {
  const set = (text: string) => (who: OperatorWithApp) =>
    service.sql(`update operator_session set ${text} where person_id = $1`, [who.personId]);
  const endings: Record<string, (who: OperatorWithApp) => Promise<unknown>> = {
    'after half an hour': () =>
      service.sql(`update company_view set ends_at = ends_at - interval '30 minutes'`),
    'when the operator signs out': async (who) => (await as(who).call(D.signOut)).ok(),
    'when the session of the desk ends': set('ends_at = clock_timestamp()'),
    'when the session of the desk was not used for an hour': set(
      `seen_at = clock_timestamp() - interval '61 minutes'`,
    ),
    'when the session of the desk loses its second factor': set('proven_at = null'),
    'when the operator is removed': ({ email }) => removeOperator(service.ctx, {}, { email }),
    'when the operator is removed, and a session is left': ({ personId }) =>
      service.sql('update operator set removed_at = clock_timestamp() where person_id = $1', [
        personId,
      ]),
    'when the person is blocked': ({ personId }) =>
      blockPerson(service.ctx, { person: { personId, name: 'Имя' }, reason: 'жалобы' }),
    'when the person loses the second factor': ({ personId }) =>
      service.sql('delete from second_factor where person_id = $1', [personId]),
  };
  for (const [when, end] of Object.entries(endings)) {
    test(when, async () => {
      const who = await operator();
      const viewer = await view(who, await service.company());
      (await cabinet.as({ ...viewer }).call(S.session)).ok();
      await end(who);
      (await cabinet.as({ ...viewer }).call(S.session)).refused('not_signed_in');
    });
  }

  test('together with the streams that it has opened', async () => {
    const who = await operator();
    const key = await service.key({ isTest: false });
    await service.call('/otp/send', { phone: service.phone() }, key);
    const { cookie } = await view(who, key.companyId);
    if (!service.http.server.listening) await service.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = service.http.server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/cabinet/messages/live`, {
      headers: { cookie },
    });
    assert.equal(response.status, 200, await (response.ok ? '' : response.text()));
    let isOver = false;
    const read = (async () => {
      for await (const _ of response.body ?? []) void _;
      isOver = true;
    })();
    const [row] = await service.sql<{ id: string }>(
      'select id from company_view where company_id = $1',
      [key.companyId],
    );
    const stream = { sessionId: row?.id as string, companyId: key.companyId };
    // What the check of the streams goes by, every second.
    assert.equal((await listSessionRoles(service.ctx, [stream])).get(stream), 'viewer');
    const elsewhere = { ...stream, companyId: await service.company() };
    assert.equal((await listSessionRoles(service.ctx, [elsewhere])).get(elsewhere), undefined);
    (await as(who).call(D.signOut)).ok();
    assert.equal((await listSessionRoles(service.ctx, [stream])).get(stream), undefined);
    await until('the stream has ended', async () => isOver);
    await read;
  });
});
