import type { ErrorAnswer } from '@zhiber/contract/api/error-answer.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { FastifyError } from 'fastify';
import { isTemporary } from '../../db/group-commit.ts';
import { PROBLEMS, Problem, type ProblemCode } from '../../problem.ts';

/** Fastify's own errors as error codes of the API. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found',
  ECONNRESET: 'invalid_json',
};

/** Any failure as a Problem. An unrecognised error is a bug; its details are not disclosed. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isTemporary(error)) return new Problem('service_unavailable');
  const code = FRAMEWORK_CODES[(error as FastifyError | null)?.code ?? ''];
  return new Problem(code ?? 'internal_error');
}

export type ErrorReply = {
  status: number;
  /** Cabinet codes have no documentation page, hence the optional `docs_url`. */
  body: Omit<ErrorAnswer, 'error_code' | 'docs_url'> & {
    error_code: ProblemCode;
    docs_url?: string;
  };
  headers: Readonly<Record<string, string>>;
};

const RATE_RETRY_SECONDS = 60;

/** The only place where a Problem becomes a status, a text and headers. */
export function toErrorReply(
  problem: Problem,
  request: { requestId: string; publicUrl: string },
): ErrorReply {
  const { status, message } = PROBLEMS[problem.code];
  const isApiCode = problem.code in ERRORS;
  const retryAfter = problem.facts.retry_after ?? defaultRetryAfter(status);
  const headers: Record<string, string> = {};
  if (status === 401 && isApiCode) headers['www-authenticate'] = 'Bearer';
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return {
    status,
    headers,
    body: {
      success: false,
      message,
      error_code: problem.code,
      request_id: request.requestId,
      ...(isApiCode && { docs_url: `${request.publicUrl}/docs/errors/${problem.code}` }),
      ...problem.facts,
      ...fieldErrors(problem),
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    },
  };
}

/** The request field an error is about, where the code alone determines it. */
const FIELDS: Partial<Record<ProblemCode, string>> = {
  invalid_phone: 'phone',
  alias_taken: 'alias',
  text_too_long: 'text',
  group_not_found: 'group',
  name_taken: 'name',
  group_linked: 'chat_id',
  group_unproven: 'chat_id',
  contact_taken: 'phone',
  channel_disabled: 'channel',
  channel_not_connected: 'channel',
  channel_unsuitable: 'channel',
  country_not_supported: 'channel',
};

function fieldErrors({ code, facts }: Problem): Pick<ErrorAnswer, 'errors'> {
  const field = FIELDS[code];
  if (facts.errors !== undefined || field === undefined) return {};
  return { errors: { [field]: [PROBLEMS[code].message] } };
}

function defaultRetryAfter(status: number): number | undefined {
  if (status === 429) return RATE_RETRY_SECONDS;
  // Jitter, so that clients refused together do not retry together.
  if (status === 503) return 1 + Math.floor(Math.random() * 5);
  return undefined;
}
