import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { openCountries } from './countries.ts';

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
    const find = await openCountries(undefined, log).load();
    assert.equal(find(address), country);
  });
}

test('without its database no address has a country, and nothing fails', async () => {
  const find = await openCountries('/nowhere/country.mmdb', log).load();
  assert.equal(find('95.56.234.1'), undefined);
});
