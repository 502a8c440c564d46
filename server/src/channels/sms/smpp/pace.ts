import { setTimeout as pause } from 'node:timers/promises';

/** How fast messages may follow one another, over all connections of a link. */
export type Pace = {
  /**
   * Waits for one's turn. False when it would come too late, and then none is taken; or when the signal
   * comes first.
   */
  turn(signal: AbortSignal, waitMsMax: number): Promise<boolean>;
  /** The message centre said that it was too fast. */
  slowDown(): void;
  /** It took a message. */
  speedUp(): void;
};

const THROTTLED_PAUSE_MS = 1_000;
/** Fifty a second, where nobody has named a rate; then half of it, and so on down to one. */
const SLOWED_STEP_MS = 20;
const STEP_MS_MAX = 1_000;
/** A step shrinks by this with every message taken, until it is the usual one again. */
const RECOVERY = 0.9;

export function createPace(ratePerSecond: number | undefined): Pace {
  const usualStepMs = ratePerSecond === undefined ? 0 : 1_000 / ratePerSecond;
  let stepMs = usualStepMs;
  let nextAt = 0;
  let pausedUntil = 0;

  return {
    async turn(signal, waitMsMax) {
      const now = performance.now();
      let at = Math.max(now, nextAt);
      if (at - now > waitMsMax) return false;
      nextAt = at + stepMs;
      // A pause may begin while somebody already waits.
      for (; at > performance.now(); at = Math.max(at, pausedUntil)) {
        const waitMs = Math.ceil(at - performance.now());
        await pause(waitMs, undefined, { signal }).catch(() => undefined);
        if (signal.aborted) return false;
      }
      return !signal.aborted;
    },
    slowDown() {
      const now = performance.now();
      // All messages of a window are told of the same haste.
      if (now < pausedUntil) return;
      stepMs = Math.min(STEP_MS_MAX, Math.max(stepMs * 2, SLOWED_STEP_MS));
      pausedUntil = now + THROTTLED_PAUSE_MS;
      nextAt = Math.max(nextAt, pausedUntil);
    },
    speedUp() {
      const shorter = stepMs * RECOVERY;
      stepMs = shorter < 1 ? usualStepMs : Math.max(usualStepMs, shorter);
    },
  };
}
