/** How a database that is in use gets the functions and tables of a newer version. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import pg from 'pg';
import { migrate, readSchema, type SchemaFile } from '../../src/db/migrate.ts';
import { MigrationRefused } from '../../src/db/schema-version.ts';
import type { ServerConnection } from '../copy-database.ts';
import { until } from '../harness.ts';
import { queryOnce } from '../query-once.ts';
import { cloneTemplate } from '../test-database.ts';

let connection: ServerConnection;
let databases = 0;

beforeEach(async () => {
  databases += 1;
  connection = await cloneTemplate(`zhiber_migrate_${process.pid}_${databases}`);
});

function toFile(name: string, text: string): SchemaFile {
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
}

/** Migrates to the schema of this version with one more file of functions. */
async function applyFunctions(...texts: string[]): Promise<number> {
  const { tables, functions } = readSchema();
  const added = texts.map((text, i) => toFile(`added-${i}`, text));
  return (await migrate(connection, { tables, functions: [...functions, ...added] })).applied;
}

const ask = (text: string) => queryOnce<{ answer: unknown }>(connection, text);

const addOne = `create or replace function add_some(p_to integer) returns integer
  language sql as $$ select p_to + 1 $$;`;

test('a file of functions is applied again only when its text has changed', async () => {
  assert.equal(await applyFunctions(addOne), 1);
  assert.equal(await applyFunctions(addOne), 0);
  assert.equal(await applyFunctions(addOne.replace('+ 1', '+ 2')), 1);
  assert.deepEqual(await ask('select add_some(p_to => 1) as answer'), [{ answer: 3 }]);
});

test('a function with other arguments or another result takes the place of the old one', async () => {
  await applyFunctions(addOne);
  const addGiven = `create or replace function add_some(p_to integer, p_some integer)
    returns table (sum text) language sql as $$ select (p_to + p_some)::text $$;`;
  await applyFunctions(addGiven);
  const forms = await ask(
    "select oid::regprocedure::text as answer from pg_proc where proname = 'add_some'",
  );
  assert.deepEqual(forms, [{ answer: 'add_some(integer,integer)' }]);
  const otherResult = addGiven.replace('(sum text)', '(total text)');
  await applyFunctions(otherResult);
  assert.deepEqual(await ask('select total as answer from add_some(p_to => 1, p_some => 4)'), [
    { answer: '5' },
  ]);
});

test('a function of a trigger is replaced, and the trigger stays', async () => {
  const refuse = (word: string) => `create or replace function refuse_row() returns trigger
    language plpgsql as $$ begin raise exception '${word}'; end $$;
    create or replace trigger refused before insert on upkeep_position
      for each row execute function refuse_row();`;
  const insert = () => ask("insert into upkeep_position values ('a', 1)");
  await applyFunctions(refuse('first'));
  await assert.rejects(insert, /first/);
  await applyFunctions(refuse('second'));
  await assert.rejects(insert, /second/);
});

test('of several changed files all are applied or none', async () => {
  await applyFunctions(addOne);
  const wrong = 'create or replace function broken() returns nothing_known language sql as $$ $$;';
  await assert.rejects(applyFunctions(addOne.replace('+ 1', '+ 2'), wrong));
  assert.deepEqual(await ask('select add_some(p_to => 1) as answer'), [{ answer: 2 }]);
  assert.equal(await applyFunctions(addOne.replace('+ 1', '+ 2')), 1);
});

test('a file of tables is applied once, and must not have changed since', async () => {
  const { tables, functions } = readSchema();
  const added = toFile('0999-added', 'create table added (id bigint primary key);');
  const changed = toFile('0999-added', 'create table added (id text primary key);');
  const applied = async (file: SchemaFile) =>
    (await migrate(connection, { tables: [...tables, file], functions })).applied;
  assert.deepEqual([await applied(added), await applied(added)], [1, 0]);
  await assert.rejects(applied(changed), MigrationRefused);
  await assert.rejects(migrate(connection, { tables, functions }), /migrated by a newer Zhiber/);
});

/** This version with one more table file, as a program of the given version has it. */
async function applyTable(file: SchemaFile, program?: { version: string; oldest: string }) {
  const { tables, functions } = readSchema();
  return (await migrate(connection, { tables: [...tables, file], functions }, program)).applied;
}

test('what contracts the schema is applied after the functions that no longer need it', async () => {
  const { tables, functions } = readSchema();
  const expanded = [
    ...tables,
    toFile('0998-added', 'create table added (old_name text, new_name text);'),
  ];
  const read = (column: string) =>
    toFile(
      'read-added',
      `create or replace function read_added() returns text language sql
       begin atomic select max(${column}) from added; end;`,
    );
  await migrate(connection, { tables: expanded, functions: [...functions, read('old_name')] });
  // Fails while the function of the release before is in place.
  const contract = toFile('0999-old.contract', 'alter table added drop column old_name;');
  const contracted = {
    tables: [...expanded, contract],
    functions: [...functions, read('new_name')],
  };
  assert.equal((await migrate(connection, contracted)).applied, 2);
  assert.equal((await migrate(connection, contracted)).applied, 0);
});

