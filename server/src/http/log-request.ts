import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { logRequests } from '../limits/request-log-store.ts';
import { maskPhone, readPhone } from '../phone.ts';
import type { Problem } from '../problem.ts';
import { toProblem } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request log keeps of this request, gathered on its way. */
    logged: Logged;
  }
}

export type Logged = {
  phone?: string;
  channel?: string;
  errorCode?: string | undefined;
  messageId?: string | undefined;
  /** An accepted send is looked up by its message, not in the request log. */
  isMessage?: boolean;
};

/** A call of the API that is over, however it came in. */
export type DoneCall = {
  key: ApiKey;
  requestId: string;
  path: string;
  status: number;
  durationMs: number;
  logged: Logged;
};

/** Any failure as a Problem, noted for the log; a bug is told to whoever runs the service. */
export function noteFailure(
  ctx: Context,
  error: unknown,
  { requestId, logged }: { requestId: string; logged: Logged },
): Problem {
  const problem = toProblem(error);
  if (problem.code === 'internal_error') {
    ctx.log.error({ err: error, request_id: requestId }, 'bug');
  }
  logged.errorCode = problem.code;
  logged.messageId = problem.facts.message_id;
  return problem;
}

/** A caller nobody knows has no log to be kept in. */
export function logRequest(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const { apiKey: key, logged } = request;
  if (key === undefined) return;
  logCall(ctx, {
    key,
    requestId: request.id,
    path: request.routeOptions.url ?? request.url.slice(0, 200),
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    logged,
  });
}

/** Keeps a call that did not become a message. */
export function logCall(ctx: Context, { key, logged, ...call }: DoneCall): void {
  if (logged.isMessage) return;
  const facts = logged.phone === undefined ? undefined : readPhone(logged.phone);
  // Nobody waits for the log, and a full one must not fail a request.
  ctx.db
    .inGroup(logRequests, {
      companyId: key.companyId,
      keyId: key.id,
      requestId: call.requestId,
      path: call.path,
      status: call.status,
      errorCode: logged.errorCode ?? null,
      durationMs: Math.round(call.durationMs),
      phone: facts === undefined ? null : maskPhone(facts.phone),
      channel: logged.channel ?? null,
      messageId: logged.messageId ?? null,
    })
    .catch((error) => ctx.log.warn({ reason: error.message }, 'request not logged'));
}
