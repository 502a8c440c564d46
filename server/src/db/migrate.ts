import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { OLDEST_VERSION, VERSION } from '../version.ts';
import { type Connection, LONG_CONNECT_TIMEOUT_MS, PrimaryClient } from './connection.ts';
import { toSql } from './database.ts';
import { buildIndexes, runStep, withMigrationLock } from './migration-steps.ts';
import {
  MigrationRefused,
  type Program,
  readRecorded,
  recordProgram,
  refuseOldNodes,
  refuseTooOld,
} from './schema-version.ts';
import type { Sql } from './sql.ts';
import { isChangedSignature } from './sql-errors.ts';

export type SchemaFile = { name: string; text: string; checksum: string };

/**
 * The schema as files. Table files are applied once, in the order of their numbers, and never
 * change. Function files are applied again whenever their text has changed.
 */
export type Schema = { tables: readonly SchemaFile[]; functions: readonly SchemaFile[] };

/** What a database lacks. `isNewer`: a newer program has migrated it, and this one leaves it so. */
export type SchemaState = {
  isNewer: boolean;
  tables: readonly SchemaFile[];
  functions: readonly SchemaFile[];
};

const FOLDER = new URL('../../schema/', import.meta.url);
const SERVER_VERSION_MIN = 150_000;
/** For the first start; a daily job makes further partitions. */
const MONTHS_AHEAD = 2;
/** The indexes of such a file are built while the tables are in use, outside a transaction. */
const CONCURRENTLY = '.concurrently';
/** Such a file drops what the functions do not use any more, so it is applied after them. */
const CONTRACT = '.contract';
const THIS_PROGRAM: Program = { version: VERSION, oldest: OLDEST_VERSION };

/** Which files a database has. No file creates it. */
export const SCHEMA_FILE_TABLE = `create table if not exists schema_file (
  kind text not null check (kind in ('table', 'function')), name text not null,
  checksum text not null, applied_at timestamptz not null default clock_timestamp(),
  primary key (kind, name));`;

export function readSchema(): Schema {
  return { tables: readFiles('tables/'), functions: readFiles('functions/') };
}

function readFiles(folder: string): SchemaFile[] {
  const dir = new URL(folder, FOLDER);
  return readdirSync(dir)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, dir), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { name: file.slice(0, -'.sql'.length), text, checksum };
    });
}

/** The text of a table file for an empty database, where all files may run in one transaction. */
export function textForEmptyDatabase({ name, text }: SchemaFile): string {
  return name.endsWith(CONCURRENTLY) ? text.replaceAll(/\bconcurrently\b/gi, '') : text;
}

/**
 * Brings the database to this version of the program while others use it; two starts at once do it
 * once. What a newer program has migrated is left as it is, if this one is new enough to run on it.
 * Returns how many files were applied, of how many.
 */
export async function migrate(
  connection: Connection,
  schema: Schema = readSchema(),
  program: Program = THIS_PROGRAM,
): Promise<{ applied: number; total: number }> {
  const total = schema.tables.length + schema.functions.length;
  return await withSchemaClient(connection, async (client) => {
    await checkServer(client);
    await refuseUnreleased(client);
    if (isComplete(await readState(toSql(client), schema, program))) return { applied: 0, total };
    return await withMigrationLock(connection, async () => {
      await client.query(SCHEMA_FILE_TABLE);
      // Another start may have done it meanwhile.
      const state = await readState(toSql(client), schema, program);
      if (isComplete(state)) return { applied: 0, total };
      await refuseOldNodes(toSql(client), program);
      // First, because a start of an old program must not find half of the changes without it.
      await recordProgram(toSql(client), program);
      const contracting = state.tables.filter(({ name }) => name.endsWith(CONTRACT));
      const expanding = state.tables.filter((file) => !contracting.includes(file));
      for (const file of expanding) await applyTable(client, file);
      await applyFunctions(client, state.functions);
      for (const file of contracting) await applyTable(client, file);
      if (state.tables.length > 0) {
        const make = 'select make_partitions(p_ahead => $1)';
        await runStep(client, async () => void (await client.query(make, [MONTHS_AHEAD])));
      }
      await recordProgram(toSql(client), program);
      return { applied: state.tables.length + state.functions.length, total };
    });
  });
}

/** What the database lacks; changes nothing. */
export async function inspectSchema(
  connection: Connection,
  schema: Schema = readSchema(),
  program: Program = THIS_PROGRAM,
): Promise<SchemaState> {
  return await withSchemaClient(connection, (client) => readState(toSql(client), schema, program));
}

export function isComplete({ tables, functions }: SchemaState): boolean {
  return tables.length + functions.length === 0;
}

async function withSchemaClient<T>(
  connection: Connection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new PrimaryClient({
    ...connection,
    connectionTimeoutMillis: LONG_CONNECT_TIMEOUT_MS,
    application_name: 'zhiber migration',
  });
  await client.connect();
  try {
    // Those of the role may be for requests; an index takes longer to build.
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    return await work(client);
  } finally {
    await client.end();
  }
}

