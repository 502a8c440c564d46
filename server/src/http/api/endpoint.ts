import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Endpoint } from '@zhiber/contract/api/endpoints.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Context } from '../../context.ts';
import { type Answer, runIdempotently } from '../../idempotency/run-idempotently.ts';
import { type MessageId, newId } from '../../ids.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { Problem } from '../../problem.ts';
import { bodyReader } from '../transport/body.ts';
import { toErrorReply, toProblem } from '../transport/errors.ts';
import type { Logged } from './log-request.ts';

/** One authenticated call of an endpoint, with a valid body. */
export type Call<Body> = {
  key: ApiKey;
  body: Body;
  requestId: string;
  /** The id of what this call creates, chosen before it runs. */
  subject: MessageId;
  /** Whether the call has an Idempotency-Key, so that the client may retry it. */
  isRepeatable: boolean;
};

export type EndpointHandler<Body, Success> = {
  /** Returns the success or throws a Problem. */
  run(ctx: Context, call: Call<Body>): Promise<Success>;
  /** The answer to a call that was interrupted; undefined when it had changed nothing. */
  resume(ctx: Context, call: Call<Body>): Promise<Success | undefined>;
};

/** An authenticated call, not validated yet. */
export type IncomingCall = {
  key: ApiKey;
  body: unknown;
  requestId: string;
  /** The raw header value. */
  idempotencyKey?: unknown;
  logged: Logged;
};

/** The success itself, or the answer as stored for retries, which may be a refusal. */
export type CallResult = { success: object } | { kept: Answer & { isReplayed: boolean } };

/** Runs calls of one endpoint. A refusal is thrown. */
export type Operation = {
  path: string;
  run(ctx: Context, call: IncomingCall): Promise<CallResult>;
};

/** Joins an endpoint and its handler: validates the body, runs idempotently, calls the domain. */
export function createOperation<Schema extends TSchema, Success extends object>(
  endpoint: Endpoint & { body: Schema },
  handler: EndpointHandler<Static<Schema>, Success>,
): Operation {
  const readBody = bodyReader(endpoint.body);
  const parts = { handler, finalErrors: endpoint.finalErrors };

  return {
    path: endpoint.path,
    async run(ctx, incoming) {
      const { key, requestId, logged } = incoming;
      noteForLog(incoming);
      const body = readBody(incoming.body);
      const idempotencyKey = readIdempotencyKey(incoming.idempotencyKey);
      const callWith = (subject: MessageId): Call<Static<Schema>> => ({
        key,
        body,
        requestId,
        subject,
        isRepeatable: idempotencyKey !== undefined,
      });

      if (idempotencyKey === undefined) {
        const subject = newId(ctx.clock.now().getTime());
        return { success: noteSuccess(logged, await handler.run(ctx, callWith(subject))) };
      }
      const kept = await runIdempotently(ctx, {
        companyId: key.companyId,
        keyId: key.id,
        path: endpoint.path,
        idempotencyKey,
        body: JSON.stringify(body),
        run: (subject) => runToAnswer(ctx, parts, callWith(subject), logged),
        resume: (subject) => resumeToAnswer(ctx, parts, callWith(subject)),
      });
      return { kept };
    },
  };
}

/** Registers an operation as an HTTP endpoint. */
export function addEndpoint(app: FastifyInstance, ctx: Context, operation: Operation): void {
  app.post(operation.path, async (request, reply) => {
    const result = await operation.run(ctx, {
      key: request.apiKey as ApiKey,
      body: request.body,
      requestId: request.id,
      idempotencyKey: request.headers['idempotency-key'],
      logged: request.logged,
    });
    return 'kept' in result ? replyWith(request, reply, result.kept) : result.success;
  });
}

/** Runs before validation, so that the request log also keeps calls refused for their body. */
function noteForLog({ body, logged }: IncomingCall): void {
  const given = (body ?? {}) as Record<string, unknown>;
  const { phone, channel } = given;
  logged.body = given;
  if (typeof phone === 'string') logged.phone = phone;
  if (isChannelChoice(channel)) logged.channel = channel;
}

function isChannelChoice(value: unknown): value is string {
  return value === 'auto' || (CHANNELS as readonly unknown[]).includes(value);
}

function noteSuccess<Success extends object>(logged: Logged, success: Success): Success {
  logged.isMessage = 'message_id' in success;
  logged.answer = success as Record<string, unknown>;
  return success;
}

function readIdempotencyKey(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const isValid =
    typeof value === 'string' &&
    value.length <= IDEMPOTENCY_KEY_LENGTH_MAX &&
    /^[\x20-\x7e]+$/.test(value);
  if (isValid) return value;
  throw new Problem('validation_error', {
    errors: {
      'Idempotency-Key': [`От 1 до ${IDEMPOTENCY_KEY_LENGTH_MAX} печатных символов ASCII`],
    },
  });
}

type RepeatableParts<Body, Success> = {
  handler: EndpointHandler<Body, Success>;
  finalErrors: readonly string[];
};

async function runToAnswer<Body, Success extends object>(
  ctx: Context,
  { handler, finalErrors }: RepeatableParts<Body, Success>,
  call: Call<Body>,
  logged: Logged,
): Promise<Answer & { isFinal: boolean }> {
  try {
    const success = noteSuccess(logged, await handler.run(ctx, call));
    return { status: 200, body: JSON.stringify(success), isFinal: true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      ...problemToAnswer(ctx, call.requestId, error),
      isFinal: finalErrors.includes(error.code),
    };
  }
}

async function resumeToAnswer<Body, Success extends object>(
  ctx: Context,
  { handler, finalErrors }: RepeatableParts<Body, Success>,
  call: Call<Body>,
): Promise<Answer | undefined> {
  try {
    const success = await handler.resume(ctx, call);
    return success && { status: 200, body: JSON.stringify(success) };
  } catch (error) {
    const isFinal = error instanceof Problem && finalErrors.includes(error.code);
    if (!isFinal) throw error;
    return problemToAnswer(ctx, call.requestId, error);
  }
}

function problemToAnswer(ctx: Context, requestId: string, problem: Problem): Answer {
  const { publicUrl } = ctx.urls;
  const reply = toErrorReply(toProblem(problem), { requestId, publicUrl });
  return { status: reply.status, body: JSON.stringify(reply.body) };
}

/** Sends an answer that is already serialised: a stored one or a new one. */
function replyWith(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer & { isReplayed: boolean },
): FastifyReply {
  const parsed = JSON.parse(answer.body);
  const { success, error_code, message_id, retry_after } = parsed;
  request.logged.answer = parsed;
  request.logged.errorCode = error_code;
  request.logged.messageId = message_id;
  if (answer.isReplayed) reply.header('idempotent-replayed', 'true');
  if (retry_after !== undefined) reply.header('retry-after', String(retry_after));
  return (
    reply
      .code(answer.status)
      .header('content-type', 'application/json; charset=utf-8')
      // A replayed refusal gets the id of this request, the same as in the header.
      .send(success ? answer.body : JSON.stringify({ ...parsed, request_id: request.id }))
  );
}
