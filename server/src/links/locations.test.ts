import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { openLocations, readLocation } from './locations.ts';

const log = pino({ level: 'silent' });

// Whole networks of operators that have had them for many years.
const COUNTRIES: [address: string, country: string | undefined][] = [
  ['95.56.234.1', 'KZ'],
  ['2.132.10.1', 'KZ'],
  ['::ffff:95.56.234.1', 'KZ'],
  ['2a03:32c0::1', 'KZ'],
  ['77.88.8.8', 'RU'],
  ['8.8.8.8', 'US'],
  ['133.11.0.1', 'JP'],
  ['127.0.0.1', undefined],
  ['10.1.2.3', undefined],
  ['::1', undefined],
  ['', undefined],
  ['unknown', undefined],
];

for (const [address, country] of COUNTRIES) {
  test(`${JSON.stringify(address)} is in ${country ?? 'no known country'}`, async () => {
    const find = await openLocations([], log).load();
    const { country: found, city } = find(address);
    assert.deepEqual([found, city], [country, undefined]);
  });
}

test('without its database no address has a location, and nothing fails', async () => {
  const find = await openLocations(['/nowhere/city.mmdb'], log).load();
  assert.deepEqual(find('95.56.234.1'), {});
});

// As the databases have them.
const CITIES: [name: string, entry: object | null, city: string | undefined][] = [
  ['the package of DB-IP', { country_code: 'KZ', state1: 'Almaty', city: 'Almaty' }, 'Almaty'],
  [
    'MaxMind, and DB-IP itself',
    { country: { iso_code: 'KZ' }, city: { geoname_id: 1526384, names: { en: 'Almaty' } } },
    'Almaty',
  ],
  ['a district', { country_code: 'KZ', city: 'Almaty (Almaly Audany)' }, 'Almaty'],
  ['a district of a district', { country_code: 'CH', city: 'Zurich (Zurich (Kreis 5))' }, 'Zurich'],
  [
    'brackets within a name',
    { country_code: 'DE', city: 'Freiburg (Elbe) Flecken' },
    'Freiburg (Elbe) Flecken',
  ],
  ['letters of other languages', { country_code: 'IL', city: 'Giv‘at H̱en' }, 'Giv‘at H̱en'],
  ['a database of countries', { country_code: 'KZ' }, undefined],
  ['a country without a city', { country: { iso_code: 'KZ' } }, undefined],
  [
    'a city without an English name',
    { country_code: 'KZ', city: { names: { ru: 'Алматы' } } },
    undefined,
  ],
  ['an empty name', { country_code: 'KZ', city: '' }, undefined],
  ['a district alone', { country_code: 'KZ', city: ' (Medeu)' }, undefined],
  ['the longest name', { country_code: 'KZ', city: 'a'.repeat(80) }, 'a'.repeat(80)],
  ['a name that is too long', { country_code: 'KZ', city: 'a'.repeat(81) }, undefined],
  // PostgreSQL refuses it, and with it all clicks of the statement.
  ['a null character', { country_code: 'KZ', city: 'Almaty\u0000' }, undefined],
  ['a line break', { country_code: 'KZ', city: 'Alm\naty' }, undefined],
  ['text that turns its direction', { country_code: 'KZ', city: 'Alm\u202eaty' }, undefined],
  ['half a character', { country_code: 'KZ', city: 'Almaty\ud800' }, undefined],
  ['no text', { country_code: 'KZ', city: 5 }, undefined],
];

for (const [name, entry, city] of CITIES) {
  test(`the city of ${name} is ${city?.slice(0, 30) ?? 'unknown'}`, () => {
    const location = readLocation(entry);
    assert.deepEqual([location.country?.length, location.city], [2, city]);
  });
}

test('a city without its country is not told', () => {
  assert.deepEqual(readLocation({ city: 'Almaty' }), {});
  assert.deepEqual(readLocation({ city: 'Almaty', country_code: 'Kazakhstan' }), {});
  assert.deepEqual(readLocation(null), {});
});
