import { createTtlCache } from '../cache.ts';
import type { Context } from '../context.ts';
import { perDatabase } from '../db/per-database.ts';
import { type FoundLink, findLinks, recordClicks } from './link-store.ts';
import { isPreviewRobot } from './robots.ts';
import { SLUG_FORM } from './slug.ts';

// Short enough that a disabled link is closed on every node within a second.
const LINK_TTL_MS = 800;
const LINKS_MAX = 50_000;

const knownLinks = perDatabase((db) =>
  createTtlCache({
    ttlMs: LINK_TTL_MS,
    entriesMax: LINKS_MAX,
    load: async (slug: string) => ({
      link: await db.inGroup(findLinks, slug),
      loadedMs: performance.now(),
    }),
  }),
);

export type Opened = { result: 'open'; url: string } | { result: 'gone' } | { result: 'unknown' };

/** Finds where a short link leads, and counts the click if a person made it. */
export async function openLink(
  ctx: Pick<Context, 'db' | 'log'>,
  visit: { slug: string; isHead: boolean; userAgent: string },
): Promise<Opened> {
  if (!SLUG_FORM.test(visit.slug)) return { result: 'unknown' };
  const { link, loadedMs } = await knownLinks(ctx.db).get(visit.slug.toLowerCase());
  if (link === undefined) return { result: 'unknown' };
  const isExpired = link.expires_ms !== null && performance.now() - loadedMs >= link.expires_ms;
  if (!link.is_open || isExpired) return { result: 'gone' };
  if (!visit.isHead && !isPreviewRobot(visit.userAgent)) countClick(ctx, link);
  return { result: 'open', url: link.url };
}

function countClick(ctx: Pick<Context, 'db' | 'log'>, link: FoundLink): void {
  ctx.db.inGroup(recordClicks, link).catch((error) => {
    ctx.log.error({ err: error, slug: link.folded }, 'a click was not recorded');
  });
}
