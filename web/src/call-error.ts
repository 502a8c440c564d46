type Refusal = {
  status: number;
  code: string;
  message: string;
  errors?: Record<string, string[]>;
  requestId?: string;
  retryAfter?: number;
  attemptsLeft?: number;
};

/** A refusal of the server. When it cannot be reached: status 0 and code `no_connection`. */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  /** Validation errors by field. */
  readonly errors: Record<string, string[]>;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly attemptsLeft: number | undefined;

  constructor({ status, code, message, errors = {}, ...facts }: Refusal) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.attemptsLeft = facts.attemptsLeft;
  }
}
