/** Given back when the other side no longer has the message. */
export type LeavePlace = () => void;

/** What may be with another side at once, without its answer: a window of so many places. */
export type Places = {
  readonly taken: number;
  readonly isClosed: boolean;
  /**
   * Waits for a free place; undefined when there is none in time, the signal comes first, or the window
   * is closed. Who is urgent goes first, and is let in even then.
   */
  take(options: TakeOptions): Promise<LeavePlace | undefined>;
  /** Lets in nobody any more, but the urgent. */
  close(): void;
};

export type TakeOptions = { signal: AbortSignal; isUrgent: boolean; waitMsMax: number };

type Waiting = { isUrgent: boolean; enter(place: LeavePlace | undefined): void };

export function createPlaces(places: number): Places {
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
    get isClosed() {
      return isClosed;
    },
    take({ signal, isUrgent, waitMsMax }) {
      if (signal.aborted || (isClosed && !isUrgent)) return Promise.resolve(undefined);
      if (taken < places) return Promise.resolve(place());
      return new Promise((resolve) => {
        const stopWaiting = (entered: LeavePlace | undefined) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(entered);
        };
        const giveUp = () => {
          queue = queue.filter((other) => other !== waiting);
          stopWaiting(undefined);
        };
        const timer = setTimeout(giveUp, waitMsMax);
        const waiting: Waiting = { isUrgent, enter: stopWaiting };
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
