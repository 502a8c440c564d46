import type { Context } from '../context.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { Problem } from '../problem.ts';
import { makeLinks } from './link-store.ts';
import { isReserved, newSlug } from './slug.ts';
import { readTarget } from './target.ts';

export type ShortenRequest = {
  key: ApiKey;
  url: string;
  alias?: string | undefined;
  expiresInSeconds?: number | undefined;
};

export type ShortLink = { shortUrl: string; expiresInSeconds?: number };

// A random name that is taken already happens about once in a trillion; three in a row is a bug.
const RANDOM_TRIES_MAX = 3;

/**
 * Makes a short link. A chosen name has one owner: the index decides, not a look before the write.
 */
export async function shortenLink(ctx: Context, request: ShortenRequest): Promise<ShortLink> {
  const url = readTarget(ctx, request.url, 'url');
  const { alias } = request;
  if (alias !== undefined && isReserved(alias)) throw new Problem('alias_taken');

  for (let tries = 1; tries <= RANDOM_TRIES_MAX; tries++) {
    const made = await ctx.db.inGroup(makeLinks, {
      slug: alias ?? newSlug(),
      companyId: request.key.companyId,
      url,
      ttlSeconds: request.expiresInSeconds ?? null,
    });
    if (made.is_made) {
      return {
        shortUrl: `${ctx.urls.shortLinkBase}/${made.slug}`,
        ...(made.expires_seconds === null ? {} : { expiresInSeconds: made.expires_seconds }),
      };
    }
    if (alias !== undefined) throw new Problem('alias_taken');
  }
  throw new Error('three random names in a row were taken');
}
