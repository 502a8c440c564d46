import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  AUDIT_ENDPOINTS,
  COMPANY_ENDPOINTS,
  TEAM_ENDPOINTS,
} from '@zhiber/contract/cabinet/company.ts';
import { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import { blockPerson } from '../../src/accounts/block-person.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import { resumeCompany, suspendCompany } from '../../src/company/suspend-company.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { claimGroup } from '../../src/groups/claim-group.ts';
import { insertInvitation } from '../../src/groups/group-store.ts';
import type { CompanyId } from '../../src/ids.ts';
import { followShortLink } from '../../src/links/follow-short-link.ts';
import { hashOfToken } from '../../src/token.ts';
import { advanceProcessClock, type TestKey } from '../harness.ts';
import { useTwoNodes } from '../money/two-nodes.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { readNewestCode } from './inbox.ts';

const nodes = useTwoNodes();
const { service } = nodes;
const { person, as, call } = createCabinetClient(service);
const REASON = 'Жалобы на спам';

async function createKeys() {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as CompanyId;
  const live = await service.key({ companyId });
  const test = await service.key({ companyId, isTest: true });
  return { owner, companyId, live, test };
}

const suspend = (companyId: CompanyId) =>
  suspendCompany(service.ctx, { companyId, reason: REASON });

const CALLS: [string, () => object][] = [
  ['/otp/send', () => ({ phone: service.phone() })],
  ['/otp/verify', () => ({ phone: service.phone(), code: '123456' })],
  ['/links/shorten', () => ({ url: 'https://shop.kz' })],
  ['/links/send', () => ({ phone: service.phone(), url: 'https://shop.kz', channel: 'auto' })],
  ['/group/send', () => ({ group: 'Дежурные', text: 'Смена' })],
];

/** Error codes of every endpoint on both nodes, whose caches are a second old. */
async function askBoth(key: TestKey): Promise<unknown[]> {
  advanceProcessClock();
  const answers = [];
  for (const node of [0, 1]) {
    for (const [path, body] of CALLS) answers.push(await nodes.post(node, path, body(), key));
  }
  return answers.map(({ status, body }) => [status, body.error_code]);
}

describe('a suspended company', () => {
  test('has no working key, live or test, on any node after a second', async () => {
    const { companyId, live, test: testKey } = await createKeys();
    // Both nodes have the keys in memory.
    for (const key of [live, testKey]) await askBoth(key);
    const balance = await service.balance(companyId);
    await suspend(companyId);
    for (const key of [live, testKey]) {
      const refusals = new Set((await askBoth(key)).map(String));
      assert.deepEqual(refusals, new Set(['403,company_suspended']));
    }
    assert.deepEqual(await service.balance(companyId), balance);
    await resumeCompany(service.ctx, companyId);
    for (const key of [live, testKey]) {
      const shortened = (await askBoth(key))[2];
      assert.deepEqual(shortened, [200, undefined]);
    }
  });

  test('has its links closed on every node, with a page that says so, and open again afterwards', async () => {
    const { companyId, live } = await createKeys();
    const made = await service.call('/links/shorten', { url: 'https://shop.kz/a' }, live);
    const slug = String(made.body.short_url).split('/').at(-1) as string;
    const visit = { method: 'GET', headers: {} };
    const open = () => service.http.inject({ url: `/s/${slug}`, headers: { accept: 'text/html' } });
    const results = async () => {
      advanceProcessClock();
      const other = await followShortLink(nodes.otherCtx(), slug, visit as never);
      return [(await open()).statusCode, other.result];
    };
    assert.deepEqual(await results(), [302, 'open']);
    await suspend(companyId);
    assert.deepEqual(await results(), [410, 'closed']);
    const page = await open();
    assert.match(page.payload, /Ссылка закрыта/);
    assert.equal(page.headers.location, undefined);
    assert.equal(page.headers['cache-control'], 'no-cache');
    await resumeCompany(service.ctx, companyId);
    assert.deepEqual(await results(), [302, 'open']);
  });

  test('sends no fallback of what was sent before', async () => {
    const { companyId, test: key } = await createKeys();
    // The test number whose WhatsApp never confirms.
    const phone = '+77000000002';
    assert.equal((await service.call('/otp/send', { phone }, key)).body.channel, 'whatsapp');
    await suspend(companyId);
    advanceProcessClock();
    await service.passTime(32);
    await watchOnce(service.ctx);
    const arrived = service.sandbox.phone.messages({ keyId: key.keyId, phone });
    assert.deepEqual(
      arrived.map(({ channel }) => channel),
      ['whatsapp'],
    );
  });

  test('shows its people the reason, and makes no key for them', async () => {
    const { owner, companyId } = await createKeys();
    const shown = async () =>
      (await as(owner).call(SESSION_ENDPOINTS.session)).ok().company?.suspended_because;
    assert.equal(await shown(), null);
    await suspend(companyId);
    assert.equal(await shown(), REASON);
    const body = { name: 'Ещё один', mode: 'live' } as const;
    (await as(owner).call(KEY_ENDPOINTS.createKey, { body })).refused('company_suspended');
    (await as(owner).call(KEY_ENDPOINTS.keys)).ok();
  });

  test('gets no new member by an invitation that was given before', async () => {
    const { owner, companyId } = await createKeys();
    const invited = (
      await as(owner).call(TEAM_ENDPOINTS.invite, { body: { role: 'viewer' } })
    ).ok();
    const token = new URL(invited.link).hash.slice(1);
    await suspend(companyId);
    const newcomer = await person();
    const accept = () => as(newcomer).call(TEAM_ENDPOINTS.acceptInvitation, { body: { token } });
    (await accept()).refused('company_suspended');
    await resumeCompany(service.ctx, companyId);
    (await accept()).ok();
  });

  test('gets no group by an invitation that was given before', async () => {
    const { owner, companyId } = await createKeys();
    const word = 'group-abcdefghijkmnopqrstuvwxy';
    await insertInvitation(service.ctx.db, {
      companyId,
      channel: 'telegram',
      invitedBy: owner.personId,
      tokenHash: hashOfToken(word),
      minutes: 60,
    });
    await suspend(companyId);
    const claim = { channel: 'telegram', chatId: '-77', title: 'Склад', word } as const;
    assert.equal(await claimGroup(service.ctx, claim), 'unknown');
    await resumeCompany(service.ctx, companyId);
    assert.equal(await claimGroup(service.ctx, claim), 'linked');
  });

  test('is suspended and resumed once, and the audit log says why', async () => {
    const { owner, companyId } = await createKeys();
    assert.deepEqual([await suspend(companyId), await suspend(companyId)], [true, false]);
    const resume = () => resumeCompany(service.ctx, companyId);
    assert.deepEqual([await resume(), await resume()], [true, false]);
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert.deepEqual(
      rows.map(({ action, person: by, after }) => ({ action, by, after })),
      [
        { action: 'company.resumed', by: null, after: null },
        { action: 'company.suspended', by: null, after: { reason: REASON } },
      ],
    );
  });

  test('leaves the other companies of its people alone', async () => {
    const { owner, companyId } = await createKeys();
    await suspend(companyId);
    const { id } = (
      await as(owner).call(COMPANY_ENDPOINTS.createCompany, { body: { name: 'Другая' } })
    ).ok();
    const other = await service.key({ companyId: id as CompanyId });
    const made = await service.call('/links/shorten', { url: 'https://shop.kz' }, other);
    assert.equal(made.status, 200);
  });
});

describe('a blocked person', () => {
  const block = (who: TestPerson, reason: string | undefined = REASON) =>
    blockPerson(service.ctx, { person: { personId: who.personId, name: 'Кто-то' }, reason });
  const unblock = (who: TestPerson) =>
    blockPerson(service.ctx, {
      person: { personId: who.personId, name: 'Кто-то' },
      reason: undefined,
    });

  test('has no session any more, and gets a new one in no way', async () => {
    const who = await person({ role: 'owner' });
    const session = () => as(who).call(SESSION_ENDPOINTS.session);
    (await session()).ok();
    assert.equal(await block(who), true);
    (await session()).refused('not_signed_in');

    const { request_token } = (
      await call(SESSION_ENDPOINTS.sendPhoneCode, { body: { phone: who.phone } })
    ).ok();
    const code = readNewestCode(service, who.phone);
    const body = { phone: who.phone, code, request_token };
    const refused = await as(who).call(SESSION_ENDPOINTS.signInByPhone, { body });
    refused.refused('person_blocked');
    assert.equal(refused.headers['set-cookie'], undefined);

    // Every way to sign in ends here.
    const caller = { cookie: undefined, address: '127.0.0.1', device: 'Test/1.0' };
    for (const secondFactorAt of [undefined, new Date()]) {
      const start = { personId: who.personId, ...(secondFactorAt && { secondFactorAt }) };
      await assert.rejects(startSession(service.accounts, caller, start), {
        code: 'person_blocked',
      });
    }
    assert.deepEqual(
      await service.sql('select from session where person_id = $1', [who.personId]),
      [],
    );

    assert.equal(await unblock(who), true);
    const again = await startSession(service.accounts, caller, { personId: who.personId });
    assert.match(again.cookie, /zhiber=/);
  });

  test('cannot use a session that began at the moment of the block', async () => {
    const who = await person({ role: 'owner' });
    await service.sql('update person set blocked_at = clock_timestamp() where id = $1', [
      who.personId,
    ]);
    (await as(who).call(SESSION_ENDPOINTS.session)).refused('not_signed_in');
  });

  test('without a company is named in the audit log of the installation', async () => {
    const { personId } = await person();
    const named = { person: { personId, name: 'Без компании' }, reason: REASON };
    assert.equal(await blockPerson(service.ctx, named), true);
    const records = await service.sql(
      `select action, after, company_id = (select value::bigint from installation
         where name = 'system_company') as is_own from audit_record where object = $1`,
      ['Без компании'],
    );
    assert.deepEqual(records, [
      { action: 'member.blocked', after: { reason: REASON }, is_own: true },
    ]);
  });

  test('is named in the audit log of each of their companies, once', async () => {
    const who = await person({ role: 'owner' });
    const second = await service.company();
    await service.sql(
      `insert into member (company_id, person_id, role) values ($1, $2, 'viewer')`,
      [second, who.personId],
    );
    assert.deepEqual([await block(who), await block(who)], [true, false]);
    assert.deepEqual([await unblock(who), await unblock(who)], [true, false]);
    for (const companyId of [who.companyId, second]) {
      assert.deepEqual(
        await service.sql(
          'select action, object, after, person_id from audit_record where company_id = $1 order by id',
          [companyId],
        ),
        [
          {
            action: 'member.blocked',
            object: 'Кто-то',
            after: { reason: REASON },
            person_id: null,
          },
          { action: 'member.unblocked', object: 'Кто-то', after: null, person_id: null },
        ],
      );
    }
  });
});
