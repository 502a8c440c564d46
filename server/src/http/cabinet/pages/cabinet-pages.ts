import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { Problem } from '../../../problem.ts';
import { langOf, sendPage } from '../../pages/add-pages.ts';
import { type BuiltFile, packedFor, readCabinetBuild } from './cabinet-build.ts';
import { notBuiltPage } from './not-built-page.ts';

const YEAR_SECONDS = 31_536_000;

/** One application serves all of these; it reads the address itself. */
const PAGES = [
  '/app',
  '/app/*',
  '/login',
  '/signup',
  '/invite',
  '/confirm-email',
  '/forgot-password',
  '/reset-password',
];

/** Nothing inline, nothing from elsewhere, and no text ever becomes code. */
const PAGE_HEADERS = {
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

/** The pages of the cabinet and what they are made of, all from memory. */
export function addCabinetPages(app: FastifyInstance, ctx: Context): void {
  const build = readCabinetBuild();
  const { isSandbox } = ctx.channels;
  const sendCabinet = (request: FastifyRequest, reply: FastifyReply) => {
    if (build === undefined) {
      return sendPage(reply.code(503), notBuiltPage({ lang: langOf(request), isSandbox }));
    }
    return sendBuilt(request, reply.headers(PAGE_HEADERS), build.html);
  };
  for (const url of PAGES) app.get(url, { exposeHeadRoute: true }, sendCabinet);

  app.get('/app/assets/*', { exposeHeadRoute: true }, (request, reply) => {
    const asset = build?.assets.get(request.url.split('?', 1)[0] as string);
    if (asset === undefined) throw new Problem('not_found');
    // The name changes with the content.
    reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`);
    return sendBuilt(request, reply, asset);
  });
}

function sendBuilt(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  const { body, encoding } = packedFor(file, request.headers['accept-encoding']);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.header('vary', 'accept-encoding').header('content-type', file.type).send(body);
}
