import { LINK_SHORTENED } from '@zhiber/contract/api/answer-texts.ts';
import type { LinkShortenAnswer, LinkShortenRequest } from '@zhiber/contract/api/links.ts';
import { shortenLink } from '../../links/shorten-link.ts';
import type { EndpointHandler } from './endpoint.ts';

export const linksShorten: EndpointHandler<LinkShortenRequest, LinkShortenAnswer> = {
  async run(ctx, { key, body }) {
    const link = await shortenLink(ctx, {
      companyId: key.companyId,
      url: body.url,
      alias: body.alias,
      expiresInSeconds: body.expires_in,
    });
    return {
      success: true,
      message: LINK_SHORTENED,
      short_url: link.shortUrl,
      ...(link.expiresInSeconds === undefined ? {} : { expires_in: link.expiresInSeconds }),
    };
  },
  // A link whose answer was lost costs nothing, so the call simply runs again.
  resume: () => Promise.resolve(undefined),
};
