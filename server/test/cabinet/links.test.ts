import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompanyId } from '../../src/ids.ts';
import { checkAlias } from '../../src/links/check-alias.ts';
import { barLink } from '../../src/links/link-store.ts';
import { switchLink } from '../../src/links/switch-link.ts';
import { passProcessSecond, together, useService } from '../harness.ts';
import { ACTOR, linksOf, refusedWith, TARGET } from './links-rig.ts';

const service = useService();
const { create, list, names, read } = linksOf(service);
const set = (companyId: CompanyId, slug: string, isOn: boolean) =>
  switchLink(service.ctx, ACTOR, { companyId, slug, isOn });

function deeds(companyId: CompanyId) {
  return service.sql(
    `select action, object, after, address, request_id from audit_record where company_id = $1 order by id`,
    [companyId],
  );
}

describe('the list of links', () => {
  test('is the company’s own, newest first, page after page, each once', async () => {
    const companyId = await service.company();
    const foreign = await service.company();
    await create(foreign);
    const made: string[] = [];
    for (const round of Array.from({ length: 6 }).keys()) {
      // Links of one batch have one time to the microsecond: the place between them is their name.
      const key = await service.key({ companyId });
      const batch = await together(20, (i) =>
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

  test('refuses a place that is none', async () => {
    const companyId = await service.company();
    for (const cursor of ['', 'x', '1.', `${'9'.repeat(18)}.ab`, "1.a'b"]) {
      await assert.rejects(list(companyId, { cursor }), refusedWith('validation_error'), cursor);
    }
  });

  test('finds by part of the address, by name, and by the whole short link', async () => {
    const companyId = await service.company();
    await create(companyId, 'Spring-Sale', { url: 'https://shop.kz/Весна?A=1' });
    await create(companyId, 'other-one', { url: 'https://shop.kz/100%25' });
    assert.deepEqual(await names(companyId, { search: 'SPRING' }), ['Spring-Sale']);
    assert.deepEqual(await names(companyId, { search: '?a=1' }), ['Spring-Sale']);
    assert.deepEqual(await names(companyId, { search: '100%' }), ['other-one']);
    const whole = 'http://localhost:3000/s/Spring-Sale';
    assert.deepEqual(await names(companyId, { search: ` ${whole} ` }), ['Spring-Sale']);
    assert.deepEqual(await names(companyId, { search: 'nowhere' }), []);
  });

  test('tells what each link was made for, and is narrowed by it', async () => {
    const key = await service.key();
    const { companyId } = key;
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
      assert.deepEqual(await names(companyId, { source }), [slug], source);
    }
  });

  test('tells whether each link is active, and is narrowed by it', async () => {
    const companyId = await service.company();
    await create(companyId, 'state-expired', { expiresInSeconds: 60 });
    await service.passTime(61);
    await create(companyId, 'state-off');
    await set(companyId, 'state-off', false);
    await create(companyId, 'state-on');
    for (const [state, slug] of [
      ['active', 'state-on'],
      ['disabled', 'state-off'],
      ['expired', 'state-expired'],
    ] as const) {
      assert.deepEqual(await names(companyId, { state }), [slug]);
    }
  });

  test('stops a search for what is rare, and goes on from there', async () => {
    const companyId = await service.company();
    await create(companyId, 'needle-in-hay');
    await service.sql(
      `insert into link (folded, slug, company_id, url) select 'hay' || n, 'hay' || n, $1, 'https://hay.kz/'
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
  test('that is made is written down with who made it', async () => {
    const companyId = await service.company();
    const made = await create(companyId, 'Audited', { expiresInSeconds: 3600 });
    assert.deepEqual([made.slug, made.shortUrl], ['Audited', 'http://localhost:3000/s/Audited']);
    assert.deepEqual(await deeds(companyId), [
      {
        action: 'link.created',
        object: made.shortUrl,
        after: { url: TARGET, expires_in: 3600 },
        address: '192.0.2.1',
        request_id: 'req_links',
      },
    ]);
  });

  test('whose name is taken is not made, and nothing is written down', async () => {
    const [mine, theirs] = [await service.company(), await service.company()];
    await create(theirs, 'wanted');
    await assert.rejects(create(mine, 'WANTED'), refusedWith('alias_taken'));
    await assert.rejects(create(mine, 'api'), refusedWith('alias_taken'));
    await assert.rejects(create(mine, 'x-y', { url: 'javascript:1' }), refusedWith('invalid_url'));
    assert.deepEqual(await deeds(mine), []);
  });

  test('that is switched off answers 410 within a second, and on again it redirects', async () => {
    const companyId = await service.company();
    await create(companyId, 'switched');
    const status = async () => (await service.http.inject({ url: '/s/switched' })).statusCode;
    assert.equal(await status(), 302);
    await set(companyId, 'Switched', false);
    passProcessSecond();
    assert.equal(await status(), 410);
    await set(companyId, 'switched', false);
    await set(companyId, 'switched', true);
    passProcessSecond();
    assert.equal(await status(), 302);
    const actions = (await deeds(companyId)).map(({ action }) => action);
    assert.deepEqual(actions, ['link.created', 'link.disabled', 'link.enabled']);
  });

  test('that has expired, or that the operator has switched off, stays off', async () => {
    const companyId = await service.company();
    await create(companyId, 'over', { expiresInSeconds: 60 });
    await set(companyId, 'over', false);
    await service.passTime(61);
    await assert.rejects(set(companyId, 'over', true), refusedWith('link_closed'));
    await create(companyId, 'barred');
    await barLink(service.ctx.db, companyId, 'barred');
    await assert.rejects(set(companyId, 'barred', true), refusedWith('link_closed'));
    assert.equal((await read(companyId, 'barred')).state, 'disabled');
  });

  test('of another company is as unknown as none', async () => {
    const [mine, theirs] = [await service.company(), await service.company()];
    await create(theirs, 'foreign');
    for (const slug of ['foreign', 'nothing-there', "x'", '']) {
      await assert.rejects(read(mine, slug), refusedWith('not_found'));
      await assert.rejects(set(mine, slug, false), refusedWith('not_found'));
      await assert.rejects(set(mine, slug, true), refusedWith('not_found'));
    }
    assert.equal((await read(theirs, 'foreign')).state, 'active');
  });
});

describe('a short name', () => {
  const check = (companyId: CompanyId, alias: string) =>
    checkAlias(service.ctx, { companyId, alias });

  test('that nobody has is free', async () => {
    assert.deepEqual(await check(await service.company(), 'free-one'), {
      isFree: true,
      freeOnes: [],
    });
  });

  test('that is taken or reserved comes with three free ones, each of which can be made', async () => {
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

  test('that has expired is free for its company alone', async () => {
    const [mine, theirs] = [await service.company(), await service.company()];
    await create(mine, 'again', { expiresInSeconds: 60 });
    await service.passTime(61);
    assert.equal((await check(mine, 'again')).isFree, true);
    assert.equal((await check(theirs, 'again')).isFree, false);
  });

  for (const alias of ['', 'x', '-ab', 'a b', 'имя', 'a'.repeat(65)]) {
    test(`cannot be ${JSON.stringify(alias.slice(0, 10))}`, async () => {
      const companyId = await service.company();
      await assert.rejects(check(companyId, alias), refusedWith('validation_error'));
    });
  }
});
