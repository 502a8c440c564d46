import type { AdminEndpoint } from '@zhiber/contract/admin/endpoint.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@zhiber/contract/cabinet/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../../accounts/accounts.ts';
import { assertProven } from '../../accounts/current-user.ts';
import type { Context } from '../../context.ts';
import { type CurrentOperator, isComplete } from '../../operators/current-operator.ts';
import { findOperator } from '../../operators/sign-in.ts';
import { Problem } from '../../problem.ts';
import { bodyReader } from '../transport/body.ts';
import { type Origin, originOf, queryReader, readParams } from '../transport/page-call.ts';
import { refuseForeignChange } from '../transport/same-site.ts';

/** The dependencies of the handlers of the operator's desk. */
export type Admin = { ctx: Context; accounts: Accounts };

/** One authorised call of an endpoint, with a valid query and body. */
export type AdminCall<Endpoint extends AdminEndpoint> = {
  params: Readonly<Record<string, string>>;
  query: QueryOf<Endpoint>;
  body: BodyOf<Endpoint>;
  /** The uploaded bytes, of an endpoint that takes a file. */
  file: Endpoint extends { fileBytesMax: number } ? Buffer : undefined;
  origin: Origin;
  operator: Endpoint['policy'] extends 'anyone' ? CurrentOperator | undefined : CurrentOperator;
  request: FastifyRequest;
  /** For cookies and files. A handler that sends the response itself returns the reply. */
  reply: FastifyReply;
};

export type AdminHandler<Endpoint extends AdminEndpoint> = (
  admin: Admin,
  call: AdminCall<Endpoint>,
) => Promise<AnswerOf<Endpoint> | FastifyReply>;

/** A handler for each endpoint of a section of the contract; a missing one does not compile. */
export type AdminHandlersOf<Endpoints extends Record<string, AdminEndpoint>> = {
  [Name in keyof Endpoints]: AdminHandler<Endpoints[Name]>;
};

/** Only the pages of the desk send it with a change. */
const CSRF_HEADER = 'x-zhiber-admin';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, on the routes of the operator's desk. */
    operator: CurrentOperator | undefined;
  }
}

/** Registers an endpoint of the desk: CSRF check, session, policy, body, one call, answer. */
export function addAdminEndpoint<Endpoint extends AdminEndpoint>(
  scope: FastifyInstance,
  admin: Admin,
  endpoint: Endpoint,
  handler: AdminHandler<Endpoint>,
): void {
  const readBody = endpoint.body === undefined ? () => undefined : bodyReader(endpoint.body);
  const readQuery = endpoint.query === undefined ? () => undefined : queryReader(endpoint.query);
  const { ctx } = admin;

  const { fileBytesMax } = endpoint;

  scope.route({
    method: endpoint.method,
    url: endpoint.path,
    ...(fileBytesMax !== undefined && { bodyLimit: fileBytesMax }),
    // Authorise before reading the body.
    onRequest: async (request) => {
      refuseForeignChange(request, ctx.urls.publicUrl, CSRF_HEADER);
      request.operator = await findOperator(ctx, request.headers.cookie);
      checkPolicy(ctx, endpoint, request.operator);
    },
    handler: async (request, reply) => {
      const file = readFile(endpoint, request.body);
      const call = {
        params: readParams(request.params as Record<string, string>),
        query: readQuery(request.query),
        body: readBody(request.body),
        file,
        origin: originOf(request),
        operator: request.operator,
        request,
        reply,
      };
      return await handler(admin, call as AdminCall<Endpoint>);
    },
  });
}

/** Files come as they are: their encoding is a part of them. */
export function readFiles(scope: FastifyInstance): void {
  const options = { parseAs: 'buffer' } as const;
  scope.addContentTypeParser('application/octet-stream', options, (_request, bytes, done) =>
    done(null, bytes),
  );
}

/** The file of an endpoint that takes one; any other takes none. */
function readFile({ fileBytesMax }: AdminEndpoint, body: unknown): Buffer | undefined {
  const file = Buffer.isBuffer(body) ? body : undefined;
  if ((file === undefined) !== (fileBytesMax === undefined)) {
    throw new Problem('unsupported_media_type');
  }
  return file;
}

/** Throws unless the policy allows the call. */
function checkPolicy(
  ctx: Context,
  { policy, needsProof }: AdminEndpoint,
  operator: CurrentOperator | undefined,
): void {
  if (policy === 'anyone') return;
  if (operator === undefined) throw new Problem('not_signed_in');
  if (isComplete(operator)) {
    // A cookie alone must not add another way to sign in.
    if (needsProof || policy === 'half') assertProven(ctx, operator);
    return;
  }
  // Whoever knows the password must not add a second factor beside the one that is there.
  if (operator.hasSecondFactor) throw new Problem('second_factor_required');
  if (policy !== 'half') throw new Problem('second_factor_needed');
}
