import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADMIN_AUDIT_ENDPOINTS as A } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_OVERVIEW_ENDPOINTS as O } from '@zhiber/contract/admin/overview.ts';
import { ADMIN_SESSION_ENDPOINTS as S } from '@zhiber/contract/admin/session.ts';
import Fastify from 'fastify';
import Type from 'typebox';
import { recordOperatorAct } from '../../src/audit-log/operator-audit-store.ts';
import { auditIn } from '../../src/billing/invariant-store.ts';
import { suspendCompany } from '../../src/company/suspend-company.ts';
import { addAdminEndpoint } from '../../src/http/admin/endpoint.ts';
import { type CompanyId, newId } from '../../src/ids.ts';
import { openSystemCompany } from '../../src/installation/system-company.ts';
import { readInstallation } from '../../src/operators/read-overview.ts';
import { Problem } from '../../src/problem.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createAdminClient, PASSWORD } from './admin-client.ts';

const service = useService();
const { as, operator, invite } = createAdminClient(service);

const act = (object: string, more: { companyId?: CompanyId; after?: object } = {}) =>
  service.ctx.db.transaction((tx) =>
    recordOperatorAct(tx, {}, { action: 'operator.created', object, ...more }),
  );

describe('the audit of operators', () => {
  test('has everything on the way of an operator, by whom and from where', async () => {
    const who = await operator();
    const rows = (await as(who).call(A.audit)).ok().rows.slice(0, 3);
    const [named] = await service.sql<{ name: string }>('select name from person where id = $1', [
      who.personId,
    ]);
    assert.deepEqual(
      rows.map(({ action, person, object, address }) => ({ action, person, object, address })),
      [
        {
          action: 'operator.second_factor_added',
          person: named?.name,
          object: named?.name,
          address: '127.0.0.1',
        },
        {
          action: 'operator.joined',
          person: named?.name,
          object: who.email,
          address: '127.0.0.1',
        },
        { action: 'operator.created', person: null, object: who.email, address: null },
      ],
    );
    const signedIn = { cookie: '' };
    const body = { email: who.email, password: PASSWORD };
    (await as(signedIn).call(S.signIn, { body })).refused('second_factor_required');
    // The first step alone is no sign-in.
    assert.notEqual((await as(who).call(A.audit)).ok().rows[0]?.action, 'operator.signed_in');
    (await as(signedIn).call(S.signInSecond, { body: { code: who.app.nextCode() } })).ok();
    assert.equal((await as(who).call(A.audit)).ok().rows[0]?.action, 'operator.signed_in');
  });

  test('is filtered by action, operator, company and time', async () => {
    const who = await operator();
    const companyId = await service.company();
    await act('about a company', { companyId, after: { reason: 'проба' } });
    const find = async (query: object) => (await as(who).call(A.audit, { query })).ok().rows;
    assert.partialDeepStrictEqual(await find({ company_id: companyId }), [
      {
        object: 'about a company',
        company: { id: companyId, name: 'Тест' },
        after: { reason: 'проба' },
      },
    ]);
    assert.equal((await find({ company_id: companyId })).length, 1);
    const joined = await find({ action: 'operator.joined', person: who.personId });
    assert.deepEqual(
      joined.map(({ object }) => object),
      [who.email],
    );
    const later = new Date(Date.now() + 60_000).toISOString();
    assert.deepEqual(await find({ from: later }), []);
    assert.notDeepEqual(await find({ to: later }), []);
    const { operators } = (await as(who).call(A.operators)).ok();
    assert.partialDeepStrictEqual(
      operators.filter(({ id }) => id === who.personId),
      [{ email: who.email, is_removed: false }],
    );
  });

  test('is listed in pages of fifty, newest first, without a gap', async () => {
    const who = await operator();
    for (let i = 0; i < 55; i++) await act(`page ${i}`);
    const first = (await as(who).call(A.audit)).ok();
    assert.equal(first.rows.length, 50);
    const query = { cursor: first.next as string };
    const second = (await as(who).call(A.audit, { query })).ok();
    const ids = [...first.rows, ...second.rows].map(({ id }) => id);
    assert.deepEqual(
      ids,
      Array.from(ids, (_, i) => (ids[0] as number) - i),
    );
    const bad = await as(who).call(A.audit, { query: { cursor: 'x' } });
    bad.refused('validation_error');
  });

  test('keeps its chain when many acts end together', async () => {
    await runConcurrently(20, (i) => act(`together ${i}`));
    const { violations } = await auditIn(service.ctx.db);
    assert.equal(violations.operator_audit_was_changed, 0);
    const rows = await service.sql(`select from operator_audit where object like 'together %'`);
    assert.equal(rows.length, 20);
  });

  test('has no record of a change that was rolled back', async () => {
    const { email } = await invite();
    const change = service.ctx.db.transaction(async (tx) => {
      await recordOperatorAct(tx, {}, { action: 'operator.removed', object: email });
      throw new Problem('not_found');
    });
    await assert.rejects(change);
    const rows = await service.sql(
      `select from operator_audit where action = 'operator.removed' and object = $1`,
      [email],
    );
    assert.equal(rows.length, 0);
  });
});

