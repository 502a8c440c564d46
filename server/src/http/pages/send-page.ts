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

/** Sends a page that the server rendered; one that is packed has its encoding set. */
export function sendPage(reply: FastifyReply, markup: string | Buffer): FastifyReply {
  const isPacked = reply.hasHeader('content-encoding');
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('vary', isPacked ? 'accept-language, accept-encoding' : 'accept-language')
    .header('cache-control', 'no-cache')
    .send(markup);
}
