/** What nodes of the previous release use of the schema is still there after a migration. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { migrate } from '../../src/db/migrate.ts';
import type { ServerConnection } from '../copy-database.ts';
import { queryOnce } from '../query-once.ts';
import { findPreviousRelease } from '../start/upgrade/release.ts';
import { readTestServer } from '../test-database.ts';

const FIXTURES = path.join(import.meta.dirname, '../start/upgrade/versions');

type Interface = { functions: string[]; columns: string[]; labels: string[]; required: string[] };

let released: Interface;
let migrated: Interface;

before(async () => {
  const database = `zhiber_previous_${process.pid}`;
  const server = { ...readTestServer(), database: 'postgres' };
  await queryOnce(server, `create database ${database} template template0`);
  const connection = { ...readTestServer(), database };
  const fixture = path.join(FIXTURES, `${findPreviousRelease()}.sql`);
  await queryOnce(connection, readFileSync(fixture, 'utf8'));
  released = await readInterface(connection);
  await migrate(connection);
  migrated = await readInterface(connection);
});

async function readInterface(connection: ServerConnection): Promise<Interface> {
  const list = async (text: string) =>
    (await queryOnce<{ line: string }>(connection, text)).map(({ line }) => line);
  const columns = `from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped`;
  return {
    functions: await list(
      `select format('%s(%s) returns %s', proname, pg_get_function_arguments(oid), pg_get_function_result(oid)) as line
       from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype order by 1`,
    ),
    columns: await list(
      `select format('%s.%s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod)) as line ${columns}
       order by 1`,
    ),
    labels: await list(
      `select format('%s: %s', t.typname, e.enumlabel) as line
       from pg_enum e join pg_type t on t.oid = e.enumtypid order by 1`,
    ),
    required: await list(
      `select format('%s.%s', c.relname, a.attname) as line ${columns}
         and a.attnotnull and not a.atthasdef and a.attidentity = '' order by 1`,
    ),
  };
}

const missing = (was: readonly string[], is: readonly string[]) =>
  was.filter((line) => !is.includes(line));

test('every function keeps its arguments and its result: a changed one gets a new name', () => {
  assert.ok(released.functions.length > 30);
  assert.deepEqual(missing(released.functions, migrated.functions), []);
});

test('every column and every value of a type is still there', () => {
  assert.deepEqual(missing(released.columns, migrated.columns), []);
  assert.deepEqual(missing(released.labels, migrated.labels), []);
});

test('rows without new columns can still be inserted', () => {
  const tables = new Set(released.columns.map((line) => line.split('.')[0]));
  const added = missing(migrated.required, released.required);
  assert.deepEqual(
    added.filter((column) => tables.has(column.split('.')[0])),
    [],
  );
});
