import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { CABINET_ENDPOINTS } from '@zhiber/contract/cabinet/endpoints.ts';
import { MESSAGE_ENDPOINTS } from '@zhiber/contract/cabinet/messages.ts';
import { hasRight, type Right, ROLES, type Role } from '@zhiber/contract/cabinet/rights.ts';
import { SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import type { CompanyId } from '../../src/ids.ts';
import { runConcurrently, useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { createCompanyFixtures } from './company-fixtures.ts';
import { type Belongings, SAMPLES, STREAMS } from './sample-requests.ts';

// The mask hides three digits of a phone, so unlimited searches for whole phones would reveal them.
const service = useService();
const client = createCabinetClient(service);
const { person, as } = client;
const { createBelongings } = createCompanyFixtures(service, client);
const HIDDEN = '+77015551234';
/** As a thief would try them: the mask, with each thousand in turn. */
const guess = (n: number) => `+7701${String(n).padStart(3, '0')}1234`;

async function createCompany() {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as CompanyId;
  const key = await service.key({ companyId, isTest: true });
  const sent = await service.call(
    '/links/send',
    { phone: HIDDEN, url: 'https://shop.kz', channel: 'sms' },
    key,
  );
  const messageId = String(sent.body.message_id);
  const slug = String(sent.body.short_url).split('/').at(-1) as string;
  const join = (role: Role) => person({ role, companyId });
  return { owner, companyId, keyId: key.keyId, messageId, slug, join };
}

const search = (who: TestPerson, text: string) =>
  as({ ...who }).call(MESSAGE_ENDPOINTS.messages, { query: { search: text } });
const follow = (who: TestPerson, text: string) =>
  service.http.inject({
    url: `/cabinet/messages/live?search=${encodeURIComponent(text)}`,
    headers: { cookie: who.cookie },
    payloadAsStream: true,
  });
const searchesIn = (companyId: CompanyId) =>
  service.sql<{ object: string; text: string }>(
    `select object, audit_record::text as text from audit_record
     where company_id = $1 and action = 'phones.searched' order by id`,
    [companyId],
  );

describe('a member who sees phones masked', () => {
  test('finds the messages of a whole number in any spelling, and no hidden digits', async () => {
    const { join } = await createCompany();
    const viewer = await join('viewer');
    for (const whole of [HIDDEN, '8 (701) 555-12-34', '7015551234', ' 77015551234 ']) {
      const [row, ...others] = (await search(viewer, whole)).ok().rows;
      assert.deepEqual([row?.phone, others], ['+7701***1234', []], whole);
    }
    const parts = ['+7701', '701555', '+7701***1234', '+7701555____', '7701%'];
    for (const part of parts) {
      assert.deepEqual((await search(viewer, part)).ok().rows, [], part);
    }
    // Right and wrong guesses of a hidden digit have the same answer as the four that are shown.
    for (const tail of ['1234', '51234', '91234', '5551234', '9991234']) {
      const phones = (await search(viewer, tail)).ok().rows.map(({ phone }) => phone);
      assert.deepEqual(phones, ['+7701***1234'], tail);
    }
  });

  test('searches for at most thirty numbers an hour, wherever the search is', async () => {
    const { join } = await createCompany();
    const viewer = await join('viewer');
    for (let n = 0; n < 26; n++) (await search(viewer, guess(n))).ok();
    for (let n = 26; n < 30; n++) {
      const stream = await follow(viewer, guess(n));
      assert.equal(stream.statusCode, 200);
      stream.stream().destroy();
    }
    const refused = (await search(viewer, HIDDEN)).refused('phone_search_limited');
    assert(Number(refused.retry_after) > 3_500 && Number(refused.retry_after) <= 3_600);
    const stream = await follow(viewer, HIDDEN);
    assert.equal(stream.statusCode, 429);
    // Everything else goes on, and so do the numbers that were searched for.
    (await as(viewer).call(MESSAGE_ENDPOINTS.messages)).ok();
    (await search(viewer, 'req_unknown')).ok();
    (await search(viewer, guess(7))).ok();
    // An hour later, in a session that is still open.
    await service.sql(
      `update sign_in_limit set recent = array(select t - interval '3601 s' from unnest(recent) t)`,
    );
    assert.equal((await search(viewer, HIDDEN)).ok().rows.length, 1);
  });

  test('is not helped by parallel searches, neither for many numbers nor for one', async () => {
    const { companyId, join } = await createCompany();
    const viewer = await join('viewer');
    // Each number twice at once: the second must not pass while the first is refused.
    const answers = await runConcurrently(120, (i) => search(viewer, guess(i >> 1)));
    const answered = new Set(
      answers.flatMap(({ status }, i) => (status === 200 ? [guess(i >> 1)] : [])),
    );
    assert.equal(answered.size, 30);
    assert.equal((await searchesIn(companyId)).length, 30);
  });

  test('uses up one search for a number, however often a page asks for it', async () => {
    const { companyId, join } = await createCompany();
    const viewer = await join('viewer');
    for (let i = 0; i < 40; i++) (await search(viewer, HIDDEN)).ok();
    assert.equal((await searchesIn(companyId)).length, 1);
    for (let n = 0; n < 29; n++) (await search(viewer, guess(n))).ok();
    (await search(viewer, guess(900))).refused('phone_search_limited');
  });

  test('leaves a record in each company where they search for the same number', async () => {
    const [first, second] = [await createCompany(), await createCompany()];
    const viewer = await first.join('viewer');
    await service.sql(
      `insert into member (company_id, person_id, role) values ($1, $2, 'viewer')`,
      [second.companyId, viewer.personId],
    );
    (await search(viewer, HIDDEN)).ok();
    const body = { company_id: second.companyId };
    (await as(viewer).call(SESSION_ENDPOINTS.switchCompany, { body })).ok();
    (await search(viewer, HIDDEN)).ok();
    for (const { companyId } of [first, second]) {
      assert.equal((await searchesIn(companyId)).length, 1);
    }
  });

  test('leaves a record in the audit log, without the whole number', async () => {
    const { owner, companyId, join } = await createCompany();
    const viewer = await join('viewer');
    (await search(viewer, HIDDEN)).ok();
    (await search(viewer, '8 701 999 12 34')).ok();
    const { rows } = (
      await as(owner).call(AUDIT_ENDPOINTS.audit, { query: { action: 'phones.searched' } })
    ).ok();
    assert.deepEqual(
      rows.map(({ person: by, object, before, after }) => ({ by, object, before, after })),
      Array(2).fill({
        by: `Человек ${viewer.phone}`,
        object: '+7701***1234',
        before: null,
        after: null,
      }),
    );
    for (const { text } of await searchesIn(companyId)) {
      // Three digits alone may be in the hash of a record by chance.
      assert.doesNotMatch(text, /701 ?(555|999)/);
    }
  });
});

test('a member who sees phones in full searches without limit and without a record', async () => {
  const { owner, companyId, join } = await createCompany();
  for (const who of [owner, await join('manager')]) {
    for (let n = 0; n < 40; n++) (await search(who, guess(n))).ok();
  }
  assert.deepEqual(await searchesIn(companyId), []);
});

describe('no answer of the cabinet contains a whole phone', () => {
  const reading = Object.entries(SAMPLES).filter(([name]) => {
    const { method } = CABINET_ENDPOINTS[name as keyof typeof SAMPLES];
    // The virtual phone is where test messages arrive: nothing was sent to a person.
    return method === 'GET' && name !== 'phoneMessages' && !STREAMS.includes(name as never);
  });
  for (const role of ROLES.filter((each) => !hasRight(each, 'phones.see'))) {
    test(`for the role of ${role}`, async () => {
      const company = await createCompany();
      const member = await company.join(role);
      const belongings = await createBelongings(company.owner);
      for (const [name, sample] of reading) {
        const endpoint = CABINET_ENDPOINTS[name as keyof typeof SAMPLES];
        if (!hasRight(role, endpoint.policy as Right)) continue;
        const request = (sample as (own: Belongings) => object)({ ...belongings, ...company });
        const { status, text } = await as(member).call(endpoint, request as never);
        assert.equal(status, 200, `${name} ${text}`);
        assert.doesNotMatch(text, /5551234|555.?12.?34/, name);
      }
    });
  }
});
