import { DEFAULT_PRICES, type PricedItem, type Prices } from '@zhiber/contract/api/prices.ts';
import type { Context } from '../context.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';
import { createVersionedCache } from '../runtime/cache.ts';
import { loadPriceVersions, type PriceVersion, readPriceRevision } from './price-store.ts';

export const PRICED_ITEMS = Object.keys(DEFAULT_PRICES) as PricedItem[];

/** Under a second, so that a change takes effect on every node within one. */
const PRICE_TTL_MS = 800;

/**
 * The prices as sends read them. A node loads the versions of all companies at once, and again only
 * after a change: one small row a second, however many companies there are. Later versions are loaded
 * with the others, so each takes effect at its moment by the clock, without a query.
 */
export function openPriceCache({
  db,
  clock,
}: {
  db: Sql;
  clock: Context['clock'];
}): Context['prices'] {
  const cache = createVersionedCache({
    ttlMs: PRICE_TTL_MS,
    entriesMax: 1,
    readVersion: () => readPriceRevision(db),
    load: async (_all: 'all') => {
      const now = clock.now();
      return createPriceTable(await loadPriceVersions(db, now), now);
    },
    lasts: () => true,
  });
  return {
    read: async (companyId) => (await cache.get('all')).pricesOf(companyId, clock.now()),
  };
}

/** The prices of a company at a moment, past or future: for work that is too rare to be cached. */
export async function readPricesAt(sql: Sql, companyId: CompanyId, at: Date): Promise<Prices> {
  return createPriceTable(await loadPriceVersions(sql, at), at).pricesOf(companyId, at);
}

export type PriceTable = { pricesOf(companyId: CompanyId, at: Date): Prices };

/** What a company pays from each moment on, the newest first. Made once, so that a send only looks it up. */
type Timeline = { fromMs: number; prices: Prices }[];

/**
 * The prices of every company at any moment since the versions were loaded. Nothing older was
 * loaded, so a clock that was set back since then reads the prices of that moment.
 */
export function createPriceTable(versions: readonly PriceVersion[], loadedAt: Date): PriceTable {
  const newestFirst = [...versions].sort(
    (a, b) => b.valid_from.getTime() - a.valid_from.getTime() || b.id - a.id,
  );
  const byCompany = Map.groupBy(newestFirst, (version) => version.company_id);
  const common = byCompany.get(null) ?? [];
  const commonTimeline = createTimeline([], common, loadedAt);
  const timelines = new Map<CompanyId | null, Timeline>();
  for (const [companyId, own] of byCompany) {
    timelines.set(companyId, createTimeline(own, common, loadedAt));
  }
  return {
    pricesOf(companyId, at) {
      const timeline = timelines.get(companyId) ?? commonTimeline;
      const atMs = Math.max(at.getTime(), loadedAt.getTime());
      const found = timeline.find(({ fromMs }) => fromMs <= atMs);
      if (found === undefined) throw new Error('no prices were loaded');
      return found.prices;
    },
  };
}

function createTimeline(
  own: readonly PriceVersion[],
  common: readonly PriceVersion[],
  loadedAt: Date,
): Timeline {
  const tokensAt = (list: readonly PriceVersion[], item: PricedItem, ms: number) =>
    list.find((version) => version.item === item && version.valid_from.getTime() <= ms)?.tokens;
  const pricesAt = (ms: number): Prices => {
    const priceOf = (item: PricedItem): number => {
      const tokens = tokensAt(own, item, ms) ?? tokensAt(common, item, ms);
      if (tokens === undefined || tokens === null) throw new Error(`${item} has no price`);
      return tokens;
    };
    return {
      whatsapp: priceOf('whatsapp'),
      telegram: priceOf('telegram'),
      sms: priceOf('sms'),
      group: priceOf('group'),
    };
  };
  const loadedMs = loadedAt.getTime();
  const later = [...own, ...common]
    .map((version) => version.valid_from.getTime())
    .filter((ms) => ms > loadedMs);
  const moments = [...new Set([loadedMs, ...later])].sort((a, b) => b - a);
  return moments.map((fromMs) => ({ fromMs, prices: pricesAt(fromMs) }));
}
