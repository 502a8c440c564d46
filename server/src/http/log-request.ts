import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { logRequests } from '../limits/request-log-store.ts';
import { maskPhone, readPhone } from '../phone.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request log keeps of this request, gathered on its way. */
    logged: {
      phone?: string;
      channel?: string;
      errorCode?: string | undefined;
      messageId?: string | undefined;
      /** An accepted send is looked up by its message, not in the request log. */
      isMessage?: boolean;
    };
  }
}

/** Keeps a call that did not become a message. A caller nobody knows has no log to be kept in. */
export function logRequest(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const { apiKey, logged } = request;
  if (apiKey === undefined || logged.isMessage) return;
  const facts = logged.phone === undefined ? undefined : readPhone(logged.phone);
  // Nobody waits for the log, and a full one must not fail a request.
  ctx.db
    .inGroup(logRequests, {
      companyId: apiKey.companyId,
      keyId: apiKey.id,
      requestId: request.id,
      path: request.routeOptions.url ?? request.url.slice(0, 200),
      status: reply.statusCode,
      errorCode: logged.errorCode ?? null,
      durationMs: Math.round(reply.elapsedTime),
      phone: facts === undefined ? null : maskPhone(facts.phone),
      channel: logged.channel ?? null,
      messageId: logged.messageId ?? null,
    })
    .catch((error) => ctx.log.warn({ reason: error.message }, 'request not logged'));
}
