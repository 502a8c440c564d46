import type { FastifyReply } from 'fastify';

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

/** Of every page that the server renders. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  vary: 'accept-language',
  'cache-control': 'no-cache',
};

/** Sends a page that the server rendered; one that is packed has its encoding set. */
export function sendPage(reply: FastifyReply, markup: string | Buffer): FastifyReply {
  const isPacked = reply.hasHeader('content-encoding');
  reply.headers(PAGE_HEADERS);
  if (isPacked) reply.header('vary', 'accept-language, accept-encoding');
  return reply.send(markup);
}
