import type { Logger } from 'pino';
import { within } from './deadline.ts';
import { createSemaphore } from './semaphore.ts';

/**
 * Work that continues after its response was sent. Only a shutdown waits for it, so that the
 * database is not closed while it runs.
 */
export type Background = {
  /**
   * Starts the work once a permit is free. Work that gets none in time is dropped, and so is work
   * that has not started when no more is accepted.
   */
  run(work: () => Promise<unknown>): void;
  stopAccepting(): void;
  /** Accepts no more work, and returns when none is running, or after the limit. */
  close(): Promise<void>;
};

export type BackgroundLimits = { atOnceMax: number; waitMsMax: number; closeMsMax: number };

/**
 * A provider may report a thousand failures at once. Each fallback may ask two channels, and each
 * of them takes four seconds at most.
 */
const FALLBACKS: BackgroundLimits = { atOnceMax: 32, waitMsMax: 20_000, closeMsMax: 10_000 };
/** Mostly single statements; the longest is a report to a provider, of five seconds. */
const OTHER_WORK: BackgroundLimits = { atOnceMax: 256, waitMsMax: 20_000, closeMsMax: 6_000 };

/**
 * The background work of a process. Fallbacks have their own permits: no other work waits until
 * channels have answered.
 */
export function openBackground(log: Logger): { fallbacks: Background; background: Background } {
  return {
    fallbacks: createBackground(log, FALLBACKS),
    background: createBackground(log, OTHER_WORK),
  };
}

export function createBackground(log: Logger, limits: BackgroundLimits): Background {
  const semaphore = createSemaphore(limits.atOnceMax);
  const underWay = new Set<Promise<void>>();

  const runWithPermit = async (work: () => Promise<unknown>) => {
    const release = await semaphore.acquire({ waitMsMax: limits.waitMsMax });
    if (release === undefined) return;
    try {
      // A permit may be granted just as the semaphore closes; the work must not start then.
      if (!semaphore.isClosed) await work();
    } catch (error) {
      log.error({ err: error }, 'background task failed');
    } finally {
      release();
    }
  };

  return {
    run(work) {
      const running = runWithPermit(work).finally(() => underWay.delete(running));
      underWay.add(running);
    },
    stopAccepting: () => semaphore.close(),
    async close() {
      semaphore.close();
      await within(limits.closeMsMax, Promise.all(underWay));
      if (underWay.size > 0) log.warn({ count: underWay.size }, 'background tasks did not finish');
    },
  };
}
