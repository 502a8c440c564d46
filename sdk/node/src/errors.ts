import type { components } from './api-types.ts';

/** The codes of the catalogue that this version knows. A newer server may answer with others. */
export type KnownErrorCode = components['schemas']['ErrorAnswer']['error_code'];

/** Codes of this client, for calls that got no answer of the API. */
export type ClientErrorCode = 'connection_failed' | 'timeout' | 'unexpected_answer';

export type ErrorFacts = {
  code: string;
  status?: number | undefined;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  attemptsLeft?: number | undefined;
  errors?: Record<string, string[]> | undefined;
  required?: number | undefined;
  balance?: number | undefined;
  messageId?: string | undefined;
  docsUrl?: string | undefined;
  cause?: unknown;
};

/** A call that did not succeed. `message` is Russian and, for codes and limits, fit for people. */
export class ZhiberError extends Error {
  override readonly name: string = 'ZhiberError';
  /** The code of the catalogue at /docs/errors, or one of `ClientErrorCode`. */
  readonly code: KnownErrorCode | ClientErrorCode | (string & {});
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** Seconds after which the call may succeed. */
  readonly retryAfter: number | undefined;
  /** Names the call in the cabinet and for support. */
  readonly requestId: string | undefined;
  /** How many guesses are left after a wrong code. */
  readonly attemptsLeft: number | undefined;
  /** What is wrong, by field. */
  readonly errors: Record<string, string[]> | undefined;
  /** Tokens that the send needs, and tokens that there are. */
  readonly required: number | undefined;
  readonly balance: number | undefined;
  /** The message whose delivery failed. */
  readonly messageId: string | undefined;
  /** The page that says what to do. */
  readonly docsUrl: string | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status;
    this.retryAfter = facts.retryAfter;
    this.requestId = facts.requestId;
    this.attemptsLeft = facts.attemptsLeft;
    this.errors = facts.errors;
    this.required = facts.required;
    this.balance = facts.balance;
    this.messageId = facts.messageId;
    this.docsUrl = facts.docsUrl;
  }
}

/** The key is missing, wrong, revoked, or not allowed from this origin. */
export class AuthenticationError extends ZhiberError {
  override readonly name = 'AuthenticationError';
}

/** The request is wrong; sent again unchanged it fails again. */
export class ValidationError extends ZhiberError {
  override readonly name = 'ValidationError';
}

/** The code of the person is wrong, expired, used, or was never sent. */
export class CodeError extends ZhiberError {
  override readonly name = 'CodeError';
}

/** A limit is reached; `retryAfter` says for how long. */
export class RateLimitError extends ZhiberError {
  override readonly name = 'RateLimitError';
}

/** The balance is too low; see `required` and `balance`. */
export class InsufficientTokensError extends ZhiberError {
  override readonly name = 'InsufficientTokensError';
}

/** No channel took the message, or none confirmed it. Nothing was charged. */
export class DeliveryError extends ZhiberError {
  override readonly name = 'DeliveryError';
}

/** The service cannot answer now, or something else answered in its place. */
export class UnavailableError extends ZhiberError {
  override readonly name = 'UnavailableError';
}

/** There was no answer: the connection failed or took too long. */
export class ConnectionFailedError extends ZhiberError {
  override readonly name = 'ConnectionFailedError';
}

type ErrorClass = new (message: string, facts: ErrorFacts) => ZhiberError;

/** Codes whose status alone does not say the family. */
const CLASS_BY_CODE: Readonly<Record<string, ErrorClass>> = {
  invalid_code: CodeError,
  code_expired: CodeError,
  code_already_used: CodeError,
  code_not_found: CodeError,
  blocked_by_fraud_guard: DeliveryError,
  delivery_failed: DeliveryError,
  delivery_unconfirmed: DeliveryError,
  request_in_progress: UnavailableError,
};

const CLASS_BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  401: AuthenticationError,
  402: InsufficientTokensError,
  403: AuthenticationError,
  429: RateLimitError,
};

/** The error of an answer. A code that this version does not know gets the class of its status. */
export function createAnswerError(message: string, facts: ErrorFacts & { status: number }) {
  const { code, status } = facts;
  const byRange = status >= 400 && status < 500 ? ValidationError : UnavailableError;
  const Chosen = CLASS_BY_CODE[code] ?? CLASS_BY_STATUS[status] ?? byRange;
  return new Chosen(message, facts);
}
