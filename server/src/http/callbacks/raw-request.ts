import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallbackRequest } from '../../channels/provider.ts';

/** Signatures cover the raw bytes, whatever the content type. */
export function readRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}

export function toRawRequest(request: FastifyRequest): CallbackRequest {
  const query = Object.entries(request.query as Record<string, unknown>);
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    headers: request.headers,
    // Repeated parameters are dropped: no provider sends them.
    query: Object.fromEntries(
      query.filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    ),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
}
