import type {
  AnswerOf,
  BodyOf,
  CabinetEndpoint,
  Policy,
  QueryOf,
} from '@zhiber/contract/cabinet/endpoint.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import type { CompanyId } from '../../../ids.ts';
import type { RateLimiter } from '../../../limits/rate.ts';
import type { People } from '../../../people/people.ts';
import type { Visitor } from '../../../people/visitor.ts';
import { Problem } from '../../../problem.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { bodyReader } from '../../body.ts';
import type { EventStreams } from '../../streams/event-stream.ts';
import { assertFreshSignIn } from './fresh-sign-in.ts';
import { queryReader } from './query.ts';
import { refuseForeign } from './same-site.ts';

/** What the handlers of the cabinet work with. */
export type Cabinet = {
  ctx: Context;
  people: People;
  sandbox: Sandbox;
  /** The calls of keys, shared with the API. */
  limiter: RateLimiter;
  streams: EventStreams;
};

/** Where a call came from, as the audit log keeps it. */
export type Origin = { requestId: string; address: string; device: string };

/** One call of an endpoint, past its policy and with everything of the right shape. */
export type CabinetCall<Endpoint extends CabinetEndpoint> = {
  params: Readonly<Record<string, string>>;
  query: QueryOf<Endpoint>;
  body: BodyOf<Endpoint>;
  origin: Origin;
  visitor: Endpoint['policy'] extends 'anyone' ? Visitor | undefined : Visitor;
  /** The company of the call and the caller's role in it, where the policy asks for a right. */
  companyId: Endpoint['policy'] extends 'anyone' | 'signed-in' ? undefined : CompanyId;
  role: Endpoint['policy'] extends 'anyone' | 'signed-in' ? undefined : Role;
  request: FastifyRequest;
  /** For cookies, files and streams; a handler that has sent by itself returns the reply. */
  reply: FastifyReply;
};

export type CabinetHandler<Endpoint extends CabinetEndpoint> = (
  cabinet: Cabinet,
  call: CabinetCall<Endpoint>,
) => Promise<AnswerOf<Endpoint> | FastifyReply>;

/** A handler for each endpoint of a part of the contract; a missing one does not compile. */
export type HandlersOf<Endpoints extends Record<string, CabinetEndpoint>> = {
  [Name in keyof Endpoints]: CabinetHandler<Endpoints[Name]>;
};

/** Registers an endpoint of the cabinet: same site, who, what they may, body, one call, answer. */
export function addCabinetEndpoint<Endpoint extends CabinetEndpoint>(
  scope: FastifyInstance,
  cabinet: Cabinet,
  endpoint: Endpoint,
  handler: CabinetHandler<Endpoint>,
): void {
  const readBody = endpoint.body === undefined ? () => undefined : bodyReader(endpoint.body);
  const readQuery = endpoint.query === undefined ? () => undefined : queryReader(endpoint.query);

  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    // Before the body is read: a stranger is not asked what he wants.
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      refuseForeign(request, cabinet.ctx.urls.publicUrl);
      request.visitor = await cabinet.people.findVisitor(request.headers);
      checkPolicy(cabinet, endpoint, request.visitor);
    },
    handler: async (request, reply) => {
      const { visitor } = request;
      const isOfCompany = endpoint.policy !== 'anyone' && endpoint.policy !== 'signed-in';
      const call = {
        params: request.params,
        query: readQuery(request.query),
        body: readBody(request.body),
        origin: originOf(request),
        visitor,
        companyId: isOfCompany ? visitor?.membership?.companyId : undefined,
        role: isOfCompany ? visitor?.membership?.role : undefined,
        request,
        reply,
      };
      return await handler(cabinet, call as CabinetCall<Endpoint>);
    },
  });
}

/** Refused unless the policy allows it: an endpoint without a caller it knows answers nobody. */
function checkPolicy(
  { ctx }: Cabinet,
  endpoint: CabinetEndpoint,
  visitor: Visitor | undefined,
): void {
  const { policy }: { policy: Policy } = endpoint;
  if (policy === 'anyone') return;
  if (visitor === undefined) throw new Problem('not_signed_in');
  if (policy !== 'signed-in') {
    if (visitor.membership === undefined) throw new Problem('no_company');
    if (!hasRight(visitor.membership.role, policy)) throw new Problem('no_right');
  }
  if (endpoint.needsFreshSignIn) assertFreshSignIn(ctx, visitor);
}

function originOf(request: FastifyRequest): Origin {
  return {
    requestId: request.id,
    address: request.ip,
    device: (request.headers['user-agent'] ?? '').slice(0, 300),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, on the routes of the cabinet. */
    visitor: Visitor | undefined;
  }
}
