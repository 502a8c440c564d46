import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompanyId } from '../../src/ids.ts';
import { disableLinkPermanently } from '../../src/links/link-store.ts';
import { checkAlias } from '../../src/links/shorten-link.ts';
import { switchLink } from '../../src/links/switch-link.ts';
import { advanceProcessClock, runConcurrently, useService } from '../harness.ts';
import { ACTOR, createLinkFixtures, isProblem, TARGET } from './link-fixtures.ts';

const service = useService();
const { create, list, listSlugs, read } = createLinkFixtures(service);
const setEnabled = (companyId: CompanyId, slug: string, isOn: boolean) =>
  switchLink(service.ctx, ACTOR, { companyId, slug, isOn });

function auditEvents(companyId: CompanyId) {
  return service.sql(
    `select action, object, after, address, request_id from audit_record where company_id = $1 order by id`,
    [companyId],
  );
}

describe('the list of links', () => {
  test('pages through every link of the company once, newest first', async () => {
    const companyId = await service.company();
    const foreign = await service.company();
    await create(foreign);
    const made: string[] = [];
    for (const round of Array.from({ length: 6 }).keys()) {
      // Links of one batch share the same microsecond, so the cursor also needs the slug.
      const key = await service.key({ companyId });
      const batch = await runConcurrently(20, (i) =>
        service.call('/links/shorten', { url: TARGET, alias: `page-${round}-${i}` }, key),
      );
      made.push(...batch.map(({ body }) => String(body.short_url).split('/').at(-1) as string));
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(companyId, { cursor });
      seen.push(...page.links.map((link) => link.slug));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(seen.toSorted(), made.toSorted());
    const rounds = seen.map((slug) => Number(slug.split('-')[1]));
    assert.deepEqual(
      rounds,
      rounds.toSorted((a, b) => b - a),
    );
  });

  test('refuses an invalid cursor', async () => {
    const companyId = await service.company();
    for (const cursor of ['', 'x', '1.', `${'9'.repeat(18)}.ab`, "1.a'b"]) {
      await assert.rejects(list(companyId, { cursor }), isProblem('validation_error'), cursor);
    }
  });

  test('is searched by a part of the address, by slug and by the whole short link', async () => {
    const companyId = await service.company();
    await create(companyId, 'Spring-Sale', { url: 'https://shop.kz/Весна?A=1' });
    await create(companyId, 'other-one', { url: 'https://shop.kz/100%25' });
    assert.deepEqual(await listSlugs(companyId, { search: 'SPRING' }), ['Spring-Sale']);
    assert.deepEqual(await listSlugs(companyId, { search: '?a=1' }), ['Spring-Sale']);
    assert.deepEqual(await listSlugs(companyId, { search: '100%' }), ['other-one']);
    const whole = 'http://localhost:3000/s/Spring-Sale';
    assert.deepEqual(await listSlugs(companyId, { search: ` ${whole} ` }), ['Spring-Sale']);
    assert.deepEqual(await listSlugs(companyId, { search: 'nowhere' }), []);
  });

  test('shows the source of each link and is filtered by it', async () => {
    const key = await service.key();
    const { companyId } = key;
    await service.markPaid(companyId);
    await service.sql(
      `insert into messenger_group (company_id, channel, name, chat_id) values ($1, 'telegram', 'Смена', '-1')`,
      [companyId],
    );
    const link = 'https://example.kz/a';
    await service.call('/otp/send', { phone: service.phone(), link, channel: 'sms' }, key);
    await service.call('/links/send', { phone: service.phone(), url: link, channel: 'auto' }, key);
    await service.call('/group/send', { group: 'Смена', text: 'Заказ :link', link }, key);
    await create(companyId);
    const { links } = await list(companyId);
    assert.deepEqual(
      links.map(({ source }) => source),
      ['shorten', 'group', 'link', 'otp'],
    );
    for (const { slug, source } of links) {
      assert.deepEqual(await listSlugs(companyId, { source }), [slug], source);
    }
  });

  test('shows the state of each link and is filtered by it', async () => {
    const companyId = await service.company();
    await create(companyId, 'state-expired', { expiresInSeconds: 60 });
    await service.passTime(61);
    await create(companyId, 'state-off');
    await setEnabled(companyId, 'state-off', false);
    await create(companyId, 'state-on');
    for (const [state, slug] of [
      ['active', 'state-on'],
      ['disabled', 'state-off'],
      ['expired', 'state-expired'],
    ] as const) {
      assert.deepEqual(await listSlugs(companyId, { state }), [slug]);
    }
  });

  test('stops a long search and continues it from the cursor', async () => {
    const companyId = await service.company();
    await create(companyId, 'needle-in-hay');
    await service.sql(
      `insert into link (slug_key, slug, company_id, url) select 'hay' || n, 'hay' || n, $1, 'https://hay.kz/'
       from generate_series(1, 20005) n`,
      [companyId],
    );
    const first = await list(companyId, { search: 'needle' });
    assert.deepEqual([first.links, first.searchedUntil === null], [[], false]);
    const second = await list(companyId, { search: 'needle', cursor: first.next ?? '' });
    assert.deepEqual(
      [second.links.map(({ slug }) => slug), second.next],
      [['needle-in-hay'], null],
    );
  });
});

describe('a link', () => {
  test('is recorded in the audit log when it is created', async () => {
    const companyId = await service.company();
    const made = await create(companyId, 'Audited', { expiresInSeconds: 3600 });
    assert.deepEqual([made.slug, made.shortUrl], ['Audited', 'http://localhost:3000/s/Audited']);
    assert.deepEqual(await auditEvents(companyId), [
      {
        action: 'link.created',
        object: made.shortUrl,
        after: { url: TARGET, expires_in: 3600 },
        address: '192.0.2.1',
        request_id: 'req_links',
      },
    ]);
  });

  test('with a taken alias is neither created nor recorded in the audit log', async () => {
    const [mine, theirs] = [await service.company(), await service.company()];
    await create(theirs, 'wanted');
    await assert.rejects(create(mine, 'WANTED'), isProblem('alias_taken'));
    await assert.rejects(create(mine, 'api'), isProblem('alias_taken'));
    await assert.rejects(create(mine, 'x-y', { url: 'javascript:1' }), isProblem('invalid_url'));
    assert.deepEqual(await auditEvents(mine), []);
  });

  test('answers 410 within a second of being disabled, and redirects when enabled again', async () => {
    const companyId = await service.company();
    await create(companyId, 'switched');
    const status = async () => (await service.http.inject({ url: '/s/switched' })).statusCode;
    assert.equal(await status(), 302);
    await setEnabled(companyId, 'Switched', false);
    advanceProcessClock();
    assert.equal(await status(), 410);
    await setEnabled(companyId, 'switched', false);
    await setEnabled(companyId, 'switched', true);
    advanceProcessClock();
    assert.equal(await status(), 302);
    const actions = (await auditEvents(companyId)).map(({ action }) => action);
    assert.deepEqual(actions, ['link.created', 'link.disabled', 'link.enabled']);
  });

  test('cannot be enabled after its expiry or when the operator has disabled it', async () => {
    const companyId = await service.company();
    await create(companyId, 'over', { expiresInSeconds: 60 });
    await setEnabled(companyId, 'over', false);
    await service.passTime(61);
    await assert.rejects(setEnabled(companyId, 'over', true), isProblem('link_closed'));
    await create(companyId, 'barred');
    await disableLinkPermanently(service.ctx.db, companyId, 'barred');
    await assert.rejects(setEnabled(companyId, 'barred', true), isProblem('link_closed'));
    assert.equal((await read(companyId, 'barred')).state, 'disabled');
  });

  test('of another company is not found', async () => {
    const [mine, theirs] = [await service.company(), await service.company()];
    await create(theirs, 'foreign');
    for (const slug of ['foreign', 'nothing-there', "x'", '']) {
      await assert.rejects(read(mine, slug), isProblem('not_found'));
      await assert.rejects(setEnabled(mine, slug, false), isProblem('not_found'));
      await assert.rejects(setEnabled(mine, slug, true), isProblem('not_found'));
    }
    assert.equal((await read(theirs, 'foreign')).state, 'active');
  });
});

describe('an alias', () => {
  const check = (companyId: CompanyId, alias: string) =>
    checkAlias(service.ctx, { companyId, alias });

  test('that no company has is free', async () => {
    assert.deepEqual(await check(await service.company(), 'free-one'), {
      isFree: true,
      freeOnes: [],
    });
  });

  test('that is taken or reserved is answered with three free ones that can be created', async () => {
    const companyId = await service.company();
    const long = `${'l'.repeat(62)}-x`;
    for (const alias of ['sale', 'sale-2', long]) await create(companyId, alias);
    for (const alias of ['SALE', 'api', long]) {
      const { isFree, freeOnes } = await check(await service.company(), alias);
      assert.deepEqual([isFree, freeOnes.length], [false, 3]);
      assert.ok(!freeOnes.map((name) => name.toLowerCase()).includes('sale-2'));
      for (const name of freeOnes) await create(companyId, name);
    }
  });

  test('of an expired link is free for its company only', async () => {
    const [mine, theirs] = [await service.company(), await service.company()];
    await create(mine, 'again', { expiresInSeconds: 60 });
    await service.passTime(61);
    assert.equal((await check(mine, 'again')).isFree, true);
    assert.equal((await check(theirs, 'again')).isFree, false);
  });

  for (const alias of ['', 'x', '-ab', 'a b', 'имя', 'a'.repeat(65)]) {
    test(`cannot be ${JSON.stringify(alias.slice(0, 10))}`, async () => {
      const companyId = await service.company();
      await assert.rejects(check(companyId, alias), isProblem('validation_error'));
    });
  }
});
