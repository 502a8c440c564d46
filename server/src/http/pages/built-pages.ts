import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { Problem } from '../../problem.ts';
import { hasShortHost, SHORT_HOST_ONLY } from '../transport/short-host.ts';
import { isKnown } from './etag.ts';
import { sendNotBuilt } from './plain-pages.ts';
import { type BuiltFile, entryAssets, type WebBuild } from './web-build.ts';

const YEAR_SECONDS = 31_536_000;

/** The cabinet is one application; it reads the address itself. */
export const CABINET_PAGES = [
  '/app',
  '/app/*',
  '/admin',
  '/admin/*',
  '/login',
  '/signup',
  '/invite',
  '/finish-sign-up',
  '/confirm-email',
  '/forgot-password',
  '/reset-password',
];

/** Nothing inline, nothing from elsewhere, and no text ever becomes code. */
const DOCUMENT_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

export const ASSETS_URL = '/assets/*';

/** What all pages are made of, from memory. Only a path of the build is found. */
export function addBuiltAssets(
  app: FastifyInstance,
  config: Config,
  build: WebBuild | undefined,
): void {
  const sendAsset =
    (assets: WebBuild['assets'] | undefined) => (request: FastifyRequest, reply: FastifyReply) => {
      const asset = assets?.get(request.url.split('?', 1)[0] as string);
      if (asset === undefined) throw new Problem('not_found');
      // The name changes with the content.
      reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
      return sendBuilt(request, reply, asset);
    };
  app.get(ASSETS_URL, { exposeHeadRoute: true }, sendAsset(build?.assets));
  if (!hasShortHost(config)) return;
  const options = { exposeHeadRoute: true, constraints: SHORT_HOST_ONLY };
  app.get(ASSETS_URL, options, sendAsset(build && noticeAssets(build)));
}

/** What the notices about short links load: styles, fonts and the icon, but no script. */
function noticeAssets({ assets, pageAssets }: WebBuild): WebBuild['assets'] {
  const needed = new Set([...entryAssets(pageAssets, 'pages').styles, pageAssets.icon]);
  return new Map(
    [...assets].filter(([path, { type }]) => needed.has(path) || type.startsWith('font/')),
  );
}

/**
 * Tells open pages with every answer which build the server has, so that they notice a newer one
 * before they ask for a file that is gone.
 */
export function announcePages(scope: FastifyInstance, build: WebBuild | undefined): void {
  if (build === undefined) return;
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('x-zhiber-pages', build.cabinetScript);
  });
}

/** The documents of the cabinet and of `/try`, which the sandbox alone has. */
export function addDocuments(
  app: FastifyInstance,
  { isSandbox }: { isSandbox: boolean },
  build: WebBuild | undefined,
): void {
  const addDocument = (url: string, name: string) =>
    app.get(url, { exposeHeadRoute: true }, (request, reply) => {
      const document = build?.documents.get(name);
      if (document === undefined) return sendNotBuilt(reply);
      return sendBuilt(request, reply.headers(DOCUMENT_HEADERS), document);
    });
  for (const url of CABINET_PAGES) addDocument(url, 'index.html');
  if (isSandbox) addDocument('/try', 'try.html');
}

export function sendBuilt(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
): FastifyReply {
  reply.header('vary', 'accept-encoding').header('etag', file.etag);
  if (isKnown(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  const { body, encoding } = packedFor(file, request.headers['accept-encoding']);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.header('content-type', file.type).send(body);
}

/** The smallest form that the browser can read, and the name of that form. */
export function packedFor(
  file: Pick<BuiltFile, 'body' | 'packed'>,
  acceptEncoding: string | undefined,
): { body: Buffer; encoding?: string } {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .map((coding) => coding.trim())
      .filter((coding) => !/;\s*q=0(?:\.0*)?$/.test(coding))
      .map((coding) => coding.split(';', 1)[0]?.trim()),
  );
  for (const encoding of ['br', 'gzip'] as const) {
    const body = file.packed[encoding];
    if (body !== undefined && accepted.has(encoding)) return { body, encoding };
  }
  return { body: file.body };
}
