import type { ErrorFacts } from '@zhiber/contract/api/error-answer.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import { CABINET_ERRORS, type CabinetErrorCode } from '@zhiber/contract/cabinet/errors.ts';

export type ProblemCode = ErrorCode | CabinetErrorCode;

/** Both error catalogues: that of the API, and what the cabinet adds. */
export const PROBLEMS = { ...ERRORS, ...CABINET_ERRORS };

/**
 * A refusal with a code of a catalogue. Thrown by the domain when no caller before the HTTP layer
 * branches on it; only that layer uses its status and text.
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly facts: ErrorFacts;

  constructor(code: ProblemCode, facts: ErrorFacts = {}) {
    super(PROBLEMS[code].message);
    this.code = code;
    this.facts = facts;
  }
}
