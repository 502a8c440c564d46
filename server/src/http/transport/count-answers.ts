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
  { traffic }: Pick<Context, 'traffic'>,
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
    answered(request: FastifyRequest, { statusCode }: FastifyReply): void {
      const component = componentOf(request.raw);
      if (component === undefined) return;
      const isBad = BAD_STATUSES.includes(statusCode);
      if (isBad || isServed(component, request, statusCode)) {
        traffic.add(component, 'traffic', !isBad);
      }
    },
    /** A call that was refused because of overload. */
    refused(request: IncomingMessage, refusal: ErrorReply): ErrorReply {
      const component = componentOf(request);
      if (component !== undefined) traffic.add(component, 'traffic', false);
      return refusal;
    },
  };
}

/** Calls without a key cost nothing, and must not hide that those of customers fail. */
function isServed(component: Own, { apiKey }: FastifyRequest, status: number): boolean {
  if (component === 'api') return apiKey !== undefined;
  return component === 'cabinet' || LINK_STATUSES.includes(status);
}
