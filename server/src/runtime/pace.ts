import { setTimeout as sleep } from 'node:timers/promises';

/** Keeps a pause between calls to a provider that asks for one. */
export type Pace = {
  /** Waits for a turn; rejects when the signal is aborted first. */
  wait(signal: AbortSignal): Promise<void>;
  /** A call was made without a turn, because a person waits for it: the next turn comes after it. */
  note(): void;
};

type PaceClock = {
  nowMs(): number;
  sleep(ms: number, value: undefined, options: { signal: AbortSignal }): Promise<unknown>;
};

export function createPace(
  pauseMs: number,
  clock: PaceClock = { nowMs: () => performance.now(), sleep },
): Pace {
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    async wait(signal) {
      const now = clock.nowMs();
      const at = Math.max(now, nextAt);
      nextAt = at + pauseMs;
      if (at > now) await clock.sleep(at - now, undefined, { signal });
    },
    note() {
      nextAt = Math.max(nextAt, clock.nowMs() + pauseMs);
    },
  };
}
