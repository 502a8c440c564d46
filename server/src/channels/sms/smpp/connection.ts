import { setTimeout as pause } from 'node:timers/promises';
import { openSession, type Session, type SessionParts } from './session.ts';

/** Keeps one session open, and reconnects with back-off whenever it ends. */
export type SmppConnection = {
  readonly session: Session | undefined;
  /** Resolves with the session, now or when it is bound. */
  bound(): Promise<Session>;
  stop(): Promise<void>;
};

const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 30_000;
/** A session that lasted longer resets the back-off. */
const STEADY_MS = 10_000;
const STOP_LIMIT_MS = 2_000;

export function openConnection({
  onChange,
  ...parts
}: SessionParts & {
  /** Hears why it is not bound; undefined once it is. */
  onChange(why: string | undefined): void;
}): SmppConnection {
  const shutdown = new AbortController();
  let current: Session | undefined;
  let bound = Promise.withResolvers<Session>();

  const run = async () => {
    let failures = 0;
    while (!shutdown.signal.aborted) {
      const startedAt = performance.now();
      const session = await openSession(parts, shutdown.signal);
      let why: string;
      if ('ended' in session) {
        current = session;
        bound.resolve(session);
        onChange(undefined);
        why = await session.ended;
        current = undefined;
        bound = Promise.withResolvers<Session>();
      } else {
        why = session.failure;
      }
      if (!shutdown.signal.aborted) onChange(why);
      failures = performance.now() - startedAt > STEADY_MS ? 0 : failures + 1;
      await pause(pauseMs(failures), undefined, { signal: shutdown.signal }).catch(() => undefined);
    }
  };
  const loop = run();

  return {
    get session() {
      return shutdown.signal.aborted ? undefined : current;
    },
    bound: () => bound.promise,
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
