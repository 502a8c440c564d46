/**
 * The messages that are with a provider. Those that somebody waits for always enter. Bulk messages
 * take at most half of the places, none while all are taken, and wait outside until there is room:
 * so nobody's code stands behind a bulk message that has not left yet.
 */
export type BulkRoom = {
  readonly inFlight: number;
  enter(): void;
  /** False when no room came free in time, or the signal was aborted. */
  enterBulk(signal: AbortSignal): Promise<boolean>;
  leave(message: { isBulk?: true | undefined }): void;
};

/** After this wait another provider can still be tried. */
const WAIT_MS_MAX = 1_500;

/** The places that bulk messages may take. */
export function bulkShareOf(places: number): number {
  return Math.max(1, Math.floor(places / 2));
}

export function createBulkRoom(places: number): BulkRoom {
  const bulkMax = bulkShareOf(places);
  let inFlight = 0;
  let bulk = 0;
  let waiting: (() => void)[] = [];

  const hasRoom = () => bulk < bulkMax && inFlight < places;
  const take = () => {
    inFlight += 1;
    bulk += 1;
  };

  return {
    get inFlight() {
      return inFlight;
    },
    enter() {
      inFlight += 1;
    },
    enterBulk(signal) {
      if (signal.aborted) return Promise.resolve(false);
      if (waiting.length === 0 && hasRoom()) {
        take();
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const end = (hasEntered: boolean) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(hasEntered);
        };
        const admit = () => end(true);
        const giveUp = () => {
          waiting = waiting.filter((other) => other !== admit);
          end(false);
        };
        const timer = setTimeout(giveUp, WAIT_MS_MAX);
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.push(admit);
      });
    },
    leave({ isBulk }) {
      inFlight -= 1;
      if (isBulk) bulk -= 1;
      while (waiting.length > 0 && hasRoom()) {
        take();
        waiting.shift()?.();
      }
    },
  };
}
