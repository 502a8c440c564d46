import { UNKNOWN_SLUGS_PER_MINUTE_MAX } from '@zhiber/contract/api/limits.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { createRateLimiter, type RateLimiter } from '../../limits/rate.ts';
import { openLink } from '../../links/open-link.ts';
import { langOf, sendPage } from './add-pages.ts';
import { linkGonePage, linkUnknownPage, tooManyPage } from './link-pages.ts';

const DEFAULT_FOLDER = '/s';

/** Opening a short link: under /s, or at the root of a short domain of its own. */
export function addShortLinks(app: FastifyInstance, ctx: Context): void {
  const limiter = createRateLimiter();
  const handler = (request: FastifyRequest, reply: FastifyReply) =>
    open(ctx, limiter, request, reply);
  const method = ['GET', 'HEAD'] as const;
  app.route({ method: [...method], url: `${DEFAULT_FOLDER}/:slug`, handler });

  const { shortLinkBase } = ctx.config;
  if (shortLinkBase === undefined) return;
  const base = new URL(shortLinkBase);
  const folder = base.pathname.replace(/\/$/, '');
  if (folder === DEFAULT_FOLDER) return;
  // The short host is told apart by its name, so that its root does not hide the pages of this one.
  app.route({
    method: [...method],
    url: `${folder}/:slug`,
    constraints: { host: base.host },
    handler,
  });
}

async function open(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { slug } = request.params as { slug: string };
  const opened = await openLink(ctx, slug, request);
  reply.header('x-robots-tag', 'noindex');
  switch (opened.result) {
    case 'open':
      return reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(opened.url, 302);
    case 'gone':
      return sendPage(reply.code(410), linkGonePage(langOf(request)));
    case 'unknown': {
      const verdict = limiter.take(request.ip, UNKNOWN_SLUGS_PER_MINUTE_MAX);
      if (verdict.isAllowed) return sendPage(reply.code(404), linkUnknownPage(langOf(request)));
      reply.header('retry-after', String(verdict.waitSeconds));
      return sendPage(reply.code(429), tooManyPage(langOf(request)));
    }
  }
}
