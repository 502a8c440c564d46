import { createTtlCache } from '../cache.ts';
import type { Context } from '../context.ts';
import { perDatabase } from '../db/per-database.ts';
import { recordPeople, recordRobots } from './clicks/click-store.ts';
import { isRobot, type Visit } from './clicks/robots.ts';
import { type FoundLink, findLinks } from './link-store.ts';
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

/** Finds where a short link leads, and writes the click down: a person's or a robot's. */
export async function openLink(
  ctx: Pick<Context, 'db' | 'log'>,
  slug: string,
  visit: Visit,
): Promise<Opened> {
  if (!SLUG_FORM.test(slug)) return { result: 'unknown' };
  const { link, loadedMs } = await knownLinks(ctx.db).get(slug.toLowerCase());
  if (link === undefined) return { result: 'unknown' };
  const isExpired = link.expires_ms !== null && performance.now() - loadedMs >= link.expires_ms;
  if (!link.is_open || isExpired) return { result: 'gone' };
  if (isRobot(visit)) countRobot(ctx, link);
  else countPerson(ctx, link);
  return { result: 'open', url: link.url };
}

function countPerson(ctx: Pick<Context, 'db' | 'log'>, link: FoundLink): void {
  ctx.db.inGroup(recordPeople, link).catch((error) => {
    ctx.log.error({ err: error, slug: link.folded }, 'a click was not recorded');
  });
}

/** Nobody pays or waits for robots, and a flood of them must not fill the log. */
function countRobot(ctx: Pick<Context, 'db' | 'log'>, link: FoundLink): void {
  ctx.db.inGroup(recordRobots, link).catch((error) => {
    ctx.log.debug({ reason: error.message, slug: link.folded }, 'a robot was not recorded');
  });
}
