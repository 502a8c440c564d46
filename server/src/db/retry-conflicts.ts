import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from './sql.ts';
import { isConflict, isDatabaseAway } from './sql-errors.ts';

const RUNS_MAX = 3;
const AWAY_PAUSES_MS = [50, 200, 500, 1_000, 2_000];

/**
 * A statement that conflicts with another was rolled back as a whole, so it is run again, three
 * times in all. Only for statements that are a transaction of their own.
 */
export function retryConflicts(sql: Sql): Sql {
  return {
    async query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
      for (let runs = 1; ; runs++) {
        try {
          return await sql.query<Row>(text, values, name);
        } catch (error) {
          if (!isConflict(error) || runs === RUNS_MAX) throw error;
        }
      }
    },
  };
}

/**
 * Retries work while the database is away, with 3.75 seconds of pauses in all. Only for idempotent
 * work.
 */
export async function retryWhileDatabaseAway<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of AWAY_PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
    await pause(pauseMs);
  }
  return await work();
}
