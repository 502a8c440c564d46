import type { Logger } from 'pino';
import { refuseClosed } from './closed-database.ts';
import { type Connection, toConnection } from './connection.ts';
import { type Database, limitRole, openDatabase } from './database.ts';
import { openEmbedded } from './embedded.ts';
import { inspectSchema, isComplete, migrate, readSchema } from './migrate.ts';
import { openReplica, type Reads } from './read-replica.ts';
import { retryWhileDatabaseAway } from './retry-conflicts.ts';
import { MigrationRefused } from './schema-version.ts';
import { isDatabaseAway } from './sql-errors.ts';

export type Storage = {
  db: Database;
  /** For bulk messages: a few connections of their own. */
  bulk: Database;
  connection: Connection;
  /** From a replica where there is one. */
  reads: Reads;
  /** Shown to the operator. */
  facts: { isEmbedded: boolean; serverVersion: string; applied: number; migrations: number };
  close(): Promise<void>;
};

const BULK_CONNECTIONS = 4;

/** For requests: of all processes on this machine together, and of one. */
const CONNECTIONS = { together: 64, max: 16, min: 4 };
/** The queue of jobs has two, and maintenance, migration and probes come and go. */
const OTHER_CONNECTIONS = 5;

function requestConnectionsOf(processes = 1): number {
  const share = Math.floor(CONNECTIONS.together / processes);
  return Math.max(CONNECTIONS.min, Math.min(CONNECTIONS.max, share));
}

/** How many connections one of so many processes may open in all. */
export function connectionsOf(processes: number): number {
  return requestConnectionsOf(processes) + BULK_CONNECTIONS + OTHER_CONNECTIONS;
}

export class DatabaseUnreachable extends Error {}

/** Where a database is: at an address, or embedded in a data folder. */
export type Place = { databaseUrl: string | undefined; dataDir: string };

export type StorageConfig = Place & {
  databaseDirectUrl: string | undefined;
  databaseReadUrl: string | undefined;
  databaseTimeoutMs: number;
  isAutoMigrate: boolean;
  /** How many share the connections. */
  processes?: number;
};

/** Whether the schema is brought to this version: always, if AUTO_MIGRATE allows it, or never. */
export type Migrating = 'always' | 'if allowed' | 'never';

/** Opens the database of a place as it is, without a look at what it holds. */
export async function openPlace(
  { databaseUrl, dataDir }: Place,
  as: 'owner' | 'visitor',
  log: Logger,
): Promise<{ connection: Connection; close(): Promise<void> }> {
  if (databaseUrl !== undefined) {
    return { connection: toConnection(databaseUrl), close: async () => undefined };
  }
  const embedded = await openEmbedded({ dataDir, as, log: (line, level) => log[level](line) });
  return { connection: embedded.connection, close: embedded.stop };
}

/** Opens the configured database, or the embedded one in the data folder. */
export async function openStorage(
  config: StorageConfig,
  as: 'owner' | 'visitor',
  log: Logger,
  migrating: Migrating = 'if allowed',
): Promise<Storage> {
  const place = await openPlace(config, as, log);
  const { databaseDirectUrl } = config;
  const isPooled = databaseDirectUrl !== undefined;
  const connection = isPooled ? toConnection(databaseDirectUrl) : place.connection;

  try {
    const { applied, total } = await prepareSchema(connection, migrating, config.isAutoMigrate);
    await refuseClosed(connection);
    if (isPooled && migrating !== 'never') await limitRole(connection, config.databaseTimeoutMs);
    const open = (connectionsMax: number) =>
      openDatabase(place.connection, log, config.databaseTimeoutMs, {
        connectionsMax,
        ...(isPooled && { direct: connection }),
      });
    const db = open(requestConnectionsOf(config.processes));
    const bulk = open(BULK_CONNECTIONS);
    // The database was reached a moment ago. On a busy machine the next connection may take longer
    // than requests wait for one.
    const [version] = await retryWhileDatabaseAway(() =>
      db.query<{ server_version: string }>('show server_version'),
    );
    const reads = await openReads(config, { db, connection, log });
    return {
      db,
      reads,
      bulk,
      connection,
      facts: {
        isEmbedded: config.databaseUrl === undefined,
        serverVersion: version?.server_version ?? '',
        applied,
        migrations: total,
      },
      async close() {
        await reads.close();
        await Promise.all([db.close(), bulk.close()]);
        await place.close();
      },
    };
  } catch (error) {
    await place.close();
    throw config.databaseUrl === undefined ? error : asUnreachable(error, 'DATABASE_URL');
  }
}

/** Says so in a sentence when the reason is the connection. */
export function asUnreachable(error: unknown, setting: string): unknown {
  const { message, code = '' } = error as Error & { code?: string };
  const isConnectionError = isDatabaseAway(error) || /^(?:28|3D)/.test(code);
  if (error instanceof MigrationRefused || !isConnectionError) return error;
  return new DatabaseUnreachable(
    `The database of ${setting} cannot be used: ${message || code}. Check the address, the password and that the server runs.`,
  );
}

async function prepareSchema(
  connection: Connection,
  migrating: Migrating,
  isAutoMigrate: boolean,
): Promise<{ applied: number; total: number }> {
  if (migrating === 'always' || (migrating === 'if allowed' && isAutoMigrate)) {
    return await migrate(connection);
  }
  const state = await inspectSchema(connection);
  const { tables, functions } = readSchema();
  const total = tables.length + functions.length;
  const pending = state.tables.length + state.functions.length;
  if (migrating === 'if allowed' && !isComplete(state)) {
    throw new MigrationRefused(
      `The database lacks ${pending} of the ${total} files of this version, and AUTO_MIGRATE is no: run \`zhiber migrate\` first.`,
    );
  }
  if (pending === total) {
    throw new MigrationRefused(
      'The database is empty: start the service, or run `zhiber migrate`.',
    );
  }
  return { applied: 0, total };
}

async function openReads(
  config: { databaseReadUrl: string | undefined; databaseTimeoutMs: number },
  { db, connection, log }: { db: Database; connection: Connection; log: Logger },
): Promise<Reads> {
  if (config.databaseReadUrl === undefined) {
    return { query: db.query, connection, close: async () => undefined };
  }
  return await openReplica({
    primary: db,
    primaryConnection: connection,
    replica: { connectionString: config.databaseReadUrl },
    log,
    statementMs: config.databaseTimeoutMs,
  });
}
