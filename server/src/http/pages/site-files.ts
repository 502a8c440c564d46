import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { CABINET_PAGES, sendBuilt } from './built-pages.ts';
import { shortLinkFolder } from './short-link.ts';
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

  addText('/robots.txt', () => robotsText(shortLinkFolder(ctx.config)));
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

/** The home page and the documentation are for everybody; the rest is for nobody but its people. */
function robotsText(linkFolder: string | undefined): string {
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
