import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Endpoint } from '@zhiber/contract/api/endpoints.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Context } from '../../context.ts';
import { type MessageId, newId } from '../../ids.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { type Answer, once } from '../../limits/once.ts';
import { Problem } from '../../problem.ts';
import { bodyReader } from '../body.ts';
import { toErrorReply, toProblem } from '../errors.ts';
import type { Logged } from '../log-request.ts';

/** One call of an endpoint, past the key and with a body of the right shape. */
export type Call<Body> = {
  key: ApiKey;
  body: Body;
  requestId: string;
  /** The id of what this call makes, known before anything happens. */
  subject: MessageId;
  /** Whether the caller may repeat this very call. */
  isRepeatable: boolean;
};

export type EndpointHandler<Body, Success> = {
  /** The success, or a thrown Problem. */
  run(ctx: Context, call: Call<Body>): Promise<Success>;
  /** Refusals that are the lasting answer to a repeated call, because something happened. */
  finalProblems: readonly string[];
  /** The answer to a call that died half-way; undefined when it had changed nothing. */
  resume(ctx: Context, call: Call<Body>): Promise<Success | undefined>;
};

/** A call as it comes in, past the key: nothing else of it has been judged yet. */
export type IncomingCall = {
  key: ApiKey;
  body: unknown;
  requestId: string;
  /** As the header said it. */
  idempotencyKey?: unknown;
  logged: Logged;
};

/** The success itself; or the answer as it is kept for repeats, which may be a refusal. */
export type CallResult = { success: object } | { kept: Answer & { isReplayed: boolean } };

/** Runs a call of one endpoint. What is thrown is the refusal. */
export type Operation = {
  path: string;
  run(ctx: Context, call: IncomingCall): Promise<CallResult>;
};

/** An endpoint of the contract and what it does: body, Idempotency-Key, one call into the domain. */
export function operationOf<Schema extends TSchema, Success extends object>(
  endpoint: Endpoint & { body: Schema },
  handler: EndpointHandler<Static<Schema>, Success>,
): Operation {
  const readBody = bodyReader(endpoint.body);

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
      const kept = await once(ctx, {
        keyId: key.id,
        path: endpoint.path,
        idempotencyKey,
        body: JSON.stringify(body),
        run: (subject) => runToAnswer(ctx, logged, handler, callWith(subject)),
        resume: (subject) => resumeToAnswer(ctx, handler, callWith(subject)),
      });
      return { kept };
    },
  };
}

/** Registers an operation for callers from outside. */
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

/** Noted before the body is judged: a call that is refused for its body can be looked up too. */
function noteForLog({ body, logged }: IncomingCall): void {
  const { phone, channel } = (body ?? {}) as Record<string, unknown>;
  if (typeof phone === 'string') logged.phone = phone;
  if (isChannelChoice(channel)) logged.channel = channel;
}

function isChannelChoice(value: unknown): value is string {
  return value === 'auto' || (CHANNELS as readonly unknown[]).includes(value);
}

function noteSuccess<Success extends object>(logged: Logged, success: Success): Success {
  logged.isMessage = 'message_id' in success;
  return success;
}

function readIdempotencyKey(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const isGood =
    typeof value === 'string' &&
    value.length <= IDEMPOTENCY_KEY_LENGTH_MAX &&
    /^[\x20-\x7e]+$/.test(value);
  if (isGood) return value;
  throw new Problem('validation_error', {
    errors: {
      'Idempotency-Key': [`От 1 до ${IDEMPOTENCY_KEY_LENGTH_MAX} печатных символов ASCII`],
    },
  });
}

async function runToAnswer<Body, Success extends object>(
  ctx: Context,
  logged: Logged,
  handler: EndpointHandler<Body, Success>,
  call: Call<Body>,
): Promise<Answer & { isFinal: boolean }> {
  try {
    const success = noteSuccess(logged, await handler.run(ctx, call));
    return { status: 200, body: JSON.stringify(success), isFinal: true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      ...problemToAnswer(ctx, call.requestId, error),
      isFinal: handler.finalProblems.includes(error.code),
    };
  }
}

async function resumeToAnswer<Body, Success extends object>(
  ctx: Context,
  handler: EndpointHandler<Body, Success>,
  call: Call<Body>,
): Promise<Answer | undefined> {
  try {
    const success = await handler.resume(ctx, call);
    return success && { status: 200, body: JSON.stringify(success) };
  } catch (error) {
    const isFinal = error instanceof Problem && handler.finalProblems.includes(error.code);
    if (!isFinal) throw error;
    return problemToAnswer(ctx, call.requestId, error);
  }
}

function problemToAnswer(ctx: Context, requestId: string, problem: Problem): Answer {
  const { publicUrl } = ctx.urls;
  const reply = toErrorReply(toProblem(problem), { requestId, publicUrl });
  return { status: reply.status, body: JSON.stringify(reply.body) };
}

/** Sends an answer that exists as text, the kept one or the one just made. */
function replyWith(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer & { isReplayed: boolean },
): FastifyReply {
  const parsed = JSON.parse(answer.body);
  const { success, error_code, message_id, retry_after } = parsed;
  request.logged.errorCode = error_code;
  request.logged.messageId = message_id;
  if (answer.isReplayed) reply.header('idempotent-replayed', 'true');
  if (retry_after !== undefined) reply.header('retry-after', String(retry_after));
  return (
    reply
      .code(answer.status)
      .header('content-type', 'application/json; charset=utf-8')
      // A kept refusal is about this request now: its id is the one in the header.
      .send(success ? answer.body : JSON.stringify({ ...parsed, request_id: request.id }))
  );
}
