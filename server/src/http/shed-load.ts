import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../problem.ts';
import { type ErrorReply, toErrorReply } from './errors.ts';

/**
 * While the service is overloaded: for how many milliseconds of work may be under way before a call
 * of a kind is refused. What can best be done later goes first; the check of a code, for which a
 * person stands before a closed door, goes last.
 */
const WORK_MS_MAX = {
  page: 50,
  shorten: 70,
  redirect: 90,
  send: 120,
  verify: 200,
} as const;
type CallKind = keyof typeof WORK_MS_MAX;

/**
 * However slow it has been, so many may be under way: how fast it can be, it only learns from work.
 * The first is no overload yet; the second goes on in one, for each kind in proportion.
 */
const CALLS_MIN = 320;
const CALLS_MIN_OVERLOADED = 96;

/**
 * More work than this, for as long as this, is an overload; it is over when nothing had to be
 * refused for as long. A burst of thousands is none: it is worked off in that time.
 */
const OVERLOAD_WORK_MS = 150;
const LASTING_MS = 1_000;
const BURST_MAX = 3_072;

/** How long answers are counted before they say how fast the service is. */
const PACE_WINDOW_MS = 250;
/** What is left of the best moment after each such time: half of it after seven seconds. */
const PACE_KEPT = 0.975;

/**
 * A refused caller is answered after a breath: those who ask again at once would otherwise take the
 * time of those who were let in.
 */
const BREATH_MS = 25;

/** Decides about each call whether there is room for it, by what was answered of late. */
export function createAdmission(now: () => number = () => performance.now()) {
  const pace = createPace(now);
  let isOverloaded = false;
  /** Since when the sign of the other state lasts. */
  let turnsSinceMs: number | undefined;

  return {
    isAdmitted(kind: CallKind, activity: { underWay: number; answered: number }): boolean {
      const perMs = pace(activity.answered);
      const roomOverloaded =
        Math.max(perMs, CALLS_MIN_OVERLOADED / WORK_MS_MAX.send) * WORK_MS_MAX[kind];
      const room = isOverloaded ? roomOverloaded : Math.max(perMs * OVERLOAD_WORK_MS, CALLS_MIN);
      const isFull = activity.underWay >= room;
      if (isFull === isOverloaded) turnsSinceMs = undefined;
      else {
        turnsSinceMs ??= now();
        if (now() - turnsSinceMs >= LASTING_MS) {
          isOverloaded = isFull;
          turnsSinceMs = undefined;
        }
      }
      return activity.underWay < (isOverloaded ? roomOverloaded : BURST_MAX);
    },
  };
}

/**
 * How many calls the service can answer in a millisecond, from a count that only rises: as many as
 * it did in its best moment, which is forgotten bit by bit. What it does just now would not do: a
 * service that lets few in answers few, and would let in fewer still.
 */
function createPace(now: () => number): (answered: number) => number {
  let window = { startMs: now(), answered: 0 };
  let perMs = 0;
  return (answered) => {
    const passedMs = now() - window.startMs;
    if (passedMs >= PACE_WINDOW_MS) {
      perMs = Math.max((answered - window.answered) / passedMs, perMs * PACE_KEPT);
      window = { startMs: now(), answered };
    }
    return perMs;
  };
}

export type Activity = { underWay: number; answered: number };

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
