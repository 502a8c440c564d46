import type { FastifyReply } from 'fastify';
import { etagOf, isKnown } from './etag.ts';

/** The pages keep to it: no inline script, no inline style, nothing from another origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Of every page that the server renders. The cookie has the language and theme that somebody chose. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  vary: 'accept-language, cookie',
  'cache-control': 'no-cache',
};

/**
 * Sends a page that the server rendered, or word that the browser has it already. One that is packed
 * has its encoding set.
 */
export function sendPage(reply: FastifyReply, markup: string | Buffer): FastifyReply {
  const isPacked = reply.hasHeader('content-encoding');
  const etag = etagOf(markup);
  const isFound = reply.statusCode === 200;
  reply.headers(PAGE_HEADERS);
  if (isPacked) reply.header('vary', 'accept-language, accept-encoding, cookie');
  if (isFound) reply.header('etag', etag);
  if (isFound && isKnown(reply.request.headers['if-none-match'], etag)) {
    return reply.code(304).send();
  }
  return reply.send(markup);
}
