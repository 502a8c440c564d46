import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { type MadeLink, makeLinks, type NewLink } from './link-store.ts';
import { isReserved, newSlug } from './slug.ts';
import { readTarget } from './target.ts';

export type ShortenRequest = {
  companyId: CompanyId;
  url: string;
  alias?: string | undefined;
  expiresInSeconds?: number | undefined;
};

export type ShortLink = {
  slug: string;
  shortUrl: string;
  /** As it is kept. */
  url: string;
  expiresInSeconds?: number;
};

// A random name that is taken already happens about once in a trillion; three in a row is a bug.
const RANDOM_TRIES_MAX = 3;

/**
 * Makes a short link. A chosen name has one owner: the index decides, not a look before the write.
 * Links are made in groups, unless the caller makes them in a transaction of its own.
 */
export async function shortenLink(
  ctx: Context,
  request: ShortenRequest,
  make: (link: NewLink) => Promise<MadeLink> = (link) => ctx.db.inGroup(makeLinks, link),
): Promise<ShortLink> {
  const url = readTarget(ctx, request.url, 'url');
  const { alias } = request;
  if (alias !== undefined && isReserved(alias)) throw new Problem('alias_taken');

  for (let tries = 1; tries <= RANDOM_TRIES_MAX; tries++) {
    const made = await make({
      slug: alias ?? newSlug(),
      companyId: request.companyId,
      url,
      ttlSeconds: request.expiresInSeconds ?? null,
    });
    if (made.is_made) {
      return {
        slug: made.slug,
        url,
        shortUrl: `${ctx.urls.shortLinkBase}/${made.slug}`,
        ...(made.expires_seconds === null ? {} : { expiresInSeconds: made.expires_seconds }),
      };
    }
    if (alias !== undefined) throw new Problem('alias_taken');
  }
  throw new Error('three random names in a row were taken');
}
