import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompanyId } from '../../src/ids.ts';
import { checkAlias } from '../../src/links/check-alias.ts';
import type { ClickRange } from '../../src/links/clicks/click-store.ts';
import { createLink } from '../../src/links/create-link.ts';
import { barLink } from '../../src/links/link-store.ts';
import { type ListLinksRequest, listLinks } from '../../src/links/list-links.ts';
import { readLink } from '../../src/links/read-link.ts';
import { switchLink } from '../../src/links/switch-link.ts';
import { Problem } from '../../src/problem.ts';
import { together, until, useService } from '../harness.ts';

const service = useService();
const ACTOR = { origin: { requestId: 'req_links', address: '192.0.2.1', device: 'Firefox' } };
const URL_SHOWN = 'https://example.kz/';

const create = (companyId: CompanyId, alias?: string, more: object = {}) =>
  createLink(service.ctx, ACTOR, { companyId, url: URL_SHOWN, alias, ...more });
const list = (companyId: CompanyId, more: Partial<ListLinksRequest> = {}) =>
  listLinks(service.ctx, { companyId, range: '30d', ...more });
const read = (companyId: CompanyId, slug: string, range: ClickRange = '30d') =>
  readLink(service.ctx, { companyId, slug, range });
const set = (companyId: CompanyId, slug: string, isOn: boolean) =>
  switchLink(service.ctx, ACTOR, { companyId, slug, isOn });
const names = async (companyId: CompanyId, more: Partial<ListLinksRequest> = {}) =>
  (await list(companyId, more)).links.map((link) => link.slug);

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code;

/** Clicks that came at these times before now, as the server would have written them. */
async function clicked(
  companyId: CompanyId,
  slug: string,
  { ago, count = 1, isRobot = false }: { ago: string; count?: number; isRobot?: boolean },
): Promise<void> {
  await service.sql(
    `insert into click (folded, company_id, at, is_robot)
     select lower($2), $1, clock_timestamp() - $3::interval + n * interval '1 microsecond', $5
     from generate_series(1, $4) n`,
    [companyId, slug, ago, count, isRobot],
  );
}

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
        service.call('/links/shorten', { url: URL_SHOWN, alias: `page-${round}-${i}` }, key),
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

describe('clicks', () => {
  test('of people and of robots are counted apart, within the range', async () => {
    const companyId = await service.company();
    await create(companyId, 'counted');
    await clicked(companyId, 'Counted', { ago: '1 second', count: 3 });
    await clicked(companyId, 'counted', { ago: '1 second', count: 2, isRobot: true });
    await clicked(companyId, 'counted', { ago: '25 hours', count: 5 });
    await clicked(companyId, 'counted', { ago: '8 days', count: 7 });
    const counts = async (range: ClickRange) => {
      const clicks = (await list(companyId, { range })).links[0]?.clicks;
      return [clicks?.people, clicks?.robots];
    };
    assert.deepEqual(await counts('24h'), [3, 2]);
    assert.deepEqual(await counts('7d'), [8, 2]);
    assert.deepEqual(await counts('30d'), [15, 2]);
    assert.deepEqual(await counts('all'), [15, 2]);
  });

  test('fall into days of Almaty and into hours, with the empty ones between', async () => {
    const companyId = await service.company();
    await create(companyId, 'bucketed');
    // One second before and after a midnight in Almaty, which is five hours ahead.
    await service.sql(
      `insert into click (folded, company_id, at) select 'bucketed', $1, midnight + shift
       from (select date_trunc('day', now() at time zone 'Asia/Almaty') at time zone 'Asia/Almaty' as midnight),
         unnest(array['-1 second', '0 seconds']::interval[]) as shift`,
      [companyId],
    );
    const { buckets } = await read(companyId, 'bucketed', '7d');
    assert.deepEqual(
      buckets.map(({ people }) => people),
      [0, 0, 0, 0, 0, 1, 1],
    );
    for (const { at } of buckets) assert.match(at.toISOString(), /T19:00:00/);
    const hours = (await read(companyId, 'bucketed', '24h')).buckets;
    assert.equal(hours.length, 24);
    const gaps = hours.slice(1).map(({ at }, i) => at.getTime() - Number(hours[i]?.at.getTime()));
    assert.deepEqual(new Set(gaps), new Set([3_600_000]));
    assert.equal((await read(companyId, 'bucketed', '30d')).buckets.length, 30);
    const all = (await read(companyId, 'bucketed', 'all')).buckets;
    assert.deepEqual(
      all.map(({ people }) => people),
      [1, 1],
    );
  });

  test('of a very popular link are added up once, and counted exactly from then on', async () => {
    const companyId = await service.company();
    await create(companyId, 'popular');
    await clicked(companyId, 'popular', { ago: '3 days', count: 60_000 });
    await clicked(companyId, 'popular', { ago: '2 hours', count: 20_000, isRobot: true });
    await clicked(companyId, 'popular', { ago: '1 hour', count: 10 });
    const count = async (range: ClickRange) => {
      const { clicks, buckets } = await read(companyId, 'popular', range);
      assert.ok(clicks.is_whole);
      assert.equal(
        buckets.reduce((sum, { people }) => sum + people, 0),
        clicks.people,
      );
      return [clicks.people, clicks.robots, clicks.people_ever];
    };
    // Several readers come at once, and none of them adds what another has added.
    await together(4, () => count('all'));
    assert.deepEqual(await count('all'), [60_010, 20_000, 60_010]);
    await clicked(companyId, 'popular', { ago: '1 second', count: 2 });
    assert.deepEqual(await count('all'), [60_012, 20_000, 60_012]);
    assert.deepEqual(await count('24h'), [12, 20_000, 60_012]);
    const [link] = await service.sql('select clicks_until from link where folded = $1', [
      'popular',
    ]);
    assert.ok(link?.clicks_until);
  });

  test('of a robot are not the first one or the last', async () => {
    const key = await service.key();
    const body = { phone: service.phone(), url: URL_SHOWN, channel: 'auto' };
    const sent = await service.call('/links/send', body, key);
    const slug = String(sent.body.short_url).split('/').at(-1) as string;
    await clicked(key.companyId, slug, { ago: '5 hours', isRobot: true });
    const before = await read(key.companyId, slug);
    assert.deepEqual([before.clicks.first_at, before.clicks.last_at], [null, null]);
    await clicked(key.companyId, slug, { ago: '4 hours' });
    await clicked(key.companyId, slug, { ago: '1 hour', isRobot: true });
    const { clicks, recipient, message_id } = await read(key.companyId, slug);
    assert.equal(clicks.first_at?.getTime(), clicks.last_at?.getTime());
    assert.deepEqual([`+${recipient}`, message_id], [body.phone, sent.body.message_id]);
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
        after: { url: URL_SHOWN, expires_in: 3600 },
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
    const startedMs = performance.now();
    await set(companyId, 'Switched', false);
    await until('it is closed', async () => (await status()) === 410);
    assert.ok(performance.now() - startedMs < 1_000);
    await set(companyId, 'switched', false);
    await set(companyId, 'switched', true);
    await until('it is open', async () => (await status()) === 302);
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
