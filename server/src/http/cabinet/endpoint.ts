import type {
  AnswerOf,
  BodyOf,
  CabinetEndpoint,
  Policy,
  QueryOf,
} from '@zhiber/contract/cabinet/endpoint.ts';
import { hasRight, isViewRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../abuse/rate.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { assertProven, type CurrentUser, lacksSecondFactor } from '../../accounts/current-user.ts';
import type { Started } from '../../accounts/sessions.ts';
import type { Actor } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import type { CompanyId, PersonId } from '../../ids.ts';
import type { MessageFeeds } from '../../messages/message-feeds.ts';
import { Problem } from '../../problem.ts';
import type { Release } from '../../runtime/semaphore.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { bodyReader } from '../transport/body.ts';
import type { EventStreams } from '../transport/event-stream.ts';
import { readFileBody } from '../transport/file-body.ts';
import { DONE, type Origin, originOf, queryReader, readParams } from '../transport/page-call.ts';
import { refuseForeignChange } from '../transport/same-site.ts';

export { callerOf, DONE, type Origin, readId } from '../transport/page-call.ts';

/** The dependencies of the cabinet's handlers. */
export type Cabinet = {
  ctx: Context;
  accounts: Accounts;
  sandbox: Sandbox;
  /** The rate limits of keys, shared with the API. */
  limiter: RateLimiter;
  streams: EventStreams;
  feeds: MessageFeeds;
};

/** One authorised call of an endpoint, with a valid query and body. */
export type CabinetCall<Endpoint extends CabinetEndpoint> = {
  params: Readonly<Record<string, string>>;
  query: QueryOf<Endpoint>;
  body: BodyOf<Endpoint>;
  /** The bytes as they come, of an endpoint that takes a file. */
  file: Endpoint extends { fileBytesMax: number } ? AsyncIterable<Buffer> : undefined;
  origin: Origin;
  user: Endpoint['policy'] extends 'anyone' ? CurrentUser | undefined : CurrentUser;
  /** The company and the caller's role in it, where the policy requires a right. */
  companyId: Endpoint['policy'] extends 'anyone' | 'signed-in' ? undefined : CompanyId;
  role: Endpoint['policy'] extends 'anyone' | 'signed-in' ? undefined : Role;
  request: FastifyRequest;
  /** For cookies, files and streams. A handler that sends the response itself returns the reply. */
  reply: FastifyReply;
};

export type CabinetHandler<Endpoint extends CabinetEndpoint> = (
  cabinet: Cabinet,
  call: CabinetCall<Endpoint>,
) => Promise<AnswerOf<Endpoint> | FastifyReply>;

/** A handler for each endpoint of a section of the contract; a missing one does not compile. */
export type HandlersOf<Endpoints extends Record<string, CabinetEndpoint>> = {
  [Name in keyof Endpoints]: CabinetHandler<Endpoints[Name]>;
};

/** Only the pages of the cabinet send it with a change. */
const CSRF_HEADER = 'x-zhiber-cabinet';

/** Registers a cabinet endpoint: CSRF check, session, policy, body, one call, answer. */
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
    // Authorise before reading the body.
    onRequest: async (request, reply) => {
      refuseForeignChange(request, cabinet.ctx.urls.publicUrl, CSRF_HEADER);
      request.user = await cabinet.accounts.findUser(request.headers);
      if (request.user === undefined) forgetEndedView(cabinet, request, reply);
      checkPolicy(cabinet, endpoint, request.user);
    },
    handler: async (request, reply) => {
      const { user } = request;
      const file = readFileBody(request, endpoint.fileBytesMax);
      const isCompanyScoped = endpoint.policy !== 'anyone' && endpoint.policy !== 'signed-in';
      const call = {
        params: readParams(request.params as Record<string, string>),
        query: readQuery(request.query),
        body: readBody(request.body),
        file,
        origin: originOf(request),
        user,
        companyId: isCompanyScoped ? user?.membership?.companyId : undefined,
        role: isCompanyScoped ? user?.membership?.role : undefined,
        request,
        reply,
      };
      const release = file === undefined ? undefined : takeUpload(cabinet, call.companyId);
      try {
        return await handler(cabinet, call as CabinetCall<Endpoint>);
      } finally {
        release?.();
      }
    },
  });
}

const UPLOAD_RETRY_SECONDS = 10;

function takeUpload({ ctx }: Cabinet, companyId: CompanyId | undefined): Release {
  const release = companyId === undefined ? undefined : ctx.uploads.take(companyId);
  if (release === undefined) {
    throw new Problem('service_unavailable', { retry_after: UPLOAD_RETRY_SECONDS });
  }
  return release;
}

/** Throws unless the policy allows the call. Without a user only `anyone` endpoints answer. */
function checkPolicy(
  { ctx }: Cabinet,
  endpoint: CabinetEndpoint,
  user: CurrentUser | undefined,
): void {
  const { policy }: { policy: Policy } = endpoint;
  if (user?.viewUntil !== undefined) {
    refuseUnlessOpenInView(endpoint);
    return;
  }
  if (policy === 'anyone') return;
  if (user === undefined) throw new Problem('not_signed_in');
  if (policy !== 'signed-in') {
    const { membership } = user;
    if (membership === undefined) throw new Problem('no_company');
    if (!hasRight(membership.role, policy)) throw new Problem('no_right');
    if (lacksSecondFactor(ctx, user)) throw new Problem('second_factor_needed');
    const isSuspended = membership.suspendedBecause !== undefined;
    if (isSuspended && endpoint.method !== 'GET') throw new Problem('company_suspended');
  }
  if (endpoint.needsFreshSignIn) assertFreshSignIn(ctx, user);
  if (endpoint.needsProof) assertProven(ctx, user);
}

/** An operator who looks at the cabinet reads what belongs to the company, and changes nothing. */
function refuseUnlessOpenInView({ method, policy, isOpenInView }: CabinetEndpoint): void {
  const isReading = method === 'GET' && (policy === 'anyone' || isViewRight(policy));
  if (!isReading && !isOpenInView) throw new Problem('view_only');
}

/** From then on the browser has its own session again. */
function forgetEndedView(
  { accounts }: Cabinet,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  const cookie = accounts.viewRemoval(headers);
  if (cookie !== undefined) reply.header('set-cookie', cookie);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, on the routes of the cabinet. */
    user: CurrentUser | undefined;
  }
}

/** The actor of a change, as stored in the audit log; an operator who views by name alone. */
export function actorOf(
  user: CurrentUser,
  origin: Origin,
): Actor & { person: { id: PersonId; name: string } } {
  const person = { id: user.personId, name: user.name };
  return user.viewUntil === undefined ? { person, origin } : { person };
}

/** After this long a dangerous action asks the person to confirm their identity again. */
const FRESH_SIGN_IN_MINUTES = 30;

/** Throws when the person last confirmed their identity too long ago. */
export function assertFreshSignIn({ clock }: Context, { confirmedAt }: CurrentUser): void {
  const ageMs = clock.now().getTime() - confirmedAt.getTime();
  if (ageMs > FRESH_SIGN_IN_MINUTES * 60_000) throw new Problem('stale_sign_in');
}

/** Sets the session cookie. Throws when the session still needs its second factor. */
export function enter(reply: FastifyReply, { cookie, isHalf }: Started): typeof DONE {
  reply.header('set-cookie', cookie);
  if (isHalf) throw new Problem('second_factor_required');
  return DONE;
}
