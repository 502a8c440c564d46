import type { PricedItem, Prices } from '@zhiber/contract/api/prices.ts';
import type { Context } from '../context.ts';
import type { Sql } from '../db/sql.ts';
import { createTtlCache } from '../runtime/cache.ts';

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

/** The price table as sends read it. A change takes effect on every node within a second. */
export function openPriceCache(sql: Sql): Context['prices'] {
  const load = (_all: 'all') => readPrices(sql);
  const cache = createTtlCache({ ttlMs: PRICE_TTL_MS, entriesMax: 1, load });
  return { read: () => cache.get('all') };
}
