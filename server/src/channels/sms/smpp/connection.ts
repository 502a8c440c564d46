import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../../../runtime/deadline.ts';
import type { ProviderStateHolder } from '../../provider-state.ts';
import { openSession, type Session, type SessionParts } from './session.ts';

/** Keeps one session open, and reconnects with back-off whenever it ends. */
export type SmppConnection = {
  /** Waits up to the limit for a bound session. */
  session(limitMs: number): Promise<Session | undefined>;
  stop(): Promise<void>;
};

const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 30_000;
/** A session that lasted longer resets the back-off. */
const STEADY_MS = 10_000;
const STOP_LIMIT_MS = 2_000;

export function openConnection({
  state,
  ...parts
}: SessionParts & { state: ProviderStateHolder }): SmppConnection {
  const place = `${parts.settings.host}:${parts.settings.port}`;
  const shutdown = new AbortController();
  let current: Session | undefined;
  let bound = Promise.withResolvers<Session>();

  const run = async () => {
    let failures = 0;
    while (!shutdown.signal.aborted) {
      const startedAt = performance.now();
      const session = await openSession(parts, shutdown.signal);
      if ('ended' in session) {
        current = session;
        bound.resolve(session);
        state.set(true, `Bound at ${place}.`);
        const why = await session.ended;
        current = undefined;
        state.set(false, `Not bound at ${place}: ${why}.`);
        bound = Promise.withResolvers<Session>();
      } else if (!shutdown.signal.aborted) {
        state.set(false, `Not bound at ${place}: ${session.failure}.`);
      }
      failures = performance.now() - startedAt > STEADY_MS ? 0 : failures + 1;
      await pause(pauseMs(failures), undefined, { signal: shutdown.signal }).catch(() => undefined);
    }
  };
  const loop = run();

  return {
    async session(limitMs) {
      if (shutdown.signal.aborted) return undefined;
      return current ?? (await within(limitMs, bound.promise));
    },
    async stop() {
      shutdown.abort();
      await current?.close(STOP_LIMIT_MS);
      await loop;
    },
  };
}

/** Exponential back-off with jitter, so that connections do not all return at once. */
function pauseMs(failures: number): number {
  const fullMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** Math.max(0, failures - 1));
  return fullMs * (0.5 + Math.random() / 2);
}
