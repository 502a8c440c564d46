/** Given back when the message no longer waits for its response. */
export type LeavePlace = () => void;

/** The messages that may be on their way to the message centre without a response. */
export type SubmitWindow = {
  readonly taken: number;
  /**
   * Waits for a free place; undefined when the signal comes first, or the window is closed. Who is
   * urgent goes first, and is let in even then.
   */
  take(options: { signal: AbortSignal; isUrgent: boolean }): Promise<LeavePlace | undefined>;
  /** Lets in nobody any more, but the urgent. */
  close(): void;
};

type Waiting = { isUrgent: boolean; enter(place: LeavePlace | undefined): void };

export function createSubmitWindow(places: number): SubmitWindow {
  let taken = 0;
  let isClosed = false;
  let queue: Waiting[] = [];

  const place = (): LeavePlace => {
    let isLeft = false;
    taken += 1;
    return () => {
      if (isLeft) return;
      isLeft = true;
      taken -= 1;
      queue.shift()?.enter(place());
    };
  };

  return {
    get taken() {
      return taken;
    },
    take({ signal, isUrgent }) {
      if (signal.aborted || (isClosed && !isUrgent)) return Promise.resolve(undefined);
      if (taken < places) return Promise.resolve(place());
      return new Promise((resolve) => {
        const giveUp = () => {
          queue = queue.filter((other) => other !== waiting);
          resolve(undefined);
        };
        const waiting: Waiting = {
          isUrgent,
          enter(entered) {
            signal.removeEventListener('abort', giveUp);
            resolve(entered);
          },
        };
        signal.addEventListener('abort', giveUp, { once: true });
        if (isUrgent) queue.unshift(waiting);
        else queue.push(waiting);
      });
    },
    close() {
      isClosed = true;
      const sentAway = queue.filter(({ isUrgent }) => !isUrgent);
      queue = queue.filter(({ isUrgent }) => isUrgent);
      for (const { enter } of sentAway) enter(undefined);
    },
  };
}
