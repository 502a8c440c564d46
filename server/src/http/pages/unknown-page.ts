import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { isChange } from '../transport/same-site.ts';
import { html } from './html.ts';
import { langOf } from './language.ts';
import { createSiteView, localHref, renderPage, type View } from './layout.ts';
import { renderNotice } from './link-notice.ts';
import { plainNotFound } from './plain-pages.ts';
import { sendPage } from './send-page.ts';
import { listSitePages, suggestPages } from './site-pages.ts';
import type { WebBuild } from './web-build.ts';

/**
 * Whether 404 is answered with a page: to somebody who opened an address that leads nowhere. A
 * program, the API and a request that changes something get JSON.
 */
export function wantsPage(request: FastifyRequest): boolean {
  const { url, headers } = request;
  return !isChange(request) && !isApiPath(url) && acceptsHtml(headers.accept ?? '');
}

export function isApiPath(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url);
}

/** Browsers name `text/html`; a program that accepts anything does not ask for a page. */
function acceptsHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return (
      type === 'text/html' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    );
  });
}

/** 404 for an address of the site. */
export function sendUnknownPage(
  { ctx, build }: { ctx: Context; build: WebBuild | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const markup =
    build === undefined
      ? plainNotFound()
      : unknownPage(createSiteView(build, ctx, request), build.readDocs());
  return sendPage(reply.code(404), markup).header('vary', 'accept, accept-language, cookie');
}

/** 404 for an address of the short host, whose visitors know nothing of the site. */
export function sendUnknownLink(
  build: WebBuild | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const markup = renderNotice(build, langOf(request), 'unknown');
  return sendPage(reply.code(404).header('x-robots-tag', 'noindex'), markup);
}

/** The address itself is not shown: whoever made the link wrote it. */
function unknownPage(view: View, docs: DocsBuild): string {
  const { title, text, home, perhaps } = view.texts.notFound;
  const { docs: docsTitle, status } = view.texts.layout;
  const suggested = suggestPages(view.site?.path ?? '', listSitePages(view, docs));
  const links = suggested.map(
    (page) => html`<li><a href="${localHref(page.path, view.lang)}">${page.title}</a></li>\n`,
  );
  return renderPage(view, {
    title: `${title} · Zhiber`,
    body: html`<div class="notice-page"><h1>${title}</h1><p>${text}</p>
${links.length > 0 && html`<h2>${perhaps}</h2><ul class="suggestions">${links}</ul>`}
<p class="notice-ways"><a class="button main" href="${localHref('/', view.lang)}">${home}</a>
<a class="button" href="${localHref('/docs', view.lang)}">${docsTitle}</a>
<a class="button" href="${localHref('/status', view.lang)}">${status}</a></p></div>`,
    shell: 'site',
    isIndexed: false,
  });
}
