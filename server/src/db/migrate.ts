import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { type Connection, LONG_CONNECT_TIMEOUT_MS } from './database.ts';

/** This database cannot be used; the message says why and what to do. */
export class MigrationRefused extends Error {}

export type SchemaFile = { name: string; text: string; checksum: string };

/**
 * The schema as files. Table files are applied once, in the order of their numbers, and never
 * change. Function files are applied again whenever their text has changed.
 */
export type Schema = { tables: readonly SchemaFile[]; functions: readonly SchemaFile[] };

const FOLDER = new URL('../../schema/', import.meta.url);
const ADVISORY_LOCK = 7_410_001;
const SERVER_VERSION_MIN = 150_000;
/** For the first start; a daily job makes further partitions. */
const MONTHS_AHEAD = 2;

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

/**
 * Brings the database to this version of the program, under an advisory lock, so that two starts at
 * once do it once. Returns how many files were applied, of how many.
 */
export async function migrate(
  connection: Connection,
  schema: Schema = readSchema(),
): Promise<{ applied: number; total: number }> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: LONG_CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // The query under way fails with the same reason.
  await client.connect();
  try {
    await checkServer(client);
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    await refuseUnreleased(client);
    await client.query(`create table if not exists schema_file (
      kind text not null check (kind in ('table', 'function')), name text not null,
      checksum text not null, applied_at timestamptz not null default clock_timestamp(),
      primary key (kind, name))`);
    const tables = await applyTables(client, schema.tables);
    const functions = await applyFunctions(client, schema.functions);
    if (tables > 0) await client.query('select make_partitions(p_ahead => $1)', [MONTHS_AHEAD]);
    const total = schema.tables.length + schema.functions.length;
    return { applied: tables + functions, total };
  } finally {
    await client.end();
  }
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

async function readApplied(
  client: pg.Client,
  kind: 'table' | 'function',
): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_file where kind = $1 order by name',
    [kind],
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function applyTables(client: pg.Client, files: readonly SchemaFile[]): Promise<number> {
  const applied = await readApplied(client, 'table');
  const known = new Map(files.map((file) => [file.name, file]));
  const newest = files.at(-1)?.name ?? '';
  for (const [name, checksum] of applied) {
    if (name > newest) {
      throw new MigrationRefused(
        `The database was migrated by a newer Zhiber (to ${name}, this program knows ${newest}). Start that version, or restore a backup.`,
      );
    }
    if (known.get(name)?.checksum !== checksum) {
      throw new MigrationRefused(
        `The tables of ${name} in the database differ from those of this program: the database belongs to another build.`,
      );
    }
  }
  const pending = files.filter((file) => !applied.has(file.name));
  for (const file of pending) {
    await inTransaction(client, async () => {
      await recordFile(client, 'table', file);
      await client.query(file.text);
    });
  }
  return pending.length;
}

/**
 * Applies all changed files in one transaction: no call finds some functions new and others old.
 */
async function applyFunctions(client: pg.Client, files: readonly SchemaFile[]): Promise<number> {
  const applied = await readApplied(client, 'function');
  const changed = files.filter((file) => applied.get(file.name) !== file.checksum);
  if (changed.length === 0) return 0;
  await inTransaction(client, async () => {
    // The functions call each other, so no order of creation would satisfy the body checks.
    await client.query('set local check_function_bodies = off');
    for (const file of changed) {
      await recordFile(client, 'function', file);
      await dropFunctions(client, file);
      await client.query(file.text);
    }
  });
  return changed.length;
}

/**
 * Drops the functions that a file creates again: one with other arguments would stay beside the new
 * one, and one with another result could not be replaced. What a trigger uses is only replaced.
 */
async function dropFunctions(client: pg.Client, { text }: SchemaFile): Promise<void> {
  const names = [...text.matchAll(/^create or replace function (\w+)/gm)].map(([, name]) => name);
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and p.proname = any ($1)
       and not exists (select from pg_depend d
         where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid and d.deptype = 'n')`,
    [names],
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

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
