import type { ErrorAnswer } from '@zhiber/contract/api/error-answer.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { FastifyError } from 'fastify';
import { isTemporary } from '../db/group-commit.ts';
import { PROBLEMS, Problem, type ProblemCode } from '../problem.ts';

/** The framework's own refusals, in the words of the catalogue. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found',
  ECONNRESET: 'invalid_json',
};

/** Any failure as a Problem. What is not recognised is a bug, and says nothing but that. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isTemporary(error)) return new Problem('service_unavailable');
  const code = FRAMEWORK_CODES[(error as FastifyError | null)?.code ?? ''];
  return new Problem(code ?? 'internal_error');
}

export type ErrorReply = {
  status: number;
  /** A code of the cabinet has no page of its own. */
  body: Omit<ErrorAnswer, 'error_code' | 'docs_url'> & {
    error_code: ProblemCode;
    docs_url?: string;
  };
  headers: Readonly<Record<string, string>>;
};

const RATE_RETRY_SECONDS = 60;

/** The one place where a problem becomes a status, a text and headers. */
export function toErrorReply(
  problem: Problem,
  request: { requestId: string; publicUrl: string },
): ErrorReply {
  const { status, message } = PROBLEMS[problem.code];
  const isOfApi = problem.code in ERRORS;
  const retryAfter = problem.facts.retry_after ?? defaultRetryAfter(status);
  const headers: Record<string, string> = {};
  if (status === 401 && isOfApi) headers['www-authenticate'] = 'Bearer';
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  return {
    status,
    headers,
    body: {
      success: false,
      message,
      error_code: problem.code,
      request_id: request.requestId,
      ...(isOfApi && { docs_url: `${request.publicUrl}/docs/errors/${problem.code}` }),
      ...problem.facts,
      ...fieldErrors(problem),
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    },
  };
}

/** The field a refusal is about, where its code alone tells. */
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
  // Spread, so that all who were refused together do not come back together.
  if (status === 503) return 1 + Math.floor(Math.random() * 5);
  return undefined;
}
