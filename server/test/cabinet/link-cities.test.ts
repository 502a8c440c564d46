/** The city of a click, from a database that knows cities. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { LINK_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import { until, useService } from '../harness.ts';
import { writeMmdb } from '../mmdb-file.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { createLinkFixtures, TARGET } from './link-fixtures.ts';

const folder = createTemporaryFolder('cities');
after(() => rmSync(folder, { recursive: true }));

/** As in the packages: IPv4 and IPv6 apart. */
const OF_IPV4 = path.join(folder, 'ipv4.mmdb');
const OF_IPV6 = path.join(folder, 'ipv6.mmdb');
/** As MaxMind and DB-IP write them: all addresses in one file, with names in languages. */
const OF_ALL = path.join(folder, 'all.mmdb');
writeMmdb(OF_IPV4, 4, {
  // The first bits of the IPv6 address below.
  '42.3.50.0/24': { country_code: 'HK', city: 'Kwu Tung' },
  '95.56.0.0/16': { country_code: 'KZ', city: 'Almaty (Medeu)' },
  '2.132.0.0/16': { country_code: 'KZ', city: 'Almaty' },
  '5.76.0.0/16': { country_code: 'KZ', city: 'Astana' },
  '37.150.0.0/16': { country_code: 'KZ', city: '' },
  '77.88.0.0/16': { country_code: 'RU', city: 'Petropavlovsk' },
  '92.46.0.0/16': { country_code: 'KZ', city: 'Petropavlovsk' },
  '178.88.0.0/16': { country_code: 'KZ', city: 'Al\u0000maty' },
  '178.89.0.0/16': { country_code: 'KZ', city: 'x'.repeat(200) },
});
writeMmdb(OF_IPV6, 6, { '2a03:32c0::/32': { country_code: 'KZ', city: 'Shymkent' } });
writeMmdb(OF_ALL, 6, {
  '95.56.0.0/16': { country: { iso_code: 'KZ' }, city: { names: { ru: 'Алматы', en: 'Almaty' } } },
  '2a03:32c0::/32': { country: { iso_code: 'KZ' }, city: { names: { en: 'Shymkent' } } },
});

const AGENT =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';

type Service = ReturnType<typeof useService>;

/** Opens a link once from each address. */
async function visit(service: Service, slug: string, addresses: string[]): Promise<void> {
  for (const remoteAddress of addresses) {
    const headers = { 'user-agent': AGENT };
    const opened = await service.http.inject({ url: `/s/${slug}`, headers, remoteAddress });
    assert.deepEqual([opened.statusCode, opened.headers.location], [302, TARGET]);
  }
  await until(`${addresses.length} clicks are recorded`, async () => {
    const rows = await service.sql('select 1 from click where slug_key = $1', [slug]);
    return rows.length === addresses.length;
  });
}

