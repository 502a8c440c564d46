import { type Actor, recordDeed } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import { makeLinks } from './link-store.ts';
import { type ShortenRequest, type ShortLink, shortenLink } from './shorten-link.ts';

/** A short link that a person makes by hand: made as by the API, and written down as theirs. */
export async function createLink(
  ctx: Context,
  actor: Actor,
  request: ShortenRequest,
): Promise<ShortLink> {
  return await ctx.db.transaction(async (tx) => {
    const link = await shortenLink(ctx, request, async (item) => {
      const [made] = await makeLinks.run(tx, [item]);
      return made as NonNullable<typeof made>;
    });
    await recordDeed(tx, actor, {
      companyId: request.companyId,
      action: 'link.created',
      object: link.shortUrl,
      after: { url: link.url, expires_in: link.expiresInSeconds },
    });
    return link;
  });
}
