import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { BODY_BYTES_MAX } from '@zhiber/contract/api/limits.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createRateLimiter } from '../../abuse/rate.ts';
import { type Accounts, openAccounts } from '../../accounts/accounts.ts';
import type { Provider } from '../../channels/provider.ts';
import type { Context } from '../../context.ts';
import { newRequestId } from '../../ids.ts';
import { openMailer } from '../../mail/mailer.ts';
import { Problem } from '../../problem.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { logRequest, noteFailure } from '../api/log-request.ts';
import { ASSETS_URL } from '../pages/built-pages.ts';
import { createShortLinkCheck } from '../pages/short-link.ts';
import { isApiPath, sendUnknownLink, sendUnknownPage, wantsPage } from '../pages/unknown-page.ts';
import { readWebBuild, type WebBuild } from '../pages/web-build.ts';
import { addRoutes } from '../routes.ts';
import type { Activity } from './admission.ts';
import { parseBody } from './body.ts';
import { limitBodyTime, limitSilence } from './body-deadline.ts';
import { answerBrokenRequest, answerOddRequests } from './broken-requests.ts';
import { type AnswerCounter, createAnswerCounter, routeOf } from './count-answers.ts';
import { drainOnClose } from './drain.ts';
import { toErrorReply, toProblem } from './errors.ts';
import { hasUnboundedBody, isLastOfConnection, leaveUnread } from './hang-up.ts';
import { countHeader } from './header-count.ts';
import { withHttpsOnly } from './https-only.ts';
import { withLive } from './live.ts';
import { createHostCheck } from './local-hosts.ts';
import { listMethods } from './methods.ts';
import { isChange } from './same-site.ts';
import { refuseOverload, shedLoad } from './shed-load.ts';
import { createShortHostCheck, type IsShortHost, shortHostConstraint } from './short-host.ts';
import { traceRequests } from './trace-requests.ts';

// Deadlines for slow clients: 10 s for the headers, 15 s for the body, three minutes for a file.
// Keep-alive is a little over a minute, longer than that of a usual proxy, so that the server never
// closes an idle connection first.
const HEADERS_TIMEOUT_MS = 10_000;
const BODY_TIMEOUT_MS = 15_000;
const FILE_TIMEOUT_MS = 180_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_MAX = 10_000;
// Pipelined requests wait in memory, so their number per connection is bounded. 1,000 is also where
// proxies open a new connection by default.
const REQUESTS_PER_CONNECTION_MAX = 1_000;
// Node already bounds the request line by the header size; a path parameter needs no tighter limit.
const PATH_PART_LENGTH_MAX = 16 * 1024;

const CLIENT_REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

export type HttpServer = FastifyInstance;

/** Builds the server without listening. */
export function createHttpServer(
  ctx: Context,
  sandbox: Sandbox,
  providers: readonly Provider[] = [],
  accounts: Accounts = openAccounts(ctx, openMailer(ctx, sandbox)),
): HttpServer {
  const activity: Activity = { underWay: 0, answered: 0 };
  const isShortHost = createShortHostCheck(ctx.config);
  const isShortLink = createShortLinkCheck(ctx.config);
  const build = readWebBuild();
  const answerProblem = createProblemAnswer({ ctx, build, isShortHost });
  const counter = createAnswerCounter(ctx, isShortLink);
  const app = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: ctx.config.trustProxy.length > 0 ? ctx.config.trustProxy : false,
    genReqId: (raw) => chooseRequestId(raw as IncomingMessage),
    // Graceful shutdown: requests on open connections are still served.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    routerOptions: {
      maxParamLength: PATH_PART_LENGTH_MAX,
      constraints: { site: shortHostConstraint(isShortHost) },
    },
    serverFactory: (handler) => {
      const shedding = shedLoad(handler, {
        // A call that waits for a provider uses no capacity of this machine.
        activity: () => ({
          ...activity,
          underWay: activity.underWay - ctx.channels.waiting(),
        }),
        isShortLink,
        refusalOf: (raw) =>
          counter.refused(
            raw,
            refuseOverload(ctx, { requestId: chooseRequestId(raw), url: raw.url }),
          ),
      });
      // A hook refuses a missing Host header, in the usual error form.
      const options = { connectionsCheckingInterval: 2_000, requireHostHeader: false };
      const handle = withLive(isShortHost, shedding);
      const server = createServer(options, withHttpsOnly(ctx.config, handle));
      server.headersTimeout = HEADERS_TIMEOUT_MS;
      server.requestTimeout = FILE_TIMEOUT_MS;
      limitBodyTime(server as Server, ctx, BODY_TIMEOUT_MS);
      limitSilence(server as Server, HEADERS_TIMEOUT_MS);
      server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
      server.maxConnections = CONNECTIONS_MAX;
      server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION_MAX;
      answerOddRequests(server, ctx);
      return server as Server;
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(ctx, error, socket as Socket),
    // A malformed path is refused before any hook runs, so the headers are set here.
    frameworkErrors: (error, request, reply) => {
      setUsualHeaders(request, reply);
      return answerProblem(toProblem(error), request, reply);
    },
  });

  app.decorateRequest('apiKey', undefined);
  app.decorateRequest('logged');
  addHooks(app, { ctx, isShortHost, answerProblem, counter });
  if (ctx.tracer !== undefined) {
    traceRequests(app, ctx.tracer, (request) => routeOf(request, isShortLink));
  }
  readJsonBodies(app);
  addRoutes(app, ctx, { sandbox, activity, providers, accounts, build });
  return app;
}

