import { setTimeout as pause } from 'node:timers/promises';
import { isLockTimeout } from '../db/sql-errors.ts';

const TRIES_MAX = 5;
/** Lets the sends that queued behind the lock go on. */
const PAUSE_MS = 250;

/** Retries a change of a table while other transactions hold a conflicting lock. */
export async function retryLocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || tries === TRIES_MAX) throw error;
    }
    await pause(PAUSE_MS);
  }
}
