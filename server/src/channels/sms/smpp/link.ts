import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../../../clock.ts';
import { openSession, type Session, type SessionParts } from './session.ts';

/** A session that is opened again whenever it ends. */
export type Link = {
  /** The bound session; undefined when there is none within the limit. */
  session(limitMs: number): Promise<Session | undefined>;
  stop(): Promise<void>;
};

const FIRST_PAUSE_MS = 100;
const PAUSE_MS_MAX = 30_000;
/** A session that held for so long was a good one: the next pause is short again. */
const STEADY_MS = 10_000;
const STOP_LIMIT_MS = 2_000;

export function openLink(parts: SessionParts): Link {
  const over = new AbortController();
  let current: Session | undefined;
  let bound = Promise.withResolvers<Session>();

  const run = async () => {
    let failures = 0;
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      const session = await openSession(parts, over.signal);
      if ('ended' in session) {
        current = session;
        bound.resolve(session);
        await session.ended;
        current = undefined;
        bound = Promise.withResolvers<Session>();
      }
      failures = performance.now() - startedAt > STEADY_MS ? 0 : failures + 1;
      await pause(pauseMs(failures), undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const running = run();

  return {
    async session(limitMs) {
      if (over.signal.aborted) return undefined;
      return current ?? (await within(limitMs, bound.promise));
    },
    async stop() {
      over.abort();
      await current?.close(STOP_LIMIT_MS);
      await running;
    },
  };
}

/** Doubles with each failure; by chance a little shorter, lest all links come back at once. */
function pauseMs(failures: number): number {
  const fullMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));
  return fullMs * (0.5 + Math.random() / 2);
}
