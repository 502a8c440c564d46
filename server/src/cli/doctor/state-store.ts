import { type BackupState, readBackupState } from '../../backups/remember-backup.ts';
import type { Sql } from '../../db/sql.ts';
import { findFact } from '../../installation/fact-store.ts';
import { MODE_FACT } from '../../installation/mode.ts';
import { FINGERPRINT_FACT } from '../../installation/open-secrets.ts';
import { listNodes, type NodeState } from '../../status/node-store.ts';
import { readServerState, type ServerState } from './server-state-store.ts';

/** What the doctor reads from a database, migrated or not. */
export type DatabaseState = {
  version: string;
  versionNumber: number;
  settings: { name: string; setting: string }[];
  /** How far the database's clock is ahead of this machine's. */
  clockAheadMs: number;
  /** The files of the schema that have been applied. */
  migrations: { kind: 'table' | 'function'; name: string; checksum: string }[];
  fingerprint: string | undefined;
  /** Undefined before the first start. */
  mode: string | undefined;
  /** The servers that run on it now. */
  nodes: NodeState[];
  backup: BackupState;
  oldestSnapshot: OldSnapshot | undefined;
  server: ServerState;
};

/** What keeps the database from removing old versions of rows, and for how long it has. */
export type OldSnapshot = { holder: string; minutes: number };

export async function readDatabaseState(sql: Sql): Promise<DatabaseState> {
  const hasFacts = await hasTable(sql, 'installation');
  const [server] = await sql.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::integer as number`,
  );
  return {
    version: server?.version ?? '?',
    versionNumber: server?.number ?? 0,
    settings: await sql.query(
      `select name, setting from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`,
    ),
    clockAheadMs: await compareClocks(sql),
    // Before the first migration neither table exists, and the query would abort the transaction.
    migrations: (await hasTable(sql, 'schema_file'))
      ? await sql.query('select kind, name, checksum from schema_file order by kind, name')
      : [],
    fingerprint: hasFacts ? await findFact(sql, FINGERPRINT_FACT) : undefined,
    mode: hasFacts ? await findFact(sql, MODE_FACT) : undefined,
    backup: hasFacts ? await readBackupState(sql) : { last: undefined, failed: undefined },
    oldestSnapshot: await findOldestSnapshot(sql),
    server: await readServerState(sql),
    nodes: (await hasNodes(sql)) ? await listNodes(sql) : [],
  };
}

/**
 * Of transactions, prepared ones, and standbys that report theirs. What other roles run is only seen
 * by those who may read all statistics.
 */
async function findOldestSnapshot(sql: Sql): Promise<OldSnapshot | undefined> {
  const rows = await sql.query<OldSnapshot>(
    `select holder, (extract(epoch from clock_timestamp() - since) / 60)::integer as minutes from (
       select coalesce(nullif(application_name, ''), usename, 'a client') as holder, xact_start as since
       from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid() and datname = current_database()
       union all select 'the prepared transaction ' || gid, prepared from pg_prepared_xacts
       where database = current_database()
     ) held where since is not null order by since limit 1`,
  );
  return rows[0];
}

async function hasTable(sql: Sql, name: string): Promise<boolean> {
  const rows = await sql.query('select 1 where to_regclass($1) is not null', [name]);
  return rows.length === 1;
}

/** A database of the release before has the table, without roles. */
async function hasNodes(sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `select from pg_attribute where attrelid = to_regclass('node_state') and attname = 'role'`,
  );
  return rows.length === 1;
}

/** Assumes that the request takes half of the round trip. */
async function compareClocks(sql: Sql): Promise<number> {
  const before = Date.now();
  const [row] = await sql.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms',
  );
  const after = Date.now();
  return Math.round((row?.ms ?? 0) - (before + after) / 2);
}
