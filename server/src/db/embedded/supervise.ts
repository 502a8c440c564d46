import { setTimeout as pause } from 'node:timers/promises';
import type { Presence } from './presence.ts';

/**
 * Keeps the database of a running server up. The presence connection breaks as soon as PostgreSQL
 * dies, and PostgreSQL is then restarted. A server that only hangs keeps the connection, and is
 * left alone.
 */
export type Supervision = {
  /** The current presence; undefined while the database is away. */
  presence(): Presence | undefined;
  /** Ends the supervision and waits for a restart that is under way. */
  end(): Promise<void>;
};

export type Report = (line: string, level: 'debug' | 'warn' | 'error') => void;

export type Supervised = {
  presence: Presence;
  /** Restarts the server, or only reconnects when it has survived the lost connection. */
  restart(signal: AbortSignal): Promise<{ presence: Presence; joined: boolean }>;
  log: Report;
};

/** A server that dies again within this time does not reset the back-off. */
const STEADY_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export function supervise(supervised: Supervised): Supervision {
  const shutdown = new AbortController();
  let presence: Presence | undefined = supervised.presence;

  const watch = async () => {
    let deaths = 0;
    // The first server may have been running for long, so its death starts without a back-off.
    let enteredAt = Number.NEGATIVE_INFINITY;
    while (!shutdown.signal.aborted) {
      await Promise.race([presence?.lost, waitForAbort(shutdown.signal)]);
      if (shutdown.signal.aborted) return;
      presence = undefined;
      deaths = performance.now() - enteredAt < STEADY_MS ? deaths + 1 : 0;
      presence = await restartWithBackOff(supervised, { deaths, signal: shutdown.signal });
      enteredAt = performance.now();
    }
  };
  const watching = watch();

  return {
    presence: () => presence,
    async end() {
      shutdown.abort();
      await watching;
    },
  };
}

/**
 * Retries without limit: the first time at once, then with a growing back-off, so that a server
 * that cannot run does not fill the disk with its log.
 */
async function restartWithBackOff(
  { restart, log }: Supervised,
  { deaths, signal }: { deaths: number; signal: AbortSignal },
): Promise<Presence | undefined> {
  const lostAt = performance.now();
  const awaySeconds = () => ((performance.now() - lostAt) / 1_000).toFixed(1);
  for (let failures = deaths; !signal.aborted; failures++) {
    if (failures > 0) await pauseUnlessAborted(signal, backOffMs(failures));
    if (signal.aborted) break;
    try {
      const { presence, joined } = await restart(signal);
      log(
        joined
          ? `The connection to PostgreSQL was lost and restored after ${awaySeconds()} s.`
          : `PostgreSQL died and was restarted after ${awaySeconds()} s.`,
        'warn',
      );
      return presence;
    } catch (error) {
      if (signal.aborted) break;
      const next = backOffMs(failures + 1) / 1_000;
      const { message } = error as Error;
      log(
        `PostgreSQL has been away for ${awaySeconds()} s; next try in ${next} s. ${message}`,
        'error',
      );
    }
  }
  return undefined;
}

function backOffMs(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

async function pauseUnlessAborted(signal: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {
    // An abort is no failure.
  });
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
