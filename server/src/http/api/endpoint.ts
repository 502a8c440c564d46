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

/**
 * Registers an endpoint of the contract: body, Idempotency-Key, one call into the domain, answer.
 */
export function addEndpoint<Schema extends TSchema, Success extends object>(
  app: FastifyInstance,
  ctx: Context,
  endpoint: Endpoint & { body: Schema },
  handler: EndpointHandler<Static<Schema>, Success>,
): void {
  const readBody = bodyReader(endpoint.body);

  app.post(endpoint.path, async (request, reply) => {
    noteForLog(request);
    const body = readBody(request.body);
    const idempotencyKey = readIdempotencyKey(request);
    const key = request.apiKey as ApiKey;
    const callWith = (subject: MessageId): Call<Static<Schema>> => ({
      key,
      body,
      requestId: request.id,
      subject,
      isRepeatable: idempotencyKey !== undefined,
    });

    if (idempotencyKey === undefined) {
      const subject = newId(ctx.clock.now().getTime());
      return noteSuccess(request, await handler.run(ctx, callWith(subject)));
    }
    const answer = await once(ctx, {
      keyId: key.id,
      path: endpoint.path,
      idempotencyKey,
      body: JSON.stringify(body),
      run: (subject) => runToAnswer(ctx, request, handler, callWith(subject)),
      resume: (subject) => resumeToAnswer(ctx, request, handler, callWith(subject)),
    });
    return replyWith(request, reply, answer);
  });
}

/** Noted before the body is judged: a call that is refused for its body can be looked up too. */
function noteForLog(request: FastifyRequest): void {
  const { phone, channel } = (request.body ?? {}) as Record<string, unknown>;
  if (typeof phone === 'string') request.logged.phone = phone;
  if (isChannelChoice(channel)) request.logged.channel = channel;
}

function isChannelChoice(value: unknown): value is string {
  return value === 'auto' || (CHANNELS as readonly unknown[]).includes(value);
}

function noteSuccess<Success extends object>(request: FastifyRequest, success: Success): Success {
  request.logged.isMessage = 'message_id' in success;
  return success;
}

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key'];
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
  request: FastifyRequest,
  handler: EndpointHandler<Body, Success>,
  call: Call<Body>,
): Promise<Answer & { isFinal: boolean }> {
  try {
    const success = noteSuccess(request, await handler.run(ctx, call));
    return { status: 200, body: JSON.stringify(success), isFinal: true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      ...problemToAnswer(ctx, request, error),
      isFinal: handler.finalProblems.includes(error.code),
    };
  }
}

async function resumeToAnswer<Body, Success extends object>(
  ctx: Context,
  request: FastifyRequest,
  handler: EndpointHandler<Body, Success>,
  call: Call<Body>,
): Promise<Answer | undefined> {
  try {
    const success = await handler.resume(ctx, call);
    return success && { status: 200, body: JSON.stringify(success) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return problemToAnswer(ctx, request, error);
  }
}

function problemToAnswer(ctx: Context, request: FastifyRequest, problem: Problem): Answer {
  const { publicUrl } = ctx.urls;
  const reply = toErrorReply(toProblem(problem), { requestId: request.id, publicUrl });
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
