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

export type LinkVisit = Visit & {
  /** The IP address, which is not stored; its country and city are. */
  address?: string;
  isScan?: boolean;
};

/** Finds the target of a short link and records the click, as that of a person or a robot. */
export async function followShortLink(
  ctx: Pick<Context, 'db' | 'log' | 'links' | 'barredHosts' | 'locations'>,
  slug: string,
  visit: LinkVisit,
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
  else countPerson(ctx, link, visit);
  return { result: 'open', url: link.url };
}

/** The longest user agent and referrer that are read: a long queue of clicks has to fit in memory. */
const HEADER_LENGTH_MAX = 512;

function countPerson(
  ctx: Pick<Context, 'db' | 'log' | 'locations'>,
  link: FoundLink,
  { headers, address = '', isScan = false }: LinkVisit,
): void {
  const click = {
    link,
    isScan,
    agent: readHeader(headers['user-agent']),
    referrer: readHeader(headers.referer),
    address,
    locations: ctx.locations,
  };
  ctx.db.inGroup(recordPersonClicks, click).catch((error) => {
    ctx.log.error({ err: error, slug: link.slug_key }, 'click was not recorded');
  });
}

function readHeader(value: string | undefined): string {
  return value === undefined || value.length > HEADER_LENGTH_MAX ? '' : value;
}

/** Robot clicks are not billed, nobody waits for them, and a flood must not fill the log. */
function countRobot(ctx: Pick<Context, 'db' | 'log'>, link: FoundLink): void {
  ctx.db.inGroup(recordRobotClicks, link).catch((error) => {
    ctx.log.debug({ reason: error.message, slug: link.slug_key }, 'a robot was not recorded');
  });
}
