import type { PricedItem } from '@zhiber/contract/api/prices.ts';
import { createTtlCache } from '../cache.ts';
import type { Database } from '../db/database.ts';
import type { Sql } from '../db/group-commit.ts';
import { perDatabase } from '../db/per-database.ts';

export type Prices = Record<PricedItem, number>;

export async function readPrices(sql: Sql): Promise<Prices> {
  const rows = await sql.query<{ item: PricedItem; tokens: number }>(
    'select item, tokens from price',
    [],
    'read-prices',
  );
  return Object.fromEntries(rows.map((row) => [row.item, row.tokens])) as Prices;
}

export async function setPrice(sql: Sql, item: PricedItem, tokens: number): Promise<void> {
  await sql.query('update price set tokens = $2, changed_at = clock_timestamp() where item = $1', [
    item,
    tokens,
  ]);
}

const PRICE_TTL_MS = 800;
const priceLists = perDatabase((db) =>
  createTtlCache({ ttlMs: PRICE_TTL_MS, entriesMax: 1, load: (_all: 'all') => readPrices(db) }),
);

/** The price table as sends read it: a change works on every node within a second. */
export function currentPrices(db: Database): Promise<Prices> {
  return priceLists(db).get('all');
}
