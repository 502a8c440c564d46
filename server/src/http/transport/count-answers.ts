import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { ErrorReply } from './errors.ts';

type Own = 'api' | 'cabinet' | 'links';

/** Failures of ours. 502 and 504 tell of a channel or a bank, whose answers are counted apart. */
const BAD_STATUSES = [500, 503];
/** A name that nobody has tells nothing, and a scanner asks for thousands. */
const LINK_STATUSES = [302, 410];

export type AnswerCounter = ReturnType<typeof createAnswerCounter>;

/** Counts the answers to customers, for the status page. */
export function createAnswerCounter(
  { traffic, metrics }: Pick<Context, 'traffic' | 'metrics'>,
  isShortLink: (request: IncomingMessage) => boolean,
) {
  const componentOf = (request: IncomingMessage): Own | undefined => {
    const { url = '', method } = request;
    // Our own probe asks by HEAD, and so do the previews of messengers.
    if (isShortLink(request)) return method === 'GET' ? 'links' : undefined;
    if (url.startsWith('/api/')) return url.startsWith('/api/health') ? undefined : 'api';
    return url.startsWith('/cabinet/') ? 'cabinet' : undefined;
  };
  return {
    answered(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
      metrics?.answered({
        route: routeOf(request, isShortLink),
        status: statusCode,
        errorCode: request.logged?.errorCode,
        seconds: elapsedTime / 1_000,
      });
      const component = componentOf(request.raw);
      if (component === undefined) return;
      const isBad = BAD_STATUSES.includes(statusCode);
      if (isBad || isServed(component, request, statusCode)) {
        traffic.add(component, 'traffic', !isBad);
      }
    },
    /** A call that was refused because of overload. */
    refused(request: IncomingMessage, refusal: ErrorReply): ErrorReply {
      metrics?.answered({
        route: isShortLink(request) ? SHORT_LINK : areaOf(request.url ?? ''),
        status: refusal.status,
        errorCode: refusal.body.error_code,
        seconds: 0,
      });
      const component = componentOf(request);
      if (component !== undefined) traffic.add(component, 'traffic', false);
      return refusal;
    },
  };
}

const SHORT_LINK = 'short link';

/** The calls of the API and of providers by their path, everything else by its area. */
export function routeOf(
  { raw, routeOptions }: FastifyRequest,
  isShortLink: (request: IncomingMessage) => boolean,
): string {
  if (isShortLink(raw)) return SHORT_LINK;
  const { url } = routeOptions;
  const isNamed = url?.startsWith('/api/') || url?.startsWith('/callbacks/');
  return isNamed ? (url as string) : areaOf(raw.url ?? '');
}

/** A path that does not exist is one of thousands. */
function areaOf(url: string): string {
  const [, area = ''] = /^\/(api|callbacks|cabinet|admin)\//.exec(url) ?? [];
  return area === '' ? 'pages' : area;
}

/** Calls without a key cost nothing, and must not hide that those of customers fail. */
function isServed(component: Own, { apiKey }: FastifyRequest, status: number): boolean {
  if (component === 'api') return apiKey !== undefined;
  return component === 'cabinet' || LINK_STATUSES.includes(status);
}
