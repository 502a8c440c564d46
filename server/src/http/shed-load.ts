import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';
import { type Activity, type CallKind, createAdmission } from './admission.ts';
import { type ErrorReply, toErrorReply } from './errors.ts';

/**
 * A refused caller is answered after a breath: those who ask again at once would otherwise take the
 * time of those who were let in.
 */
const BREATH_MS = 25;

/**
 * Counts the calls of a scope that have been read and not answered yet. One whose bytes come slowly
 * is not counted: a caller who takes his time must not keep others out.
 */
export function countCalls(scope: FastifyInstance, activity: Activity): void {
  scope.addHook('preHandler', (_request, reply, done) => {
    activity.underWay += 1;
    reply.raw.once('close', () => {
      activity.underWay -= 1;
      activity.answered += 1;
    });
    done();
  });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Refuses what there is no room for, before anything of it is read, and hands on the rest. */
export function shedLoad(
  handle: Handler,
  options: {
    activity(): Activity;
    /** The host that serves nothing but short links, if there is one. */
    shortLinkHost: string | undefined;
    refusalOf(request: IncomingMessage): ErrorReply;
  },
): Handler {
  const admission = createAdmission();
  let refused: { request: IncomingMessage; response: ServerResponse }[] = [];
  const answerAll = () => {
    const answered = refused;
    refused = [];
    for (const { request, response } of answered) answer(response, options.refusalOf(request));
  };
  return (request, response) => {
    const kind = kindOf(request, options.shortLinkHost);
    if (kind === undefined || admission.isAdmitted(kind, options.activity())) {
      handle(request, response);
      return;
    }
    if (refused.length === 0) setTimeout(answerAll, BREATH_MS);
    refused.push({ request, response });
  };
}

/** Undefined for what is never refused. */
function kindOf(request: IncomingMessage, shortLinkHost: string | undefined): CallKind | undefined {
  const { url = '' } = request;
  if (url.startsWith('/api/')) {
    if (url.startsWith('/api/otp/verify')) return 'verify';
    if (url.startsWith('/api/links/shorten')) return 'shorten';
    // Whether the service is well is what everybody asks when it is not.
    return url.startsWith('/api/health') ? undefined : 'send';
  }
  // A receipt that is refused comes late, and a late receipt is a second message.
  if (url.startsWith('/callbacks/')) return 'send';
  const isShortLink = url.startsWith('/s/') || request.headers.host === shortLinkHost;
  return isShortLink ? 'redirect' : 'page';
}

/** Made once: a refusal must cost as little as can be. */
const OVERLOADED = new Problem('service_unavailable');

export function overloadRefusal(request: { requestId: string; publicUrl: string }): ErrorReply {
  return toErrorReply(OVERLOADED, request);
}

function answer(response: ServerResponse, { status, headers, body }: ErrorReply): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': body.request_id,
  });
  response.end(text);
}
