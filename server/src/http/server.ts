import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { BODY_BYTES_MAX } from '@zhiber/contract/api/limits.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Provider } from '../channels/provider.ts';
import type { Context } from '../context.ts';
import { newRequestId } from '../ids.ts';
import { openMailer } from '../mail/mailer.ts';
import { openPeople, type People } from '../people/people.ts';
import { Problem } from '../problem.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Activity } from './admission.ts';
import { parseBody } from './body.ts';
import { answerBrokenRequest, answerOddRequests } from './broken-requests.ts';
import { toErrorReply, toProblem } from './errors.ts';
import { hasEndlessBody, isLastOfConnection, leaveUnread } from './hang-up.ts';
import { countOf } from './header-count.ts';
import { logRequest, noteFailure } from './log-request.ts';
import { listMethods } from './methods.ts';
import { addRoutes } from './routes.ts';
import { overloadRefusal, shedLoad } from './shed-load.ts';

// Slow callers are let go: a header in 10 s, a request in 15 s. Idle connections may stay a minute,
// longer than the usual proxy keeps its own, so that it is never the server that hangs up first.
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_MAX = 10_000;
// Requests sent ahead of their answers wait in memory, so what a connection may send is bounded.
// After as many, proxies open another one by default.
const REQUESTS_PER_CONNECTION_MAX = 1_000;
// A path is bounded by the size of a header; a name in it needs no other bound.
const PATH_PART_LENGTH_MAX = 16 * 1024;

/** How long requests that have left their clients may take to be read once a stop begins. */
const STOP_LISTENING_AFTER_MS = 250;

/** As many as the system lets wait for a server, by Node's default. */
const QUEUE_MAX = 511;

const OWN_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export type HttpServer = FastifyInstance;

/** Builds the server without listening. */
export function createHttpServer(
  ctx: Context,
  sandbox: Sandbox,
  providers: readonly Provider[] = [],
  people: People = openPeople(ctx, openMailer(ctx, sandbox)),
): HttpServer {
  const activity: Activity = { underWay: 0, answered: 0 };
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: ctx.config.trustProxy.length > 0 ? ctx.config.trustProxy : false,
    genReqId: (raw) => requestIdOf(raw as IncomingMessage),
    // Requests on open connections are served to the end while the server stops.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: PATH_PART_LENGTH_MAX },
    serverFactory: (handler) => {
      const shedding = shedLoad(handler, {
        // Whoever waits for a channel needs nothing of this machine.
        activity: () => ({
          ...activity,
          underWay: activity.underWay - ctx.channels.waiting(),
        }),
        shortLinkHost: shortLinkHostOf(ctx),
        refusalOf: (raw) =>
          overloadRefusal({ requestId: requestIdOf(raw), publicUrl: ctx.urls.publicUrl }),
      });
      // A missing Host header is refused by a hook, in the usual form.
      const options = { connectionsCheckingInterval: 2_000, requireHostHeader: false };
      const server = createServer(options, shedding);
      server.headersTimeout = HEADERS_TIMEOUT_MS;
      server.requestTimeout = REQUEST_TIMEOUT_MS;
      server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
      server.maxConnections = CONNECTIONS_MAX;
      server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION_MAX;
      answerOddRequests(server, ctx);
      return server as Server;
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(ctx, error, socket as Socket),
    // A path that cannot be read is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      return answerProblem(ctx, toProblem(error), request, reply);
    },
  });

  app.decorateRequest('apiKey', undefined);
  app.decorateRequest('logged');
  addHooks(app, ctx);
  readJsonBodies(app);
  addRoutes(app, ctx, { sandbox, activity, providers, people });
  return app;
}

function shortLinkHostOf({ config }: Context): string | undefined {
  return config.shortLinkBase === undefined ? undefined : new URL(config.shortLinkBase).host;
}

function requestIdOf(raw: IncomingMessage): string {
  const own = raw.headers['x-request-id'];
  return typeof own === 'string' && OWN_REQUEST_ID.test(own) ? own : newRequestId();
}

function addHooks(app: FastifyInstance, ctx: Context): void {
  const methodsOf = listMethods(app);
  app.addHook('onRequest', async (request, reply) => {
    request.logged = {};
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
    // Node takes the first of two Host headers; a proxy in front may take the other.
    const hosts = countOf(request.raw, 'host');
    const isOldHttp = request.raw.httpVersion === '1.0';
    if (hosts > 1 || (hosts === 0 && !isOldHttp)) throw new Problem('validation_error');
    // Here and not in a handler: the path and the method are judged before the body.
    if (request.is404) throw unknownRoute(methodsOf(request.url, request.host), reply);
  });

  // A connection whose request was under way when the stop began would idle on and hold it up.
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    stopQueueing(app.server);
    await pause(STOP_LISTENING_AFTER_MS);
    await untilNobodyComes(app.server);
  });
  app.addHook('onSend', async (request, reply) => {
    const leavesBytes = hasEndlessBody(request.raw) || isLastOfConnection(reply.raw);
    if (leavesBytes) leaveUnread(request.raw);
    if (isClosing || leavesBytes) reply.header('connection', 'close');
  });

  app.addHook('onResponse', async (request, reply) => logRequest(ctx, request, reply));

  app.setErrorHandler((error, request, reply) => {
    const problem = noteFailure(ctx, error, { requestId: request.id, logged: request.logged });
    return answerProblem(ctx, problem, request, reply);
  });
}

/**
 * From now on new callers wait at their own end: whoever is in the queue of the system when it is
 * closed would be cut off, with a request that may have left already.
 */
function stopQueueing(server: Server): void {
  const { _handle: handle } = server as { _handle?: { listen?(queueLength: number): void } };
  handle?.listen?.(0);
}

/**
 * Node takes a connection whose request has not been read yet for idle, and would cut it off. Each
 * turn of the loop lets one in and reads the one before; on a busy machine the pause before may have
 * been a few turns only. Those who come after the stop began must not hold it up for ever.
 */
async function untilNobodyComes(server: Server): Promise<void> {
  let came = 0;
  const count = () => {
    came += 1;
  };
  server.on('connection', count).on('request', count);
  for (let turns = 0, seen = -1; seen !== came && turns < QUEUE_MAX; turns++) {
    seen = came;
    await nextTurn();
    await nextTurn();
  }
  server.off('connection', count).off('request', count);
}

function unknownRoute(methods: string[], reply: FastifyReply): Problem {
  if (methods.length === 0) return new Problem('not_found');
  reply.header('allow', methods.join(', '));
  return new Problem('method_not_allowed');
}

function answerProblem(
  ctx: Context,
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { publicUrl } = ctx.urls;
  const answer = toErrorReply(problem, { requestId: request.id, publicUrl });
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      refuseOtherEncodings(request);
      done(null, parseBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

function refuseOtherEncodings(request: FastifyRequest): void {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (!isUtf8 || encoding !== 'identity') throw new Problem('unsupported_media_type');
}
