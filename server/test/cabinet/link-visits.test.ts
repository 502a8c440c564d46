import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LINK_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import { callFunction } from '../../src/db/call-function.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { createLinkFixtures, TARGET } from './link-fixtures.ts';

const service = useService();
const { create, insertClicks, read } = createLinkFixtures(service);
const { person, as } = createCabinetClient(service);

const IN_KAZAKHSTAN = '95.56.234.1';
const IN_RUSSIA = '77.88.8.8';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1';
const TELEVISION = 'Mozilla/5.0 (SMART-TV; Tizen 6.0) Version/6.0 TV Safari/538.1';
const ROBOT = 'TelegramBot (like TwitterBot)';

type Visit = { agent?: string; from?: string; referer?: string };

async function open(path: string, { agent = ANDROID, from = IN_KAZAKHSTAN, referer }: Visit = {}) {
  const headers = { 'user-agent': agent, ...(referer !== undefined && { referer }) };
  const opened = await service.http.inject({
    url: `/s/${path}`,
    headers,
    remoteAddress: from,
  });
  assert.deepEqual([opened.statusCode, opened.headers.location], [302, TARGET]);
}

async function untilRecorded(slug: string, count: number): Promise<void> {
  await until(`${count} clicks are recorded`, async () => {
    const rows = await service.sql('select 1 from click where slug_key = $1', [slug]);
    return rows.length === count;
  });
}

describe('what is known of a click', () => {
  test('is its device, system, browser, country and the host of the page', async () => {
    const companyId = await service.company();
    await create(companyId, 'known');
    await open('known', { referer: 'https://www.instagram.com/somebody?private=1' });
    await untilRecorded('known', 1);
    const [row] = await service.sql(
      `select is_robot, is_scan, device, system, browser, country, referrer from click where slug_key = 'known'`,
    );
    assert.deepEqual(row, {
      is_robot: false,
      is_scan: false,
      device: 'phone',
      system: 'android',
      browser: 'chrome',
      country: 'KZ',
      referrer: 'instagram.com',
    });
  });

  test('is nothing of a robot, and nothing of an agent, address or page without meaning', async () => {
    const companyId = await service.company();
    await create(companyId, 'unknown');
    await open('unknown', { agent: ROBOT, referer: 'https://shop.kz/' });
    await open('unknown', {
      agent: `Mozilla/5.0 ${'x'.repeat(600)}`,
      from: '10.0.0.1',
      referer: 'x',
    });
    await untilRecorded('unknown', 2);
    const rows = await service.sql(
      `select device, system, browser, country, referrer from click where slug_key = 'unknown'`,
    );
    const nothing = { device: null, system: null, browser: null, country: null, referrer: null };
    assert.deepEqual(rows, [nothing, nothing]);
  });

  test('is not its address or its agent, in no table', async () => {
    const companyId = await service.company();
    await create(companyId, 'private');
    const address = '95.56.234.77';
    const agent = 'Mozilla/5.0 (Linux; Android 10; Canary-7731) Chrome/140.0 Mobile Safari/537.36';
    await open('private', { agent, from: address, referer: 'https://shop.kz/canary-path' });
    await untilRecorded('private', 1);
    await read(companyId, 'private', 'all');
    const tables = await service.sql<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    assert.ok(tables.length > 50);
    for (const { name } of tables) {
      const found = await service.sql(
        `select 1 from ${name} t where t::text like any (array['%' || $1 || '%', '%Canary-7731%', '%canary-path%'])`,
        [address],
      );
      assert.equal(found.length, 0, name);
    }
  });

  test('is not known of a node of the release before, whose clicks are counted all the same', async () => {
    const companyId = await service.company();
    await create(companyId, 'earlier');
    const record = { name: 'record_clicks', columns: 'record_clicks as recorded' };
    await callFunction(service.ctx.db, record, {
      p_slug_key: ['earlier', 'earlier'],
      p_company: [companyId, companyId],
      p_message: [null, null],
      p_recipient: [null, null],
      p_is_robot: false,
    });
    const { clicks, parts } = await read(companyId, 'earlier');
    assert.deepEqual([clicks.people, clicks.scans, clicks.robots], [2, 0, 0]);
    assert.deepEqual(parts.device, { top: [], others: 0, unknown: 2 });
  });
});

describe('a QR code', () => {
  test('is counted apart from clicks, also when a messenger adds to the address', async () => {
    const companyId = await service.company();
    await create(companyId, 'scanned');
    for (const path of [
      'scanned?q',
      'SCANNED?q=',
      'scanned?q&fbclid=1',
      'scanned?utm=q',
      'scanned',
    ]) {
      await open(path);
    }
    await open('scanned?q', { agent: ROBOT });
    await untilRecorded('scanned', 6);
    for (const range of ['24h', 'all'] as const) {
      const { clicks, buckets } = await read(companyId, 'scanned', range);
      assert.deepEqual([clicks.people, clicks.scans, clicks.robots], [2, 3, 1], range);
      const sums = buckets.reduce(
        ([people = 0, scans = 0, robots = 0], each) => [
          people + each.people,
          scans + each.scans,
          robots + each.robots,
        ],
        [0, 0, 0],
      );
      assert.deepEqual(sums, [2, 3, 1], range);
      assert.equal(clicks.people_ever, 5);
    }
  });

  test('never leads to another link: no name has its mark', async () => {
    const who = as(await person({ role: 'owner' }));
    const body = { url: TARGET, alias: 'spring?q' };
    (await who.call(LINK_ENDPOINTS.createLink, { body })).refused('validation_error');
    const reply = await service.http.inject({ url: '/s/nobody-has-it?q' });
    assert.equal(reply.statusCode, 404);
  });
});

