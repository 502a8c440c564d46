import type { Outcome } from './channel.ts';

/** An outcome that is no acceptance. */
export type Verdict = Exclude<Outcome, { result: 'accepted' }>;

export const refused = (reason: string): Verdict => ({ result: 'refused', reason });
export const unavailable = (reason: string): Verdict => ({ result: 'unavailable', reason });
export const unknown = (reason: string): Verdict => ({ result: 'unknown', reason });
