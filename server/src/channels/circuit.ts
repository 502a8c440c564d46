/**
 * Keeps messages away from a provider that does not work, so that people do not wait for it: after
 * some failures in a row of seconds only a probe a second goes there, until one comes back well.
 */
export type Circuit = {
  state(): CircuitState;
  /** Whether a message may go to the provider now; while it is open, one a second may. */
  admits(): boolean;
  record(isGood: boolean): void;
};

export type CircuitState = 'closed' | 'open';

const FAILURES_MAX = 5;
const WITHIN_MS = 10_000;
const PROBE_EVERY_MS = 1_000;

export function createCircuit(nowMs: () => number): Circuit {
  let failedAt: number[] = [];
  let isOpen = false;
  let probedAt = Number.NEGATIVE_INFINITY;

  return {
    state: () => (isOpen ? 'open' : 'closed'),
    admits() {
      if (!isOpen) return true;
      if (nowMs() - probedAt < PROBE_EVERY_MS) return false;
      probedAt = nowMs();
      return true;
    },
    record(isGood) {
      if (isGood) {
        failedAt = [];
        isOpen = false;
        return;
      }
      const now = nowMs();
      failedAt = [...failedAt.filter((at) => now - at < WITHIN_MS), now].slice(-FAILURES_MAX);
      if (failedAt.length < FAILURES_MAX || isOpen) return;
      isOpen = true;
      probedAt = now;
    },
  };
}
