import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';
import { type ErrorReply, toErrorReply } from './errors.ts';

/**
 * While the service is overloaded: how many calls may be under way before one of a kind is refused. What can best be done later goes first; the check of a code, for which a person
 * stands before a closed door, goes last.
 */
const STEADY_MAX = {
  page: 256,
  shorten: 288,
  redirect: 320,
  send: 352,
  verify: 512,
} as const;
type CallKind = keyof typeof STEADY_MAX;

/**
 * A burst may be longer: it is worked off within a second. Only what lasts is an overload, and it
 * is over when nothing had to be refused for as long.
 */
const BURST_MAX = 3_072;
const LASTING_MS = 1_000;

/**
 * A refused caller is answered after a breath: those who ask again at once would otherwise take the
 * time of those who were let in.
 */
const BREATH_MS = 25;

/** Decides about each call whether there is room for it. */
export function createAdmission(now: () => number = () => performance.now()) {
  let isOverloaded = false;
  /** Since when the sign of the other state lasts. */
  let turnsSinceMs: number | undefined;

  return (kind: CallKind, underWay: number): boolean => {
    const isFull = underWay >= (isOverloaded ? STEADY_MAX[kind] : STEADY_MAX.page);
    if (isFull === isOverloaded) turnsSinceMs = undefined;
    else {
      turnsSinceMs ??= now();
      if (now() - turnsSinceMs >= LASTING_MS) {
        isOverloaded = isFull;
        turnsSinceMs = undefined;
      }
    }
    return underWay < (isOverloaded ? STEADY_MAX[kind] : BURST_MAX);
  };
}

export type Activity = { calls: number };

/**
 * Counts the calls of a scope that have been read and not answered yet. One whose bytes come slowly
 * is not counted: a caller who takes his time must not keep others out.
 */
export function countCalls(scope: FastifyInstance, activity: Activity): void {
  scope.addHook('preHandler', (_request, reply, done) => {
    activity.calls += 1;
    reply.raw.once('close', () => {
      activity.calls -= 1;
    });
    done();
  });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Refuses what there is no room for, before anything of it is read, and hands on the rest. */
export function shedLoad(
  handle: Handler,
  options: {
    underWay(): number;
    /** The host that serves nothing but short links, if there is one. */
    shortLinkHost: string | undefined;
    refusalOf(request: IncomingMessage): ErrorReply;
  },
): Handler {
  const isAdmitted = createAdmission();
  let refused: { request: IncomingMessage; response: ServerResponse }[] = [];
  const answerAll = () => {
    const answered = refused;
    refused = [];
    for (const { request, response } of answered) answer(response, options.refusalOf(request));
  };
  return (request, response) => {
    const kind = kindOf(request, options.shortLinkHost);
    if (kind === undefined || isAdmitted(kind, options.underWay())) {
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
  const isShortLink = url.startsWith('/s/') || request.headers.host === shortLinkHost;
  return isShortLink ? 'redirect' : 'page';
}

export function overloadRefusal(request: { requestId: string; publicUrl: string }): ErrorReply {
  return toErrorReply(new Problem('service_unavailable'), request);
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
