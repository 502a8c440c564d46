import { setTimeout as pause } from 'node:timers/promises';
import { isLockTimeout } from '../db/sql-errors.ts';

const TRIES_MAX = 5;
/** Sends that have queued behind the lock go on meanwhile. */
const PAUSE_MS = 250;

/** Tries a change of a table again while somebody is busy with it. */
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
