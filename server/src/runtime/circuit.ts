/**
 * A circuit breaker, so that people do not wait for a provider that fails. Five failures within ten
 * seconds, without a success between them, open it. While open it admits one probe a second, and a
 * success closes it.
 */
export type Circuit = {
  state(): CircuitState;
  /** Whether a message may be sent now. While open, true at most once a second. */
  admits(): boolean;
  record(isGood: boolean): void;
};

export type CircuitState = 'closed' | 'open';

const FAILURES_MAX = 5;
const WINDOW_MS = 10_000;
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
      failedAt = [...failedAt.filter((at) => now - at < WINDOW_MS), now].slice(-FAILURES_MAX);
      if (failedAt.length < FAILURES_MAX || isOpen) return;
      isOpen = true;
      probedAt = now;
    },
  };
}
