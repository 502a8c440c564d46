import type { IncomingMessage, ServerResponse } from 'node:http';
import type { IsShortHost } from './short-host.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Answers a balancer that asks whether this process serves, before anything else looks at the
 * request: it knows no host name, and neither load nor the database have a say. On a host of short
 * links the path is a link as any other.
 */
export function withLive(isShortHost: IsShortHost, handle: Handler): Handler {
  return (request, response) => {
    const { url, method, headers } = request;
    const isAsked = url === '/live' && (method === 'GET' || method === 'HEAD');
    if (!isAsked || isShortHost(headers.host)) return handle(request, response);
    response.writeHead(200, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    });
    response.end('live\n');
  };
}
