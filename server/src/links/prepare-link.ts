import { SENT_LINK_TTL_SECONDS } from '@zhiber/contract/api/limits.ts';
import type { Context } from '../context.ts';
import { newSlug } from './slug.ts';
import { readTarget } from './target.ts';

export type PreparedLink = { slug: string; url: string; shortUrl: string; ttlSeconds: number };

/**
 * A short link that will travel in a message: named now, made in the same transaction as the
 * message.
 */
export function prepareLink(
  ctx: Pick<Context, 'channels' | 'urls'>,
  raw: string,
  field: 'url' | 'link',
): PreparedLink {
  const url = readTarget(ctx, raw, field);
  const slug = newSlug();
  return {
    slug,
    url,
    shortUrl: `${ctx.urls.shortLinkBase}/${slug}`,
    ttlSeconds: SENT_LINK_TTL_SECONDS,
  };
}
