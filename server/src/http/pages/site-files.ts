import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { CABINET_PAGES, sendBuilt } from './built-pages.ts';
import { html } from './html.ts';
import { localHref } from './layout.ts';
import { shortLinkFolder } from './short-link.ts';
import { listSitePaths } from './site-pages.ts';
import type { WebBuild } from './web-build.ts';

const DAY_SECONDS = 86_400;
/** RFC 9116 recommends less than a year, so that nobody writes to an address of long ago. */
const SECURITY_CONTACT_DAYS = 180;

/** The files that robots, browsers and researchers ask every site for. */
export function addSiteFiles(
  app: FastifyInstance,
  ctx: Context,
  build: WebBuild | undefined,
): void {
  const addText = (url: string, write: () => string) =>
    app.get(url, { exposeHeadRoute: true }, (_request, reply) =>
      reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('cache-control', `public, max-age=${DAY_SECONDS}`)
        .send(write()),
    );

  addText('/robots.txt', () => robotsText(shortLinkFolder(ctx.config), ctx.urls.publicUrl));
  app.get('/sitemap.xml', { exposeHeadRoute: true }, (_request, reply) => {
    const { termsFile, privacyFile } = ctx.config;
    const site = { hasTerms: termsFile !== undefined, hasPrivacy: privacyFile !== undefined };
    return reply
      .header('content-type', 'application/xml; charset=utf-8')
      .header('cache-control', `public, max-age=${DAY_SECONDS}`)
      .send(sitemap(ctx.urls.publicUrl, listSitePaths(site, build?.readDocs())));
  });
  app.get('/favicon.ico', { exposeHeadRoute: true }, (request, reply) => {
    const icon = build?.documents.get('favicon.ico');
    if (icon === undefined) throw new Problem('not_found');
    return sendBuilt(
      request,
      reply.header('cache-control', `public, max-age=${DAY_SECONDS}`),
      icon,
    );
  });
  const contact = ctx.config.securityContact;
  if (contact === undefined) return;
  addText('/.well-known/security.txt', () =>
    securityText({ contact, publicUrl: ctx.urls.publicUrl, now: ctx.clock.now() }),
  );
}

/** Every public page in every language, as sitemaps.org describes it. */
function sitemap(siteUrl: string, paths: readonly string[]): string {
  const address = (path: string, lang: Lang) => `${siteUrl}${localHref(path, lang)}`;
  const alternates = (path: string) =>
    LANGS.map(
      (lang) =>
        html`<xhtml:link rel="alternate" hreflang="${lang}" href="${address(path, lang)}"/>\n`,
    );
  const entries = paths.flatMap((path) =>
    LANGS.map((lang) => html`<url><loc>${address(path, lang)}</loc>\n${alternates(path)}</url>\n`),
  );
  return html`<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries}</urlset>
`.markup;
}

/** The public pages are for everybody; the rest is for nobody but its people. */
function robotsText(linkFolder: string | undefined, siteUrl: string): string {
  const hidden = [
    '/api/',
    '/cabinet/',
    '/callbacks/',
    '/receipt/',
    '/sandbox/',
    '/try',
    // `/app` also hides what is under it.
    ...CABINET_PAGES.filter((url) => !url.endsWith('/*')),
    ...(linkFolder === undefined ? [] : [`${linkFolder}/`]),
  ];
  return [
    'User-agent: *',
    'Allow: /$',
    'Allow: /docs/',
    ...hidden.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${siteUrl}/sitemap.xml`,
    '',
  ].join('\n');
}

/** Where to report a security problem, by RFC 9116. */
function securityText(site: { contact: string; publicUrl: string; now: Date }): string {
  const today = new Date(site.now).setUTCHours(0, 0, 0, 0);
  const expiresAt = new Date(today + SECURITY_CONTACT_DAYS * DAY_SECONDS * 1_000);
  return [
    `Contact: ${site.contact}`,
    `Expires: ${expiresAt.toISOString()}`,
    'Preferred-Languages: ru, kk, en',
    `Canonical: ${site.publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n');
}
