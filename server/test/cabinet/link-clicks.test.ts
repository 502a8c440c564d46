import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LINK_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { ClickRange } from '../../src/links/count-clicks.ts';
import { runConcurrently, until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { createLinkFixtures, TARGET } from './link-fixtures.ts';

const service = useService();
const { insertClicks, create, list, read } = createLinkFixtures(service);
const { person, as } = createCabinetClient(service);

describe('clicks', () => {
  test('of people and of robots are counted separately within the range', async () => {
    const companyId = await service.company();
    await create(companyId, 'counted');
    await insertClicks(companyId, 'Counted', { ago: '1 second', count: 3 });
    await insertClicks(companyId, 'counted', { ago: '1 second', count: 2, isRobot: true });
    await insertClicks(companyId, 'counted', { ago: '25 hours', count: 5 });
    await insertClicks(companyId, 'counted', { ago: '8 days', count: 7 });
    const counts = async (range: ClickRange) => {
      const clicks = (await list(companyId, { range })).links[0]?.clicks;
      return [clicks?.people, clicks?.robots];
    };
    assert.deepEqual(await counts('24h'), [3, 2]);
    assert.deepEqual(await counts('7d'), [8, 2]);
    assert.deepEqual(await counts('30d'), [15, 2]);
    assert.deepEqual(await counts('all'), [15, 2]);
  });

  test('are grouped into hours and into days of Almaty, empty ones included', async () => {
    const companyId = await service.company();
    await create(companyId, 'bucketed');
    // One second before and exactly at midnight in Almaty, which is UTC+5.
    await service.sql(
      `insert into click (slug_key, company_id, at) select 'bucketed', $1, midnight + shift
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

  test('of a popular link are aggregated once and counted exactly afterwards', async () => {
    const companyId = await service.company();
    await create(companyId, 'popular');
    await insertClicks(companyId, 'popular', { ago: '3 days', count: 60_000 });
    await insertClicks(companyId, 'popular', { ago: '2 hours', count: 20_000, isRobot: true });
    await insertClicks(companyId, 'popular', { ago: '1 hour', count: 10 });
    const count = async (range: ClickRange) => {
      let link = await read(companyId, 'popular', range);
      // On a busy machine one request may not have the time for all clicks; the next continues.
      await until('all clicks are counted', async () => {
        if (!link.clicks.is_whole) link = await read(companyId, 'popular', range);
        return link.clicks.is_whole;
      });
      const { clicks, buckets } = link;
      assert.equal(
        buckets.reduce((sum, { people }) => sum + people, 0),
        clicks.people,
      );
      return [clicks.people, clicks.robots, clicks.people_ever];
    };
    // Concurrent readers must not aggregate the same clicks twice.
    await runConcurrently(4, () => count('all'));
    assert.deepEqual(await count('all'), [60_010, 20_000, 60_010]);
    await insertClicks(companyId, 'popular', { ago: '0 seconds', count: 2 });
    assert.deepEqual(await count('all'), [60_012, 20_000, 60_012]);
    assert.deepEqual(await count('24h'), [12, 20_000, 60_012]);
    const [link] = await service.sql('select clicks_until from link where slug_key = $1', [
      'popular',
    ]);
    assert.ok(link?.clicks_until);
  });

  test('with a slow commit are counted once they are committed', async () => {
    const companyId = await service.company();
    await create(companyId, 'slow');
    await insertClicks(companyId, 'slow', { ago: '1 day', count: 6_000 });
    const count = async () => (await read(companyId, 'slow', 'all')).clicks.people;
    await service.ctx.db.transaction(async (tx) => {
      await tx.query(
        `insert into click (slug_key, company_id, at) values ('slow', $1, clock_timestamp())`,
        [companyId],
      );
      assert.equal(await count(), 6_000);
      await insertClicks(companyId, 'slow', { ago: '0 seconds', count: 10 });
      assert.equal(await count(), 6_010);
    });
    assert.equal(await count(), 6_011);
    await insertClicks(companyId, 'slow', { ago: '0 seconds', count: 6_000 });
    assert.equal(await count(), 12_011);
  });

  test('of robots do not count as the first or the last click', async () => {
    const key = await service.key();
    const body = { phone: service.phone(), url: TARGET, channel: 'auto' };
    const sent = await service.call('/links/send', body, key);
    const slug = String(sent.body.short_url).split('/').at(-1) as string;
    await insertClicks(key.companyId, slug, { ago: '5 hours', isRobot: true });
    const before = await read(key.companyId, slug);
    assert.deepEqual([before.clicks.first_at, before.clicks.last_at], [null, null]);
    await insertClicks(key.companyId, slug, { ago: '4 hours' });
    await insertClicks(key.companyId, slug, { ago: '1 hour', isRobot: true });
    const { clicks, recipient, message_id } = await read(key.companyId, slug);
    assert.equal(clicks.first_at?.getTime(), clicks.last_at?.getTime());
    assert.deepEqual([`+${recipient}`, message_id], [body.phone, sent.body.message_id]);
  });
});

describe('over HTTP', () => {
  test('a link is created, opened, counted, disabled and enabled', async () => {
    const who = as(await person({ role: 'marketer' }));
    const body = { url: 'https://shop.kz/sale', alias: 'Over-Http', expires_in: 3600 };
    const made = (await who.call(LINK_ENDPOINTS.createLink, { body })).ok();
    assert.deepEqual(made, {
      success: true,
      slug: 'Over-Http',
      short_url: 'http://localhost:3000/s/Over-Http',
    });
    const taken = (
      await who.call(LINK_ENDPOINTS.checkAlias, { query: { alias: 'over-http' } })
    ).ok();
    assert.deepEqual([taken.is_free, taken.free_ones.length], [false, 3]);
    const open = (headers: Record<string, string>) =>
      service.http.inject({ url: '/s/over-http', headers });
    assert.equal((await open({ 'user-agent': 'WhatsApp/2.24' })).statusCode, 302);
    const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
    assert.equal((await open({ 'user-agent': browser })).statusCode, 302);
    const shown = async () => (await who.call(LINK_ENDPOINTS.links, { query: {} })).ok().rows[0];
    await until('both clicks are counted', async () => {
      const row = await shown();
      return row?.people === 1 && row.robots === 1;
    });
    const { clicked_at, created_at, expires_at, ...row } = { ...(await shown()) };
    assert.deepEqual(row, {
      slug: 'Over-Http',
      short_url: made.short_url,
      url: body.url,
      source: 'shorten',
      state: 'active',
      tags: [],
      people: 1,
      scans: 0,
      robots: 1,
      is_counted: true,
    });
    assert.equal(Date.parse(String(expires_at)) - Date.parse(String(created_at)), 3_600_000);
    assert.ok(clicked_at);
    const params = { slug: 'over-http' };
    (await who.call(LINK_ENDPOINTS.disableLink, { params })).ok();
    assert.equal((await who.call(LINK_ENDPOINTS.link, { params })).ok().state, 'disabled');
    (await who.call(LINK_ENDPOINTS.enableLink, { params })).ok();
    const detail = (await who.call(LINK_ENDPOINTS.link, { params, query: { range: '24h' } })).ok();
    assert.deepEqual([detail.state, detail.recipient, detail.buckets.length], ['active', null, 24]);
  });

  const visiblePhones: [Role, string][] = [
    ['owner', '+77017654321'],
    ['developer', '+7701***4321'],
  ];
  for (const [role, phone] of visiblePhones) {
    test(`a ${role} sees that a link went to ${phone}`, async () => {
      const key = await service.key();
      const sent = await service.call(
        '/links/send',
        { phone: '+77017654321', url: TARGET, channel: 'auto' },
        key,
      );
      const slug = String(sent.body.short_url).split('/').at(-1) as string;
      await insertClicks(key.companyId, slug, { ago: '1 minute', count: 2 });
      const who = as(await person({ companyId: key.companyId, role }));
      const { recipient } = (await who.call(LINK_ENDPOINTS.link, { params: { slug } })).ok();
      const { first_click_at, ...rest } = recipient ?? {};
      assert.deepEqual(rest, { phone, message_id: sent.body.message_id, clicks: 2 });
      assert.ok(first_click_at);
    });
  }

  test('a link of another company is not found, and a viewer cannot change links', async () => {
    const theirs = await person({ role: 'owner' });
    const body = { url: TARGET, alias: 'theirs-alone' };
    (await as(theirs).call(LINK_ENDPOINTS.createLink, { body })).ok();
    const params = { slug: 'theirs-alone' };
    const mine = as(await person({ role: 'owner' }));
    for (const endpoint of [
      LINK_ENDPOINTS.link,
      LINK_ENDPOINTS.disableLink,
      LINK_ENDPOINTS.enableLink,
    ]) {
      (await mine.call(endpoint, { params })).refused('not_found');
    }
    const viewer = as(await person({ companyId: theirs.companyId as never, role: 'viewer' }));
    (await viewer.call(LINK_ENDPOINTS.link, { params })).ok();
    (await viewer.call(LINK_ENDPOINTS.disableLink, { params })).refused('no_right');
    (await viewer.call(LINK_ENDPOINTS.createLink, { body })).refused('no_right');
  });
});
