import { setTimeout as pause } from 'node:timers/promises';
import type { Presence } from './presence.ts';

/**
 * Keeps the database of a running server up. The connection of its presence breaks the moment
 * PostgreSQL dies, which is the sign to bring it back; one that only hangs keeps that connection,
 * and is left alone.
 */
export type Supervision = {
  /** The presence of this moment; undefined while the database is away. */
  presence(): Presence | undefined;
  /** Brings nothing back any more, and waits for what was under way. */
  end(): Promise<void>;
};

export type Report = (line: string, level: 'debug' | 'warn' | 'error') => void;

export type Supervised = {
  presence: Presence;
  /** Starts the server again, or only enters it again when it has outlived the connection. */
  bringBack(signal: AbortSignal): Promise<{ presence: Presence; joined: boolean }>;
  log: Report;
};

/** A server that dies again within this time has not been brought back for good. */
const STEADY_MS = 10_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export function supervise(supervised: Supervised): Supervision {
  const over = new AbortController();
  let presence: Presence | undefined = supervised.presence;

  const watch = async () => {
    let deaths = 0;
    // The first one may have been running for long.
    let enteredAt = Number.NEGATIVE_INFINITY;
    while (!over.signal.aborted) {
      await Promise.race([presence?.lost, aborted(over.signal)]);
      if (over.signal.aborted) return;
      presence = undefined;
      deaths = performance.now() - enteredAt < STEADY_MS ? deaths + 1 : 0;
      presence = await bringBackSurely(supervised, { deaths, signal: over.signal });
      enteredAt = performance.now();
    }
  };
  const watching = watch();

  return {
    presence: () => presence,
    async end() {
      over.abort();
      await watching;
    },
  };
}

/**
 * Tries for as long as it takes: the first time at once, then with pauses that grow, so that a
 * server that cannot live does not fill the disk with its log.
 */
async function bringBackSurely(
  { bringBack, log }: Supervised,
  { deaths, signal }: { deaths: number; signal: AbortSignal },
): Promise<Presence | undefined> {
  const lostAt = performance.now();
  const awaySeconds = () => ((performance.now() - lostAt) / 1_000).toFixed(1);
  for (let failures = deaths; !signal.aborted; failures++) {
    if (failures > 0) await pauseUnless(signal, pauseAfter(failures));
    if (signal.aborted) break;
    try {
      const { presence, joined } = await bringBack(signal);
      log(
        joined
          ? `The connection to PostgreSQL was lost, and is back after ${awaySeconds()} s.`
          : `PostgreSQL had died, and runs again after ${awaySeconds()} s.`,
        'warn',
      );
      return presence;
    } catch (error) {
      if (signal.aborted) break;
      const next = pauseAfter(failures + 1) / 1_000;
      const { message } = error as Error;
      log(
        `PostgreSQL has been away for ${awaySeconds()} s; next try in ${next} s. ${message}`,
        'error',
      );
    }
  }
  return undefined;
}

function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}

async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {
    // Called off, which is no failure.
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
