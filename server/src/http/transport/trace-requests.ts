import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestSpan, Tracer } from '../../runtime/tracer.ts';

/** Of these no answer tells anything: balancers ask for them every second. */
const UNTRACED = /^\/(?:api\/health|live|ready)(?:\?|$)/;

/**
 * Makes a span of each request. It is entered when the body has been read, whose events come from
 * outside of it, and has the route but never the address: there may be a phone in it.
 */
export function traceRequests(
  app: FastifyInstance,
  tracer: Tracer,
  routeOf: (request: FastifyRequest) => string,
): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('preValidation', (request, reply, done) => {
    if (UNTRACED.test(request.url)) return done();
    const { traceparent } = request.headers;
    const span = tracer.openRequest({
      elapsedMs: reply.elapsedTime,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    spans.set(request, span);
    span.enter(done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = routeOf(request);
    spans.get(request)?.end({
      name: `${request.method} ${route}`,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'zhiber.error_code': request.logged?.errorCode,
      },
      hasFailed: reply.statusCode >= 500,
    });
  });
}
