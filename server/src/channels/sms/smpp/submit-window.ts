/** Given back when the message no longer waits for its response. */
export type LeavePlace = () => void;

/** The messages that may be on their way to the message centre without a response. */
export type SubmitWindow = {
  readonly taken: number;
  /**
   * Waits for a free place; undefined when the signal or the end of the window comes first. Who is
   * urgent goes first, and is let in while the window is closing.
   */
  take(options: { signal: AbortSignal; isUrgent: boolean }): Promise<LeavePlace | undefined>;
  /** Lets in nobody new who is not urgent. */
  startClosing(): void;
  /** Lets in nobody at all. */
  close(): void;
};

type Waiting = { isUrgent: boolean; enter(place: LeavePlace | undefined): void };

export function createSubmitWindow(places: number): SubmitWindow {
  let taken = 0;
  let state: 'open' | 'closing' | 'closed' = 'open';
  let queue: Waiting[] = [];

  const place = (): LeavePlace => {
    let isLeft = false;
    taken += 1;
    return () => {
      if (isLeft) return;
      isLeft = true;
      taken -= 1;
      if (state !== 'closed') queue.shift()?.enter(place());
    };
  };
  const isLetIn = (isUrgent: boolean) => state === 'open' || (state === 'closing' && isUrgent);
  const sendAway = () => {
    const away = queue.filter(({ isUrgent }) => !isLetIn(isUrgent));
    queue = queue.filter(({ isUrgent }) => isLetIn(isUrgent));
    for (const { enter } of away) enter(undefined);
  };

  return {
    get taken() {
      return taken;
    },
    take({ signal, isUrgent }) {
      if (signal.aborted || !isLetIn(isUrgent)) return Promise.resolve(undefined);
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
    startClosing() {
      if (state === 'open') state = 'closing';
      sendAway();
    },
    close() {
      state = 'closed';
      sendAway();
    },
  };
}
