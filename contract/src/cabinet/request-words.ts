import type { ErrorCode } from '../api/errors.ts';

/**
 * How a call ended. A code that a person typed wrong is told apart: the API did what it was asked,
 * and the integration has nothing to mend.
 */
export const OUTCOMES = ['ok', 'wrong_code', 'refused', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What people cause by typing a code, or by typing too many. */
export const WRONG_CODE_ERRORS = [
  'invalid_code',
  'code_expired',
  'code_already_used',
  'code_not_found',
  'too_many_attempts',
] as const satisfies readonly ErrorCode[];

export function outcomeOf(call: { status: number; error_code: string | null }): Outcome {
  if (call.status < 400) return 'ok';
  if ((WRONG_CODE_ERRORS as readonly (string | null)[]).includes(call.error_code)) {
    return 'wrong_code';
  }
  return call.status < 500 ? 'refused' : 'failed';
}

/** Stands for a value that is not stored or not shown. */
export const REDACTED = '•••';
/** Ends a value that was too long to be stored whole. */
export const CUT = '…';