test('a dangerous endpoint asks again who is there, and is answered after the proof', async () => {
  const app = Fastify();
  app.decorateRequest('operator', undefined);
  const endpoint = {
    method: 'POST',
    path: '/dangerous',
    policy: 'operator',
    needsProof: true,
    answer: Type.Object({ success: Type.Literal(true) }),
  } as const;
  addAdminEndpoint(app, service, endpoint, async () => ({ success: true as const }));
  app.setErrorHandler((error, _request, reply) => reply.code(400).send((error as Problem).code));
  const who = await operator();
  const ask = async () =>
    (
      await app.inject({
        method: 'POST',
        url: '/dangerous',
        headers: { cookie: who.cookie, 'x-zhiber-admin': '1' },
      })
    ).payload;
  assert.equal(await ask(), '{"success":true}');
  const age = (interval: string) =>
    service.sql(
      `update operator_session set proven_at = clock_timestamp() - interval '${interval}' where person_id = $1`,
      [who.personId],
    );
  await age('4 minutes 50 seconds');
  assert.equal(await ask(), '{"success":true}');
  await age('5 minutes 1 second');
  assert.equal(await ask(), 'stale_sign_in');
  (await as(who).call(S.confirmIdentity, { body: {} })).refused('validation_error');
  assert.equal(await ask(), 'stale_sign_in');
  (await as(who).call(S.confirmIdentity, { body: { code: who.app.nextCode() } })).ok();
  assert.equal(await ask(), '{"success":true}');
  await app.close();
});

describe('the overview', () => {
  test('counts customers, their money and what waits, without the company of the installation', async () => {
    const who = await operator();
    const read = async () => (await as(who).call(O.overview)).ok();
    const before = await read();
    // It has a thousand million.
    await openSystemCompany(service.ctx);
    assert.deepEqual(await read(), before);
    assert(before.balance < 1_000_000_000, String(before.balance));
    const key = await service.key({ balance: 700, isTest: false });
    await suspendCompany(service.ctx, { companyId: await service.company(0), reason: 'жалобы' });
    await service.call('/otp/send', { phone: service.phone() }, key);
    const test = await service.key({ companyId: key.companyId, isTest: true });
    await service.call('/otp/send', { phone: service.phone() }, test);
    for (const state of ['manual', 'pending', 'checking']) {
      await service.sql(
        `insert into payment_order (id, company_id, reference, provider, amount, payer_name, state, created_at, expires_at)
         values ($1, $2, $3, 'transfer', 1000, 'Плательщик', $4, clock_timestamp(), clock_timestamp())`,
        [newId(Date.now()), key.companyId, `ZB-${state.toUpperCase()}`, state],
      );
    }
    for (const handled of [null, new Date()]) {
      await service.sql(
        `insert into payment_notice (id, provider, received_at, body, reference, content, handled_at)
         values ($1, 'transfer', clock_timestamp(), '', 'ZB-NOTICE', '{}', $2)`,
        [newId(Date.now()), handled],
      );
    }
    const after = await read();
    const [charged] = await service.sql<{ charged: number }>(
      'select sum(charged)::integer as charged from message where company_id = $1',
      [key.companyId],
    );
    assert.deepEqual(after, {
      ...before,
      companies: before.companies + 2,
      suspended_companies: before.suspended_companies + 1,
      balance: before.balance + 700 - Number(charged?.charged),
      sends_today: before.sends_today + 1,
      orders_to_confirm: before.orders_to_confirm + 1,
      unhandled_notices: before.unhandled_notices + 1,
    });
  });

  test('counts the sends of this day in Almaty alone', async () => {
    const who = await operator();
    const key = await service.key({ isTest: false });
    await service.call('/otp/send', { phone: service.phone() }, key);
    const { sends_today: today } = (await as(who).call(O.overview)).ok();
    assert(today >= 1);
    const tomorrow = { now: () => new Date(Date.now() + 24 * 3_600_000) };
    const { sendsToday } = await readInstallation({ db: service.ctx.db, clock: tomorrow as never });
    assert.equal(sendsToday, 0);
  });
});
