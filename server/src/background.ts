import type { Logger } from 'pino';
import { createPlaces } from './channels/places.ts';
import { within } from './clock.ts';

/**
 * Work that goes on after its answer was given. Nobody waits for it but a stop, which must not close
 * the database under it.
 */
export type Background = {
  /**
   * Begins the work once there is a place for it. What gets none in time is left out, and so is
   * whatever has not begun when no more is taken.
   */
  run(work: () => Promise<unknown>): void;
  takeNoMore(): void;
  /** Takes no more, and returns when nothing is under way, or after the limit. */
  close(): Promise<void>;
};

export type BackgroundLimits = { atOnceMax: number; waitMsMax: number; closeMsMax: number };

/**
 * A provider may report a thousand failures at once. Each fallback may ask two channels, and each of
 * them takes four seconds at most.
 */
const FALLBACKS: BackgroundLimits = { atOnceMax: 32, waitMsMax: 20_000, closeMsMax: 10_000 };
/** Mostly single statements; the longest is a report to a provider, of five seconds. */
const OTHER_WORK: BackgroundLimits = { atOnceMax: 256, waitMsMax: 20_000, closeMsMax: 6_000 };

/** What a process has of it. Fallbacks are apart: nothing else waits until channels have answered. */
export function openBackground(log: Logger): { fallbacks: Background; background: Background } {
  return {
    fallbacks: createBackground(log, FALLBACKS),
    background: createBackground(log, OTHER_WORK),
  };
}

const NEVER = new AbortController().signal;

export function createBackground(log: Logger, limits: BackgroundLimits): Background {
  const places = createPlaces(limits.atOnceMax);
  const underWay = new Set<Promise<void>>();

  const runInTurn = async (work: () => Promise<unknown>) => {
    const leave = await places.take({
      signal: NEVER,
      isUrgent: false,
      waitMsMax: limits.waitMsMax,
    });
    if (leave === undefined) return;
    try {
      // A place that was given in the very moment of a stop is not used.
      if (!places.isClosed) await work();
    } catch (error) {
      log.error({ err: error }, 'work in the background');
    } finally {
      leave();
    }
  };

  return {
    run(work) {
      const running = runInTurn(work).finally(() => underWay.delete(running));
      underWay.add(running);
    },
    takeNoMore: () => places.close(),
    async close() {
      places.close();
      await within(limits.closeMsMax, Promise.all(underWay));
      if (underWay.size > 0) log.warn({ count: underWay.size }, 'work was left behind by a stop');
    },
  };
}
