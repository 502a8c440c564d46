import { KEY_REFUSALS } from '@zhiber/contract/api/endpoints.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiter } from '../../abuse/rate.ts';
import {
  PHONE_DIGITS_MIN,
  redactAnswer,
  redactBroken,
  redactRequest,
} from '../../abuse/redact-call.ts';
import { keepRequest } from '../../abuse/request-log.ts';
import type { Context, FinishedCall } from '../../context.ts';
import type { MessageId } from '../../ids.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { maskPhone, type Phone, parsePhone } from '../../phone.ts';
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
  /** As it was sent: nothing but its redacted form may be stored. */
  body?: Record<string, unknown>;
  /** The bytes of a body that is no JSON. */
  brokenBody?: Buffer;
  answer?: Record<string, unknown>;
  errorCode?: string | undefined;
  messageId?: string | undefined;
  /** An accepted send is not in the request log; it is found as a message. */
  isMessage?: boolean;
  /** The error behind an `internal_error`, for the log of the process. */
  bug?: unknown;
};

/** A finished API call, over HTTP or from the cabinet. */
export type DoneCall = {
  /** Undefined: the call belongs to no company. */
  key: ApiKey | undefined;
  requestId: string;
  path: string;
  status: number;
  durationMs: number;
  logged: Logged;
};

/** Turns any failure into a Problem and notes it for the logs. */
export function noteFailure(error: unknown, logged: Logged): Problem {
  const problem = toProblem(error);
  if (problem.code === 'internal_error') logged.bug = error;
  logged.errorCode = problem.code;
  logged.messageId = problem.facts.message_id;
  return problem;
}

/** The company cannot stop these, so it sees a sample. */
const SAMPLED: readonly (string | undefined)[] = KEY_REFUSALS;
/** Of one key, in the request log of its company: a flood must not fill the table. */
const REFUSALS_PER_MINUTE_MAX = 60;

/** Logs an HTTP request. `limiter` counts the refusals of each key. */
export function logRequest(
  ctx: Context,
  limiter: RateLimiter,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  const { apiKey: key, logged } = request;
  const isLeftOut =
    key !== undefined &&
    SAMPLED.includes(logged.errorCode) &&
    !limiter.take(key.id, REFUSALS_PER_MINUTE_MAX).isAllowed;
  logCall(ctx, {
    key: isLeftOut ? undefined : key,
    requestId: request.id,
    // Never the address as it was sent: it may hold a phone.
    path: request.routeOptions.url ?? '',
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    logged,
  });
}

/** Logs a call: a failure of ours for the operator, and what became no message for the company. */
export function logCall(ctx: Context, { key, logged, ...call }: DoneCall): void {
  if (call.status >= 500 && logged.errorCode !== undefined) logServerError(ctx, call, logged);
  ctx.onCall?.(toFinishedCall({ key, logged, ...call }));
  if (key === undefined || logged.isMessage) return;
  const phone = logged.phone === undefined ? undefined : parsePhone(logged.phone)?.phone;
  // What is shorter may be a code in the wrong field.
  const recipient = phone !== undefined && phone.length >= PHONE_DIGITS_MIN ? phone : undefined;
  keepRequest(ctx, {
    companyId: key.companyId,
    keyId: key.id,
    requestId: call.requestId,
    path: call.path,
    status: call.status,
    errorCode: logged.errorCode ?? null,
    durationMs: Math.round(call.durationMs),
    phone: recipient === undefined ? null : maskPhone(recipient),
    channel: logged.channel ?? null,
    messageId: logged.messageId ?? null,
    recipient: recipient ?? null,
    ...redactedBodies(call.path, logged, recipient),
  });
}

function toFinishedCall({ key, logged, path, status, durationMs }: DoneCall): FinishedCall {
  const { message_id: id = logged.messageId, channel, cost } = logged.answer ?? {};
  return {
    path,
    status,
    durationMs,
    companyId: key?.companyId,
    isTest: key?.isTest ?? false,
    errorCode: logged.errorCode,
    phone: logged.phone,
    askedChannel: logged.channel,
    channel: typeof channel === 'string' ? channel : undefined,
    cost: typeof cost === 'number' ? cost : undefined,
    messageId: typeof id === 'string' ? (id as MessageId) : undefined,
  };
}

function redactedBodies(
  path: string,
  { body, brokenBody, answer }: Logged,
  phone: Phone | undefined,
) {
  const request =
    body !== undefined
      ? redactRequest(path, body, phone)
      : brokenBody && JSON.stringify(redactBroken(brokenBody));
  return {
    requestBody: request ?? null,
    answerBody: answer === undefined ? null : redactAnswer(path, answer),
  };
}

/** One line for each answer of 5xx, so that the request id in it leads somewhere. */
function logServerError(
  { log }: Pick<Context, 'log'>,
  call: Omit<DoneCall, 'key' | 'logged'>,
  { errorCode, messageId, bug }: Logged,
): void {
  const facts = {
    request_id: call.requestId,
    path: call.path,
    status: call.status,
    error_code: errorCode,
    message_id: messageId,
    duration_ms: Math.round(call.durationMs),
  };
  if (bug === undefined) log.warn(facts, 'request failed');
  else log.error({ err: bug, ...facts }, 'unexpected error');
}
