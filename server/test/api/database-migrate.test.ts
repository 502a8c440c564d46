/** How a database that is in use gets the functions and tables of a newer version. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { MigrationRefused, migrate, readSchema, type SchemaFile } from '../../src/db/migrate.ts';
import type { ServerConnection } from '../copy-database.ts';
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
    create or replace trigger refused before insert on installation
      for each row execute function refuse_row();`;
  const insert = () => ask("insert into installation (name, value) values ('a', 'b')");
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