async function readState(sql: Sql, schema: Schema, program: Program): Promise<SchemaState> {
  const [found] = await sql.query<{ is_there: boolean }>(
    `select to_regclass('schema_file') is not null as is_there`,
  );
  if (found?.is_there !== true) return { isNewer: false, ...schema };
  const recorded = await readRecorded(sql);
  const isNewer = refuseTooOld(recorded, program) === 'newer';
  const tables = await readApplied(sql, 'table');
  checkApplied(tables, schema.tables, { what: 'The database', isNewer });
  if (isNewer) return { isNewer, tables: [], functions: [] };
  const functions = await readApplied(sql, 'function');
  return {
    isNewer,
    tables: schema.tables.filter((file) => !tables.has(file.name)),
    functions: schema.functions.filter((file) => functions.get(file.name) !== file.checksum),
  };
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in
      ('server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit')`,
  );
  const settings = new Map(rows.map((row) => [row.name, row.setting]));
  if (Number(settings.get('server_version_num')) < SERVER_VERSION_MIN) {
    throw new MigrationRefused('PostgreSQL 15 or newer is needed; this server is older.');
  }
  // Only a power cut shows that these are off; kill -9 of the server does not. So they are checked,
  // not inferred.
  const unsafe = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) =>
    ['off', 'local'].includes(settings.get(name) ?? 'off'),
  );
  if (unsafe.length > 0) {
    throw new MigrationRefused(
      `The database would lose paid messages in a power cut: turn on ${unsafe.join(', ')}.`,
    );
  }
}

/** Versions before the first release kept their migrations in the table `migration`. */
async function refuseUnreleased(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select 1 where to_regclass('migration') is not null`);
  if (rows.length === 0) return;
  throw new MigrationRefused(
    'This database was created by a pre-release Zhiber and cannot be upgraded: start with an empty database or another DATA_DIR.',
  );
}

export async function readApplied(
  sql: Sql,
  kind: 'table' | 'function',
): Promise<Map<string, string>> {
  const rows = await sql.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_file where kind = $1 order by name',
    [kind],
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** Refuses what another build has made. Files that this program does not know are of a newer one. */
export function checkApplied(
  applied: ReadonlyMap<string, string>,
  files: readonly SchemaFile[],
  { what, isNewer = false }: { what: 'The database' | 'The backup'; isNewer?: boolean },
): void {
  const known = new Map(files.map((file) => [file.name, file]));
  const newest = files.at(-1)?.name ?? '';
  for (const [name, checksum] of applied) {
    if (name > newest) {
      if (isNewer) continue;
      throw new MigrationRefused(
        `${what} was migrated by a newer Zhiber (to ${name}, this program knows ${newest}). Start that version, or restore a backup.`,
      );
    }
    if (isNewer && !known.has(name)) continue;
    if (known.get(name)?.checksum !== checksum) {
      throw new MigrationRefused(
        `${what} belongs to another build: its tables of ${name} differ from those of this program.`,
      );
    }
  }
}

async function applyTable(client: pg.Client, file: SchemaFile): Promise<void> {
  if (file.name.endsWith(CONCURRENTLY)) await buildIndexes(client, file.text);
  await runStep(client, async () => {
    await recordFile(client, 'table', file);
    if (!file.name.endsWith(CONCURRENTLY)) await client.query(file.text);
  });
}

/**
 * Applies all changed files in one transaction: no call finds some functions new and others old.
 */
async function applyFunctions(client: pg.Client, files: readonly SchemaFile[]): Promise<void> {
  if (files.length === 0) return;
  await runStep(client, async () => {
    // The functions call each other, so no order of creation would satisfy the body checks.
    await client.query('set local check_function_bodies = off');
    for (const file of files) {
      await recordFile(client, 'function', file);
      await createFunctions(client, file);
    }
  });
}

/**
 * Replaces functions in place, so that calls under way by nodes of the release before go on. A form
 * with other arguments or another result was never released (a test sees to that), and is dropped.
 */
async function createFunctions(client: pg.Client, file: SchemaFile): Promise<void> {
  await client.query('savepoint functions');
  try {
    await client.query(file.text);
  } catch (error) {
    if (!isChangedSignature(error)) throw error;
    await client.query('rollback to savepoint functions');
    await dropFunctions(client, file, 'all');
    await client.query(file.text);
  }
  await dropFunctions(client, file, 'those not created now');
}

/** What a trigger uses stays: it can only be replaced. */
async function dropFunctions(
  client: pg.Client,
  { text }: SchemaFile,
  which: 'all' | 'those not created now',
): Promise<void> {
  const names = [...text.matchAll(/^create or replace function (\w+)/gm)].map(([, name]) => name);
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and p.proname = any ($1)
       and ($2 or age(p.xmin) > age(pg_current_xact_id()::xid))
       and not exists (select from pg_depend d
         where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid and d.deptype = 'n')`,
    [names, which === 'all'],
  );
  for (const { signature } of rows) await client.query(`drop function ${signature}`);
}

async function recordFile(
  client: pg.Client,
  kind: 'table' | 'function',
  { name, checksum }: SchemaFile,
): Promise<void> {
  await client.query(
    `insert into schema_file (kind, name, checksum) values ($1, $2, $3)
     on conflict (kind, name) do update set checksum = excluded.checksum,
       applied_at = clock_timestamp()`,
    [kind, name, checksum],
  );
}
