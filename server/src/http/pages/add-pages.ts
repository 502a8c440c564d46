import { ERROR_CODES, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { readAssets } from './assets.ts';
import { errorPage, errorsPage, unknownErrorPage } from './error-pages.ts';
import { homePage } from './home-page.ts';
import { chooseLang, type Lang } from './language.ts';
import { CONTENT_SECURITY_POLICY } from './layout.ts';

const YEAR_SECONDS = 31_536_000;
const WITH_HEAD = { exposeHeadRoute: true };

/** The public pages and what they are made of. */
export function addPages(app: FastifyInstance, ctx: Context): void {
  const { isSandbox } = ctx.channels;

  app.get('/', WITH_HEAD, (request, reply) => {
    const baseUrl = `${ctx.urls.publicUrl}/api`;
    return sendPage(reply, homePage({ lang: langOf(request), baseUrl, isSandbox }));
  });
  app.get('/docs/errors', WITH_HEAD, (request, reply) =>
    sendPage(reply, errorsPage({ lang: langOf(request), isSandbox })),
  );
  app.get('/docs/errors/:code', WITH_HEAD, (request, reply) => {
    const { code } = request.params as { code: string };
    const lang = langOf(request);
    if (!isErrorCode(code)) {
      return sendPage(reply.code(404), unknownErrorPage({ lang, isSandbox }));
    }
    return sendPage(reply, errorPage({ lang, code, siteUrl: ctx.urls.publicUrl, isSandbox }));
  });

  app.get('/assets/*', (request, reply) => {
    const asset = readAssets().get(request.url.split('?', 1)[0] as string);
    if (asset === undefined) throw new Problem('not_found');
    return reply
      .header('content-type', asset.type)
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .send(asset.body);
  });
}

function isErrorCode(text: string): text is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(text);
}

/** The language a visitor asked for. */
export function langOf(request: FastifyRequest): Lang {
  const { lang } = request.query as { lang?: unknown };
  return chooseLang({ query: lang, acceptLanguage: request.headers['accept-language'] });
}

export function sendPage(reply: FastifyReply, markup: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('vary', 'accept-language')
    .header('cache-control', 'no-cache')
    .send(markup);
}
