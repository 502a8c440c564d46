import type { Logger } from 'pino';
import { type Connection, type Database, openDatabase } from './database.ts';
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

export class DatabaseUnreachable extends Error {}

export type StorageConfig = {
  databaseUrl: string | undefined;
  databaseReadUrl: string | undefined;
  databaseTimeoutMs: number;
  dataDir: string;
  isAutoMigrate: boolean;
};

/** Whether the schema is brought to this version: always, if AUTO_MIGRATE allows it, or never. */
export type Migrating = 'always' | 'if allowed' | 'never';

/** Opens the configured database, or the embedded one in the data folder. */
export async function openStorage(
  config: StorageConfig,
  as: 'owner' | 'visitor',
  log: Logger,
  migrating: Migrating = 'if allowed',
): Promise<Storage> {
  const embedded =
    config.databaseUrl === undefined
      ? await openEmbedded({ dataDir: config.dataDir, as, log: (line, level) => log[level](line) })
      : undefined;
  const connection: Connection = embedded?.connection ?? {
    connectionString: config.databaseUrl as string,
  };

  try {
    const { applied, total } = await prepareSchema(connection, migrating, config.isAutoMigrate);
    const db = openDatabase(connection, log, config.databaseTimeoutMs);
    const bulk = openDatabase(connection, log, config.databaseTimeoutMs, BULK_CONNECTIONS);
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
        isEmbedded: embedded !== undefined,
        serverVersion: version?.server_version ?? '',
        applied,
        migrations: total,
      },
      async close() {
        await reads.close();
        await Promise.all([db.close(), bulk.close()]);
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    if (error instanceof MigrationRefused || config.databaseUrl === undefined) throw error;
    const isConnectionError =
      isDatabaseAway(error) || /^(?:28|3D)/.test((error as { code?: string }).code ?? '');
    if (!isConnectionError) throw error;
    throw new DatabaseUnreachable(
      `The database of DATABASE_URL cannot be used: ${(error as Error).message || (error as { code?: string }).code}. Check the address, the password and that the server runs.`,
    );
  }
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
