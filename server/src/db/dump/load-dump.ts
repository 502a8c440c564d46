import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import { toSql } from '../database.ts';
import { checkApplied, readSchema } from '../migrate.ts';
import { MIGRATION_LOCK } from '../migration-steps.ts';
import type { Sql } from '../sql.ts';
import { DumpRefused, damaged } from './format.ts';
import type { DumpPart, ParsedDump } from './parse-dump.ts';

export type LoadOptions = {
  /** Runs in the same transaction, when everything is there. */
  beforeCommit?: (sql: Sql) => Promise<unknown>;
  /** When the rows are loaded: indexes and foreign keys take a while longer. */
  onRowsLoaded?: () => void;
};

/**
 * Loads a dump into an empty database, in one transaction: all of it or nothing. A start of the
 * service meanwhile waits for its end. Returns the rows of each table.
 */
export async function loadDump(
  client: pg.Client,
  { manifest, parts }: ParsedDump,
  { beforeCommit, onRowsLoaded }: LoadOptions = {},
): Promise<Record<string, number>> {
  checkApplied(new Map(Object.entries(manifest.schema)), readSchema().tables, {
    what: 'The backup',
  });
  const rows: Record<string, number> = {};
  // What comes after the rows runs only when the ending has proved that they are complete.
  let held: string[] = [];
  const run = async () => {
    for (const text of held) {
      if (text === 'commit;') await beforeCommit?.(toSql(client));
      await client.query(text);
      if (text === 'begin;') await refuseUnlessEmpty(client);
    }
    held = [];
  };
  for await (const part of parts) {
    if (part.kind === 'statements') {
      held.push(part.text);
    } else if (part.kind === 'copy') {
      await run();
      rows[part.table] = await copyRows(client, part);
    } else {
      const { ending } = part;
      const tables = new Set([...Object.keys(rows), ...Object.keys(ending.rows)]);
      if ([...tables].some((table) => rows[table] !== ending.rows[table])) throw damaged();
      onRowsLoaded?.();
      await run();
    }
  }
  return rows;
}

async function copyRows(
  client: pg.Client,
  { statement, rows }: Extract<DumpPart, { kind: 'copy' }>,
): Promise<number> {
  const copy = client.query(from(statement));
  await pipeline(rows, copy);
  return copy.rowCount;
}

async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  if (await isEmpty(toSql(client))) return;
  throw new DumpRefused('The database is not empty.');
}

export async function isEmpty(sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `select from pg_class where relnamespace = 'public'::regnamespace
     union all select from pg_type where typnamespace = 'public'::regnamespace
     union all select from pg_proc where pronamespace = 'public'::regnamespace limit 1`,
  );
  return rows.length === 0;
}
