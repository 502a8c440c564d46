/** Accepted and delivered never share a tone: one is a promise, the other a fact. */
export const STEP_TONES = {
  accepted: 'plain',
  attempt: 'plain',
  sent: 'info',
  refused: 'bad',
  unavailable: 'warn',
  unknown: 'warn',
  delivered: 'ok',
  read: 'ok',
  failed: 'bad',
  unconfirmed: 'warn',
  fallback: 'plain',
  verified: 'ok',
  clicked: 'ok',
} as const;

/**
 * The other steps' texts only repeat the word and the channel; a reason says something of its own.
 */
export const SAYS_WHY: ReadonlySet<string> = new Set<keyof typeof STEP_TONES>([
  'refused',
  'unavailable',
  'unknown',
  'failed',
  'unconfirmed',
]);
