import type { Context, FoundLink } from '../context.ts';
import type { Database } from '../db/database.ts';
import { createTtlCache } from '../runtime/cache.ts';
import { recordPersonClicks, recordRobotClicks } from './click-store.ts';
import { findLinks } from './link-store.ts';
import { isRobot, type Visit } from './robots.ts';
import { SLUG_FORM } from './slug.ts';

// Short enough that a disabled link stops working on every node within a second.
const LINK_TTL_MS = 800;
const LINKS_MAX = 50_000;

export function openLinkCache(db: Database): Context['links'] {
  return createTtlCache({
    ttlMs: LINK_TTL_MS,
    entriesMax: LINKS_MAX,
    load: async (slug: string) => ({
      link: await db.inGroup(findLinks, slug),
      loadedMs: performance.now(),
    }),
  });
}

/** `closed`: by the operator, who suspended the company or barred the host. */
export type Opened = { result: 'open'; url: string } | { result: 'gone' | 'closed' | 'unknown' };

/** Finds the target of a short link and records the click, as that of a person or a robot. */
export async function followShortLink(
  ctx: Pick<Context, 'db' | 'log' | 'links' | 'barredHosts'>,
  slug: string,
  visit: Visit,
): Promise<Opened> {
  if (!SLUG_FORM.test(slug)) return { result: 'unknown' };
  const { link, loadedMs } = await ctx.links.get(slug.toLowerCase());
  if (link === undefined) return { result: 'unknown' };
  const isExpired = link.expires_ms !== null && performance.now() - loadedMs >= link.expires_ms;
  if (!link.is_open || isExpired) return { result: 'gone' };
  const isClosed =
    link.is_suspended || (await ctx.barredHosts.includes(new URL(link.url).hostname));
  if (isClosed) return { result: 'closed' };
  if (isRobot(visit)) countRobot(ctx, link);
  else countPerson(ctx, link);
  return { result: 'open', url: link.url };
}

function countPerson(ctx: Pick<Context, 'db' | 'log'>, link: FoundLink): void {
  ctx.db.inGroup(recordPersonClicks, link).catch((error) => {
    ctx.log.error({ err: error, slug: link.slug_key }, 'click was not recorded');
  });
}

/** Robot clicks are not billed, nobody waits for them, and a flood must not fill the log. */
function countRobot(ctx: Pick<Context, 'db' | 'log'>, link: FoundLink): void {
  ctx.db.inGroup(recordRobotClicks, link).catch((error) => {
    ctx.log.debug({ reason: error.message, slug: link.slug_key }, 'a robot was not recorded');
  });
}