function chooseRequestId(raw: IncomingMessage): string {
  const own = raw.headers['x-request-id'];
  return typeof own === 'string' && CLIENT_REQUEST_ID.test(own) ? own : newRequestId();
}

/** What keys, codes and people's data come from; a page sets its own rules of caching. */
const PRIVATE_PATHS = /^\/(?:api|cabinet|admin\/api|sandbox|try\/)/;

function setUsualHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  if (PRIVATE_PATHS.test(request.url)) reply.header('cache-control', 'no-store');
}

function addHooks(
  app: FastifyInstance,
  parts: {
    ctx: Context;
    isShortHost: IsShortHost;
    answerProblem: AnswerProblem;
    counter: AnswerCounter;
  },
): void {
  const { ctx, isShortHost, answerProblem, counter } = parts;
  const findMethods = listMethods(app);
  const isAnswered = createHostCheck(ctx.config);
  app.addHook('onRequest', async (request, reply) => {
    request.logged = {};
    setUsualHeaders(request, reply);
    // Of two Host headers Node takes the first; a proxy in front may take the other.
    const hosts = countHeader(request.raw, 'host');
    const isOldHttp = request.raw.httpVersion === '1.0';
    if (hosts > 1 || (hosts === 0 && !isOldHttp)) throw new Problem('validation_error');
    if (hosts === 1 && !isAnswered(request.raw.headers.host ?? '')) {
      throw new Problem('host_not_allowed');
    }
    // In this hook, not in a handler: path and method are checked before the body is read.
    if (request.is404) {
      throw unknownRoute(findMethods(request.url, isShortHost(request.headers.host)), reply);
    }
  });

  const drain = drainOnClose(app.server, BODY_TIMEOUT_MS);
  app.addHook('preClose', () => drain.start());
  app.addHook('onSend', async (request, reply) => {
    const hasUnreadBytes = hasUnboundedBody(request.raw) || isLastOfConnection(reply.raw);
    if (hasUnreadBytes) leaveUnread(request.raw);
    // Kept alive after its answer, a connection would block the shutdown.
    if (drain.isClosing() || hasUnreadBytes) reply.header('connection', 'close');
  });

  const refusals = createRateLimiter({ nodes: ctx.nodes.answering });
  // One hook: another one would cost every answer a promise more.
  app.addHook('onResponse', async (request, reply) => {
    counter.answered(request, reply);
    logRequest(ctx, refusals, { request, reply });
  });

  app.setErrorHandler((error, request, reply) => {
    return answerProblem(noteFailure(error, request.logged), request, reply);
  });
}

function unknownRoute(methods: string[], reply: FastifyReply): Problem {
  if (methods.length === 0) return new Problem('not_found');
  reply.header('allow', methods.join(', '));
  return new Problem('method_not_allowed');
}

type AnswerProblem = (
  problem: Problem,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

/** Answers in JSON, except to a person who opened an address that leads nowhere. */
function createProblemAnswer(parts: {
  ctx: Context;
  build: WebBuild | undefined;
  isShortHost: IsShortHost;
}): AnswerProblem {
  const { ctx, build, isShortHost } = parts;
  return (problem, request, reply) => {
    if (problem.code === 'not_found' && isPageMissing(request)) {
      if (isShortHost(request.headers.host)) return sendUnknownLink(build, request, reply);
      if (wantsPage(request)) return sendUnknownPage({ ctx, build }, request, reply);
      // A cache must not give this to somebody who would have got the page.
      if (!isApiPath(request.url)) reply.header('vary', 'accept');
    }
    const { publicUrl } = ctx.urls;
    const answer = toErrorReply(problem, { requestId: request.id, publicUrl });
    if (request.logged !== undefined) request.logged.answer = { ...answer.body };
    return reply.code(answer.status).headers(answer.headers).send(answer.body);
  };
}

/** Neither a page nor a file; a handler that misses a record is another matter. */
function isPageMissing(request: FastifyRequest): boolean {
  const { url } = request.routeOptions;
  return !isChange(request) && (url === undefined || url === ASSETS_URL);
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      refuseOtherEncodings(request);
      done(null, parseBody(bytes as Buffer));
    } catch (error) {
      request.logged.brokenBody = bytes as Buffer;
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
