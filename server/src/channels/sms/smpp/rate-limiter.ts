import { setTimeout as pause } from 'node:timers/promises';

/** The rate limit of a provider, across all its sessions. */
export type RateLimiter = {
  /**
   * Waits for a turn. False when it would come after `waitMsMax`, and then none is reserved, or
   * when the signal is aborted first.
   */
  acquire(signal: AbortSignal, waitMsMax: number): Promise<boolean>;
  /**
   * A turn if one is free now, for bulk messages: they reserve none, so that no other waits for
   * theirs. `sinceMs`: since when this message has waited; a turn that came free meanwhile is not
   * lost when its timer was late.
   */
  tryAcquire(sinceMs: number): boolean;
  /** Waits until a turn may be free. False when that is later than `waitMsMax`, or when aborted. */
  waitForTurn(signal: AbortSignal, waitMsMax: number): Promise<boolean>;
  /** The message centre throttled a message. */
  slowDown(): void;
  /** The message centre answered without throttling. */
  speedUp(): void;
};

const THROTTLED_PAUSE_MS = 1_000;
/** 50 a second at the first throttling without a configured rate; then half, down to one. */
const THROTTLED_STEP_MS = 20;
const STEP_MS_MAX = 1_000;
/** Each answered message multiplies the step by this, until it is the usual one again. */
const RECOVERY = 0.9;

export function createRateLimiter(ratePerSecond: number | undefined): RateLimiter {
  const usualStepMs = ratePerSecond === undefined ? 0 : 1_000 / ratePerSecond;
  let stepMs = usualStepMs;
  let nextAt = 0;
  let pausedUntil = 0;

  return {
    async acquire(signal, waitMsMax) {
      const now = performance.now();
      let at = Math.max(now, nextAt);
      if (at - now > waitMsMax) return false;
      nextAt = at + stepMs;
      // A pause may begin during the wait.
      for (; at > performance.now(); at = Math.max(at, pausedUntil)) {
        const waitMs = Math.ceil(at - performance.now());
        await pause(waitMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return false;
      }
      return !signal.aborted;
    },
    tryAcquire(sinceMs) {
      const now = performance.now();
      if (nextAt > now) return false;
      nextAt = Math.max(nextAt, sinceMs) + stepMs;
      return true;
    },
    async waitForTurn(signal, waitMsMax) {
      const at = nextAt;
      if (Math.ceil(at - performance.now()) > waitMsMax) return false;
      // A timer may end a fraction of a millisecond early.
      while (at > performance.now() && !signal.aborted) {
        const waitMs = Math.ceil(at - performance.now());
        await pause(waitMs, undefined, { signal }).catch(() => undefined);
      }
      return !signal.aborted;
    },
    slowDown() {
      const now = performance.now();
      // The messages of one window are throttled together; slow down only once.
      if (now < pausedUntil) return;
      stepMs = Math.min(STEP_MS_MAX, Math.max(stepMs * 2, THROTTLED_STEP_MS));
      pausedUntil = now + THROTTLED_PAUSE_MS;
      nextAt = Math.max(nextAt, pausedUntil);
    },
    speedUp() {
      const shorter = stepMs * RECOVERY;
      stepMs = shorter < 1 ? usualStepMs : Math.max(usualStepMs, shorter);
    },
  };
}
