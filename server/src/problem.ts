import { ERRORS, type ErrorCode, type ErrorFacts } from '@zhiber/contract/api/errors.ts';

/**
 * A refusal with a code of the catalogue. Thrown by the domain when nobody between here and the
 * edge will branch on it; only the edge knows its status and text.
 */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    super(ERRORS[code].message);
    this.code = code;
    this.facts = facts;
  }
}
