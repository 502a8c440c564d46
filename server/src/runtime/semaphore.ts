/** Returns a permit; a second call does nothing. */
export type Release = () => void;

/** Limits how many run at a time; the others wait in order. */
export type Semaphore = {
  readonly taken: number;
  readonly isClosed: boolean;
  /**
   * Waits for a permit; undefined when none is free in time, too many wait, the signal is aborted
   * first, or the semaphore is closed. Urgent callers go first, and get a permit even when it is
   * closed; bulk callers go last.
   */
  acquire(options?: AcquireOptions): Promise<Release | undefined>;
  /** A permit if one is free right now. */
  tryAcquire(): Release | undefined;
  /** Grants no more permits, except to urgent callers. */
  close(): void;
};

export type AcquireOptions = {
  signal?: AbortSignal;
  isUrgent?: boolean;
  isBulk?: boolean;
  /** Without limit by default. */
  waitMsMax?: number;
  /** Does not wait when so many do already. Without limit by default. */
  waitingMax?: number;
};

type Waiting = { isUrgent: boolean; isBulk: boolean; resume(release: Release | undefined): void };

export function createSemaphore(permits: number): Semaphore {
  let taken = 0;
  let isClosed = false;
  let queue: Waiting[] = [];

  const take = (): Release => {
    let isReleased = false;
    taken += 1;
    return () => {
      if (isReleased) return;
      isReleased = true;
      taken -= 1;
      queue.shift()?.resume(take());
    };
  };

  return {
    get taken() {
      return taken;
    },
    get isClosed() {
      return isClosed;
    },
    acquire({ signal, isUrgent = false, isBulk = false, waitMsMax, waitingMax } = {}) {
      if (signal?.aborted || (isClosed && !isUrgent)) return Promise.resolve(undefined);
      if (taken < permits) return Promise.resolve(take());
      if (queue.length >= (waitingMax ?? Number.POSITIVE_INFINITY)) {
        return Promise.resolve(undefined);
      }
      return new Promise((resolve) => {
        const stopWaiting = (release: Release | undefined) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          resolve(release);
        };
        const giveUp = () => {
          queue = queue.filter((other) => other !== waiting);
          stopWaiting(undefined);
        };
        const timer = waitMsMax === undefined ? undefined : setTimeout(giveUp, waitMsMax);
        const waiting: Waiting = { isUrgent, isBulk, resume: stopWaiting };
        signal?.addEventListener('abort', giveUp, { once: true });
        if (isUrgent) queue.unshift(waiting);
        else if (isBulk || queue.at(-1)?.isBulk !== true) queue.push(waiting);
        else
          queue.splice(
            queue.findIndex((other) => other.isBulk),
            0,
            waiting,
          );
      });
    },
    tryAcquire: () => (isClosed || taken >= permits ? undefined : take()),
    close() {
      isClosed = true;
      const refused = queue.filter(({ isUrgent }) => !isUrgent);
      queue = queue.filter(({ isUrgent }) => isUrgent);
      for (const { resume } of refused) resume(undefined);
    },
  };
}
