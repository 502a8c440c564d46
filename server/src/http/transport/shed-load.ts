import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { type Activity, type CallKind, createAdmission } from './admission.ts';
import { type ErrorReply, toErrorReply } from './errors.ts';

/**
 * A refusal is sent after this delay: clients that retry at once would otherwise take capacity from
 * the admitted calls.
 */
const REFUSAL_DELAY_MS = 25;

/**
 * Counts the calls of a scope that have been read and not answered yet. A request that is still
 * being received is not counted, so that slow clients cannot crowd out others.
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

/** Load shedding: refuses excess calls before anything of them is read, and handles the rest. */
export function shedLoad(
  handle: Handler,
  options: {
    activity(): Activity;
    isShortLink(request: IncomingMessage): boolean;
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
    const kind = classifyCall(request, options.isShortLink);
    if (kind === undefined || admission.isAdmitted(kind, options.activity())) {
      handle(request, response);
      return;
    }
    if (refused.length === 0) setTimeout(answerAll, REFUSAL_DELAY_MS);
    refused.push({ request, response });
  };
}

const STATUS_PAGES = /^\/status(?:[/?]|$)/;

/** Undefined for calls that are never refused. */
function classifyCall(
  request: IncomingMessage,
  isShortLink: (request: IncomingMessage) => boolean,
): CallKind | undefined {
  if (isShortLink(request)) return 'redirect';
  const { url = '' } = request;
  if (url.startsWith('/api/')) {
    if (url.startsWith('/api/otp/verify')) return 'verify';
    if (url.startsWith('/api/links/shorten')) return 'shorten';
    // Health checks must work especially during an overload.
    return url.startsWith('/api/health') ? undefined : 'send';
  }
  // People look there because of the overload; the page is ready in memory.
  if (STATUS_PAGES.test(url)) return undefined;
  // A refused receipt arrives late, and a late receipt triggers a fallback: a second message.
  if (url.startsWith('/callbacks/')) return 'send';
  return 'page';
}

/** Created once, to keep a refusal cheap. */
const OVERLOADED = new Problem('service_unavailable');

/** The refusal of a call, of which the log gets a line like every 5xx of the API. */
export function refuseOverload(
  ctx: Pick<Context, 'log' | 'urls'>,
  { requestId, url = '' }: { requestId: string; url: string | undefined },
): ErrorReply {
  const { publicUrl } = ctx.urls;
  const refusal = toErrorReply(OVERLOADED, { requestId, publicUrl });
  if (url.startsWith('/api/')) {
    const { status, body } = refusal;
    const facts = { request_id: requestId, status, error_code: body.error_code };
    ctx.log.warn(facts, 'request refused by overload');
  }
  return refusal;
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