describe('with databases of cities', () => {
  const service = useService({ env: { GEO_DATABASE: `${OF_IPV4}, ${OF_IPV6}` } });
  const { create, read } = createLinkFixtures(service);
  const { person, as } = createCabinetClient(service);

  test('cities are counted with their countries, and districts with their cities', async () => {
    const companyId = await service.company();
    await create(companyId, 'cities');
    await visit(service, 'cities', [
      ...['95.56.1.1', '95.56.2.2', '2.132.1.1', '::ffff:2.132.1.2'],
      ...['92.46.1.1', '92.46.1.2', '77.88.1.1', '2a03:32c0::1'],
    ]);
    const { parts } = await read(companyId, 'cities');
    assert.deepEqual(parts.city, {
      top: [
        { value: 'KZ Almaty', people: 4 },
        { value: 'KZ Petropavlovsk', people: 2 },
        { value: 'KZ Shymkent', people: 1 },
        { value: 'RU Petropavlovsk', people: 1 },
      ],
      others: 0,
      unknown: 0,
    });
    assert.deepEqual(parts.country.top, [
      { value: 'KZ', people: 7 },
      { value: 'RU', people: 1 },
    ]);
  });

  test('what is no name of a city leaves the click with its country', async () => {
    const companyId = await service.company();
    await create(companyId, 'no-city');
    await visit(service, 'no-city', ['37.150.1.1', '178.88.1.1', '178.89.1.1', '10.0.0.1']);
    const { parts } = await read(companyId, 'no-city');
    assert.deepEqual(parts.city, { top: [], others: 0, unknown: 4 });
    assert.deepEqual(parts.country.top, [{ value: 'KZ', people: 3 }]);
  });

  test('the last clicks have it', async () => {
    const owner = await person({ role: 'owner' });
    await create(owner.companyId as never, 'last-city');
    await visit(service, 'last-city', ['5.76.1.1']);
    const call = { params: { slug: 'last-city' } };
    const { clicks } = (await as(owner).call(LINK_ENDPOINTS.linkClicks, call)).ok();
    assert.deepEqual(
      clicks.map(({ country, city }) => [country, city]),
      [['KZ', 'Astana']],
    );
  });

  test('of a popular link the cities of an hour are kept, the rarest together', async () => {
    const companyId = await service.company();
    await create(companyId, 'famous-city');
    // Almaty, a namesake abroad, clicks without a city, robots, and 100 rare cities.
    await service.sql(
      `insert into click (slug_key, company_id, at, is_robot, country, city)
       select 'famous-city', $1, date_trunc('hour', clock_timestamp()) - interval '3 days' + n * interval '1 microsecond',
         n % 10 = 9, case when n % 10 = 3 then 'RU' else 'KZ' end,
         case when n % 10 < 4 then 'Almaty' when n % 10 = 4 then 'Rare ' || n / 10 % 100 end
       from generate_series(0, 9999) n`,
      [companyId],
    );
    const check = async () => {
      const { parts } = await read(companyId, 'famous-city');
      assert.deepEqual(parts.city.top.slice(0, 2), [
        { value: 'KZ Almaty', people: 3_000 },
        { value: 'RU Almaty', people: 1_000 },
      ]);
      assert.deepEqual(
        parts.city.top.slice(2).map(({ people }) => people),
        [10, 10, 10, 10, 10, 10],
      );
      assert.deepEqual([parts.city.others, parts.city.unknown], [940, 4_000]);
      assert.ok(parts.city.top.every(({ value }) => /^[A-Z]{2} [A-Z]/.test(value)));
      return parts;
    };
    const first = await check();
    const kept = await service.sql<{ value: string; people: number }>(
      `select value, people from click_part where slug_key = 'famous-city' and part = 'city'`,
    );
    // The 50 most frequent by name, and all others as one.
    assert.equal(kept.length, 51);
    assert.equal(kept.find(({ value }) => value === '*')?.people, 1_000 - 48 * 10);
    assert.deepEqual(await check(), first);
  });
});

describe('with a database that has all addresses', () => {
  const service = useService({ env: { GEO_DATABASE: OF_ALL } });
  const { create, read } = createLinkFixtures(service);

  test('the English name is counted', async () => {
    const companyId = await service.company();
    await create(companyId, 'english');
    await visit(service, 'english', ['95.56.1.1', '2a03:32c0::1', '77.88.1.1']);
    const { parts } = await read(companyId, 'english');
    assert.deepEqual(parts.city, {
      top: [
        { value: 'KZ Almaty', people: 1 },
        { value: 'KZ Shymkent', people: 1 },
      ],
      others: 0,
      unknown: 1,
    });
  });
});

describe('with a database of IPv4 alone', () => {
  const service = useService({ env: { GEO_DATABASE: `${folder}/nowhere.mmdb,${OF_IPV4}` } });
  const { create, read } = createLinkFixtures(service);

  test('an IPv6 address is nowhere, and a file that is not there does no harm', async () => {
    const companyId = await service.company();
    await create(companyId, 'half');
    await visit(service, 'half', ['2a03:32c0::1', '5.76.1.1']);
    const { parts } = await read(companyId, 'half');
    assert.deepEqual(parts.city.top, [{ value: 'KZ Astana', people: 1 }]);
    assert.deepEqual(parts.country, { top: [{ value: 'KZ', people: 1 }], others: 0, unknown: 1 });
  });
});

describe('with the database of countries that comes with the service', () => {
  const service = useService();
  const { create, read } = createLinkFixtures(service);

  test('a click has its country, and no city', async () => {
    const companyId = await service.company();
    await create(companyId, 'country');
    await visit(service, 'country', ['95.56.234.1']);
    const { parts } = await read(companyId, 'country');
    assert.deepEqual(parts.country.top, [{ value: 'KZ', people: 1 }]);
    assert.deepEqual(parts.city, { top: [], others: 0, unknown: 1 });
    const rows = await service.sql(`select country, city from click where slug_key = 'country'`);
    assert.deepEqual(rows, [{ country: 'KZ', city: null }]);
  });
});
