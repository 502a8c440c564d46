import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import type { Connection } from './database.ts';

/** A start that cannot go on with this database; the message says why and what to do. */
export class MigrationRefused extends Error {}

export type Migration = { version: number; name: string; text: string; checksum: string };

const FOLDER = new URL('../../migrations/', import.meta.url);
const LOCK_NUMBER = 7_410_001;
const OLDEST_SERVER = 150_000;

export function readMigrations(): Migration[] {
  return readdirSync(FOLDER)
    .filter((file) => /^\d{4}-.+\.sql$/.test(file))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      return {
        version: Number(file.slice(0, 4)),
        name: file.slice(5, -4),
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      };
    });
}

/**
 * Brings the database to this version of the program. Two starts at once do it once. Returns what
 * was applied.
 */
export async function migrate(connection: Connection): Promise<{ applied: number; total: number }> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // The query under way fails with the same reason.
  await client.connect();
  try {
    await checkServer(client);
    await client.query('select pg_advisory_lock($1)', [LOCK_NUMBER]);
    await client.query(`create table if not exists migration (
      version integer primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default clock_timestamp())`);
    return await applyPending(client, readMigrations());
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
  if (Number(settings.get('server_version_num')) < OLDEST_SERVER) {
    throw new MigrationRefused('PostgreSQL 15 or newer is needed; this server is older.');
  }
  // kill -9 of the server cannot show that these are off, a power cut can: so they are asserted,
  // not inferred.
  const unsafe = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) =>
    ['off', 'local'].includes(settings.get(name) ?? 'off'),
  );
  if (unsafe.length > 0) {
    throw new MigrationRefused(
      `The database would lose paid messages in a power cut: switch on ${unsafe.join(', ')}.`,
    );
  }
}

async function applyPending(client: pg.Client, known: Migration[]) {
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'select version, checksum from migration order by version',
  );
  const newest = known.at(-1)?.version ?? 0;
  for (const { version, checksum } of rows) {
    if (version > newest) {
      throw new MigrationRefused(
        `The database was migrated by a newer Zhiber (migration ${version}, this program knows ${newest}). Start that version, or restore a backup.`,
      );
    }
    if (known.find((migration) => migration.version === version)?.checksum !== checksum) {
      throw new MigrationRefused(
        `Migration ${version} of the database differs from this program's. The database belongs to another build.`,
      );
    }
  }

  const done = new Set(rows.map((row) => row.version));
  const pending = known.filter((migration) => !done.has(migration.version));
  for (const migration of pending) {
    await client.query('begin');
    // The version row comes first: whoever is second waits here, and finds it done.
    await client.query('insert into migration (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
    await client.query(migration.text);
    await client.query('commit');
  }
  return { applied: pending.length, total: known.length };
}
