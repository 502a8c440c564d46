import type { Logger } from 'pino';
import { repeatEvery } from '../runtime/repeat.ts';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import type { Sql } from './sql.ts';
import { isConflict, isDatabaseAway, isReadOnly, isStatementTimeout } from './sql-errors.ts';

/** Reads that may be some seconds old, and decide nothing. */
export type Reads = Sql & {
  /** Where the next read goes. */
  readonly connection: Connection;
  close(): Promise<void>;
};

/** A replica that is further behind is not read. */
const REPLICA_LAG_MAX_MS = 10_000;
const CHECK_EVERY_MS = 1_000;
const CONNECTIONS_MAX = 8;

/**
 * Reads from a replica while it answers and is at most ten seconds behind, and from the primary
 * otherwise. A read that the replica breaks off is asked of the primary.
 */
export async function openReplica(options: {
  primary: Sql;
  primaryConnection: Connection;
  replica: Connection;
  log: Logger;
  statementMs: number;
  /** Lower in tests. */
  lagMaxMs?: number;
}): Promise<Reads> {
  const { primary, primaryConnection, replica, log, statementMs } = options;
  const { lagMaxMs = REPLICA_LAG_MAX_MS } = options;
  const db = openDatabase(replica, log, statementMs, { connectionsMax: CONNECTIONS_MAX });
  let isUsed: boolean | undefined;
  const use = (isUsable: boolean, facts: object) => {
    if (isUsable !== isUsed) {
      log[isUsable ? 'info' : 'warn'](facts, `reads go to the ${isUsable ? 'replica' : 'primary'}`);
    }
    isUsed = isUsable;
  };
  const check = async () => {
    try {
      const lagMs = await readLagMs(db);
      use(lagMs <= lagMaxMs, { lag_ms: lagMs });
    } catch (error) {
      use(false, { reason: (error as Error).message });
    }
  };
  await check();
  const checks = repeatEvery({
    pauseMs: CHECK_EVERY_MS,
    run: async () => {
      await check();
      return false;
    },
    onError: (error) => log.warn({ err: error }, 'the replica was not checked'),
  });

  return {
    get connection() {
      return isUsed ? replica : primaryConnection;
    },
    async query<Row>(...args: Parameters<Sql['query']>) {
      if (!isUsed) return await primary.query<Row>(...args);
      try {
        return await db.query<Row>(...args);
      } catch (error) {
        // A statement that takes too long here would take as long there, and one that writes is a mistake.
        if (isStatementTimeout(error) || isReadOnly(error)) throw error;
        // A standby ends reads that stand in the way of what it has to replay.
        if (!isConflict(error)) {
          if (!isDatabaseAway(error)) throw error;
          use(false, { reason: (error as Error).message });
        }
        return await primary.query<Row>(...args);
      }
    },
    async close() {
      await checks.stop();
      await db.close();
    },
  };
}

/**
 * Long work on a connection of its own that only reads: on the replica, and again on the primary when
 * the replica breaks it off.
 */
export async function onReplica<T>(
  { reads, connection }: { reads: Reads; connection: Connection },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const chosen = reads.connection;
  try {
    return await work(chosen);
  } catch (error) {
    if (chosen === connection || !(isConflict(error) || isDatabaseAway(error))) throw error;
    return await work(connection);
  }
}

/**
 * The age of what was replayed last; nodes write every few seconds. A replica that was promoted is
 * the primary itself.
 */
async function readLagMs(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ lag_ms: number }>(
    `select case when pg_is_in_recovery() then coalesce(extract(epoch from
       clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000, 'infinity') else 0 end::double precision as lag_ms`,
  );
  return row?.lag_ms ?? Number.POSITIVE_INFINITY;
}
