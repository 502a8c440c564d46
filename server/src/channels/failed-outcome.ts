import type { Outcome } from './channel.ts';

/** Any outcome except an acceptance. */
export type FailedOutcome = Exclude<Outcome, { result: 'accepted' }>;

export const refused = (reason: string): FailedOutcome => ({ result: 'refused', reason });
export const unavailable = (reason: string): FailedOutcome => ({ result: 'unavailable', reason });
/** Decided here, without asking the provider. */
export const notOffered = (outcome: FailedOutcome): FailedOutcome =>
  outcome.result === 'unknown' ? outcome : { ...outcome, isNotOffered: true };
export const unknown = (reason: string): FailedOutcome => ({ result: 'unknown', reason });