test('two starts at once apply a file once', async () => {
  const file = toFile('0999-added', 'create table added (id bigint); select pg_sleep(0.3);');
  const applied = await Promise.all([applyTable(file), applyTable(file), applyTable(file)]);
  assert.deepEqual(applied.toSorted(), [0, 0, 1]);
});

test('a start with nothing to apply waits for no migration under way', async () => {
  const holder = new pg.Client(connection);
  await holder.connect();
  await holder.query('begin; select pg_advisory_xact_lock(7410001)');
  const { applied } = await migrate(connection);
  await holder.end();
  assert.equal(applied, 0);
});

/** A session with an open transaction. */
async function openTransaction(first: string): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`begin; ${first}`);
  return client;
}

test('a migration beside a long transaction delays others by a fraction of a second', async () => {
  const long = await openTransaction('select from company');
  let isDone = false;
  const file = toFile('0999-added', 'alter table company add column added text;');
  const migrating = applyTable(file).finally(() => {
    isDone = true;
  });
  const waits: number[] = [];
  const asking = await openTransaction('commit');
  for (let i = 0; i < 200; i++) {
    const startedAt = performance.now();
    await asking.query('select from company');
    waits.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal(isDone, false);
  await long.query('commit');
  assert.equal(await migrating, 1);
  await Promise.all([long.end(), asking.end()]);
  const slowest = Math.max(...waits);
  console.log(`a migration waits for a table: others waited ${Math.round(slowest)} ms at most`);
  assert.ok(slowest > 20, 'the migration has asked for its lock meanwhile');
  assert.ok(slowest < 1_000, `${slowest} ms`);
});

const INDEX = toFile(
  '0999-added.concurrently',
  '-- Names; once each.\ncreate unique index concurrently if not exists company_once on company (name);\n',
);
const indexState = () =>
  ask("select indisvalid as answer from pg_index where indexrelid = to_regclass('company_once')");

test('an index of a file of its own is built while its table is written', async () => {
  const writing = await openTransaction("insert into company (name) values ('a')");
  const migrating = applyTable(INDEX);
  await until('the index waits for the transaction', async () => {
    const [row] = await indexState();
    return row?.answer === false;
  });
  // A statement that the building of an index in a transaction would block.
  await queryOnce(connection, "insert into company (name) values ('b')");
  await writing.query('commit');
  await writing.end();
  assert.equal(await migrating, 1);
  assert.deepEqual(await indexState(), [{ answer: true }]);
});

test('an index that was left half built is dropped and built again', async () => {
  await queryOnce(connection, "insert into company (name) values ('a'), ('a')");
  await assert.rejects(applyTable(INDEX), /could not create unique index/);
  assert.deepEqual(await indexState(), [{ answer: false }]);
  await queryOnce(connection, 'delete from company');
  assert.equal(await applyTable(INDEX), 1);
  assert.deepEqual(await indexState(), [{ answer: true }]);
});

test('a function in use is replaced in place', async () => {
  await applyFunctions(addOne);
  const oid = () => ask("select 'add_some'::regproc::oid as answer");
  const before = await oid();
  await applyFunctions(addOne.replace('+ 1', '+ 2'));
  assert.deepEqual(await oid(), before);
});

test('the previous version starts on a newer schema and leaves it so; an older one does not', async () => {
  const file = toFile('0999-added', 'create table added (id bigint);');
  const { tables, functions } = readSchema();
  const newer = [...functions, toFile('added', addOne)];
  const program = { version: '0.10.0', oldest: '0.9.0' };
  await migrate(connection, { tables: [...tables, file], functions: newer }, program);

  const older = [...functions, toFile('added', addOne.replace('+ 1', '+ 2'))];
  const start = (version: string) =>
    migrate(connection, { tables, functions: older }, { version, oldest: '0.1.0' });
  assert.equal((await start('0.9.3')).applied, 0);
  assert.deepEqual(await ask('select add_some(p_to => 1) as answer'), [{ answer: 2 }]);
  await assert.rejects(start('0.8.9'), /nothing older than 0\.9\.0 runs, and this is 0\.8\.9/);
  await assert.rejects(start('0.10.0'), /migrated by a newer Zhiber/);
});

test('the schema is not changed while a node runs that is too old for it', async () => {
  const file = toFile('0999-added', 'create table added (id bigint);');
  const program = { version: '0.10.0', oldest: '0.9.0' };
  const seen = (version: string) =>
    queryOnce(
      connection,
      `insert into node_state (node, version, started_at, seen_at, providers)
       values ('a', $1, now(), now(), '[]') on conflict (node) do update set version = $1`,
      [version],
    );
  await seen('0.8.0');
  await assert.rejects(applyTable(file, program), /Servers of Zhiber 0\.8\.0 run on this database/);
  await seen('0.9.0');
  assert.equal(await applyTable(file, program), 1);
});
