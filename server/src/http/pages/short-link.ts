import type { IncomingMessage } from 'node:http';
import { UNKNOWN_SLUGS_PER_MINUTE_MAX } from '@zhiber/contract/api/limits.ts';
import { SCAN_MARK } from '@zhiber/contract/cabinet/scan-mark.ts';
import type { LinkNotice } from '@zhiber/contract/pages.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createNetworkLimiter, type NetworkLimiter } from '../../abuse/network-rate.ts';
import { type Config, SHORT_LINK_FOLDER } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { followShortLink } from '../../links/follow-short-link.ts';
import { isReserved } from '../../links/slug.ts';
import { createShortHostCheck, hasShortHost, SHORT_HOST_ONLY } from '../transport/short-host.ts';
import { langOf } from './language.ts';
import { renderNotice } from './link-notice.ts';
import { sendPage } from './send-page.ts';
import { addUnsubscribePage, type ShortLinkParts } from './unsubscribe-page.ts';
import type { WebBuild } from './web-build.ts';

const METHODS = ['GET', 'HEAD'];

/** The path of short links on the site; undefined where they have a host of their own. */
export function shortLinkFolder(config: Config): string | undefined {
  return hasShortHost(config) ? undefined : folderOf(config);
}

/** Whether a request opens a short link, on a host of their own or under a path of the site. */
export function createShortLinkCheck(
  config: Config,
): (request: Pick<IncomingMessage, 'url' | 'headers'>) => boolean {
  const isShortHost = createShortHostCheck(config);
  const folder = shortLinkFolder(config);
  // At the root of the site short links cannot be told from pages.
  if (folder === undefined || folder === '') return ({ headers }) => isShortHost(headers.host);
  const prefix = `${folder}/`;
  return ({ url = '' }) => url.startsWith(prefix);
}

function folderOf({ shortLinkBase }: Config): string {
  if (shortLinkBase === undefined) return SHORT_LINK_FOLDER;
  return new URL(shortLinkBase).pathname.replace(/\/$/, '');
}

/** Opening a short link: under a path of the site, or on a host that serves nothing else. */
export function addShortLinks(
  app: FastifyInstance,
  ctx: Context,
  build: WebBuild | undefined,
): void {
  const limiter = createNetworkLimiter(UNKNOWN_SLUGS_PER_MINUTE_MAX, ctx.nodes);
  const parts: ShortLinkParts = {
    ctx,
    build,
    folder: folderOf(ctx.config),
    constraints: hasShortHost(ctx.config) ? SHORT_HOST_ONLY : {},
    refuse: (request, reply) => refuse({ build, limiter }, request, reply),
  };
  const handler = (request: FastifyRequest, reply: FastifyReply) => follow(parts, request, reply);
  const { folder, constraints } = parts;
  app.route({ method: METHODS, url: `${folder}/:slug`, constraints, handler });
  addUnsubscribePage(app, parts);
}

async function follow(
  { ctx, build, refuse: refuseUnknown }: ShortLinkParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { slug } = request.params as { slug: string };
  const { method, headers, ip: address } = request;
  const isScan = SCAN_MARK in (request.query as object);
  const opened = await followShortLink(ctx, slug, { method, headers, address, isScan });
  reply.header('x-robots-tag', 'noindex');
  const sendNotice = (status: number, notice: LinkNotice) =>
    sendPage(reply.code(status), renderNotice(build, langOf(request), notice));
  switch (opened.result) {
    case 'open':
      return reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(opened.url, 302);
    case 'gone':
    case 'closed':
      return sendNotice(410, opened.result);
    case 'unknown':
      return refuseUnknown(request, reply);
  }
}

const UNLIMITED = { isAllowed: true, waitSeconds: 0 };

/** 404 for a name that does not exist; who tries many is told to wait. */
function refuse(
  { build, limiter }: { build: WebBuild | undefined; limiter: NetworkLimiter },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // A reserved word is nobody's name, so asking for one finds nothing out.
  const { slug = '' } = request.params as { slug?: string };
  const { isAllowed, waitSeconds } = isReserved(slug) ? UNLIMITED : limiter.take(request.ip);
  if (!isAllowed) reply.header('retry-after', String(waitSeconds));
  reply.code(isAllowed ? 404 : 429).header('x-robots-tag', 'noindex');
  return sendPage(reply, renderNotice(build, langOf(request), isAllowed ? 'unknown' : 'tooMany'));
}
