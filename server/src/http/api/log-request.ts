import type { FastifyReply, FastifyRequest } from 'fastify';
import { keepRequest } from '../../abuse/request-log.ts';
import type { Context } from '../../context.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { maskPhone, parsePhone } from '../../phone.ts';
import type { Problem } from '../../problem.ts';
import { toProblem } from '../transport/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request log keeps of this request, collected while it is handled. */
    logged: Logged;
  }
}

export type Logged = {
  phone?: string;
  channel?: string;
  errorCode?: string | undefined;
  messageId?: string | undefined;
  /** An accepted send is not in the request log; it is found as a message. */
  isMessage?: boolean;
};

/** A finished API call, over HTTP or from the cabinet. */
export type DoneCall = {
  key: ApiKey;
  requestId: string;
  path: string;
  status: number;
  durationMs: number;
  logged: Logged;
};

/** Turns any failure into a Problem and records it for the request log; a bug is also logged. */
export function noteFailure(
  ctx: Context,
  error: unknown,
  { requestId, logged }: { requestId: string; logged: Logged },
): Problem {
  const problem = toProblem(error);
  if (problem.code === 'internal_error') {
    ctx.log.error({ err: error, request_id: requestId }, 'unexpected error');
  }
  logged.errorCode = problem.code;
  logged.messageId = problem.facts.message_id;
  return problem;
}

/** Logs an HTTP request. One without a known key belongs to no company, so it is not logged. */
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

/** Stores a call that did not become a message. */
export function logCall(ctx: Context, { key, logged, ...call }: DoneCall): void {
  if (logged.isMessage) return;
  const facts = logged.phone === undefined ? undefined : parsePhone(logged.phone);
  keepRequest(ctx, {
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
  });
}