describe('clicks by property', () => {
  test('are the most frequent first, and the rest is told', async () => {
    const companyId = await service.company();
    await create(companyId, 'parts');
    for (let n = 0; n < 3; n++) await open('parts');
    await open('parts?q', { agent: IPHONE, from: IN_RUSSIA });
    await open('parts', { agent: TELEVISION, from: '10.0.0.1' });
    await open('parts', { agent: ROBOT });
    await untilRecorded('parts', 6);
    const { parts } = await read(companyId, 'parts', '24h');
    assert.deepEqual(parts.device, { top: [{ value: 'phone', people: 4 }], others: 0, unknown: 1 });
    assert.deepEqual(parts.country, {
      top: [
        { value: 'KZ', people: 3 },
        { value: 'RU', people: 1 },
      ],
      others: 0,
      unknown: 1,
    });
    assert.deepEqual(parts.referrer, { top: [], others: 0, unknown: 5 });
  });

  test('of a popular link are kept when its clicks are added up', async () => {
    const companyId = await service.company();
    await create(companyId, 'famous');
    await service.sql(
      `insert into click (slug_key, company_id, at, is_robot, is_scan, device, country, referrer)
       select 'famous', $1, clock_timestamp() - interval '3 days' + n * interval '1 microsecond', n % 10 >= 8,
         n % 10 = 1, case when n % 10 < 6 then 'phone'::click_device end, 'KZ', 'site-' || n % 100 || '.kz'
       from generate_series(0, 9999) n`,
      [companyId],
    );
    await insertClicks(companyId, 'famous', { ago: '1 hour', count: 7 });
    const check = async () => {
      const { clicks, parts } = await read(companyId, 'famous', '7d');
      assert.deepEqual([clicks.people, clicks.scans, clicks.robots], [7_007, 1_000, 2_000]);
      assert.deepEqual(parts.device, {
        top: [{ value: 'phone', people: 6_000 }],
        others: 0,
        unknown: 2_007,
      });
      assert.deepEqual(parts.country.top, [{ value: 'KZ', people: 8_000 }]);
      // Eight of the eighty sites by name; all others together.
      assert.deepEqual([parts.referrer.top.length, parts.referrer.unknown], [8, 7]);
      assert.equal(parts.referrer.others, 8_000 - 800);
      return parts;
    };
    const first = await check();
    const [link] = await service.sql(`select clicks_until from link where slug_key = 'famous'`);
    assert.ok(link?.clicks_until);
    assert.deepEqual(await check(), first);
    const recent = await read(companyId, 'famous', '24h');
    assert.deepEqual([recent.clicks.people, recent.parts.country.top], [7, []]);
  });
});

describe('the last clicks', () => {
  test('are told with what is known of them, the newest first', async () => {
    const owner = await person({ role: 'owner' });
    const companyId = owner.companyId as never;
    await create(companyId, 'last');
    await open('last?q', { agent: IPHONE, from: IN_RUSSIA, referer: 'https://shop.kz/' });
    await untilRecorded('last', 1);
    await open('last', { agent: ROBOT });
    await untilRecorded('last', 2);
    const call = { params: { slug: 'last' } };
    const { clicks } = (await as(owner).call(LINK_ENDPOINTS.linkClicks, call)).ok();
    const told = clicks.map(({ at, ...click }) => click);
    const nothing = {
      device: null,
      system: null,
      browser: null,
      country: null,
      city: null,
      referrer: null,
    };
    assert.deepEqual(told, [
      { kind: 'robot', ...nothing, phone: null },
      {
        kind: 'scan',
        device: 'phone',
        system: 'ios',
        browser: 'safari',
        country: 'RU',
        city: null,
        referrer: 'shop.kz',
        phone: null,
      },
    ]);
  });

  test('have the phone in full for those alone who may see it, and never the id of a group', async () => {
    const key = await service.key();
    const body = { phone: '+77017654321', url: TARGET, channel: 'auto' };
    const sent = await service.call('/links/send', body, key);
    const slug = String(sent.body.short_url).split('/').at(-1) as string;
    await open(slug);
    await untilRecorded(slug.toLowerCase(), 1);
    for (const [role, phone] of [
      ['manager', '+77017654321'],
      ['marketer', '+7701***4321'],
    ] as const) {
      const who = as(await person({ companyId: key.companyId, role }));
      const { clicks } = (await who.call(LINK_ENDPOINTS.linkClicks, { params: { slug } })).ok();
      assert.deepEqual(
        clicks.map((click) => click.phone),
        [phone],
      );
    }
    await service.sql(`update message set kind = 'group' where id = $1`, [sent.body.message_id]);
    const owner = as(await person({ companyId: key.companyId, role: 'owner' }));
    const { clicks } = (await owner.call(LINK_ENDPOINTS.linkClicks, { params: { slug } })).ok();
    assert.equal(clicks[0]?.phone, null);
  });
});
