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

/** Sends a page that the server rendered, or word that the browser has it already. */
export function sendPage(reply: FastifyReply, markup: string): FastifyReply {
  const etag = etagOf(markup);
  const isFound = reply.statusCode === 200;
  if (isFound) reply.header('etag', etag);
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('referrer-policy', 'no-referrer')
    // The cookie has the language and the theme that somebody chose.
    .header('vary', 'accept-language, cookie')
    .header('cache-control', 'no-cache');
  if (isFound && isKnown(reply.request.headers['if-none-match'], etag))
    return reply.code(304).send();
  return reply.send(markup);
}
