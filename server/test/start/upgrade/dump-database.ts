import type pg from 'pg';
import { describeSchema } from '../../../src/db/describe-schema.ts';
import { readSchema, textForEmptyDatabase } from '../../../src/db/migrate.ts';

/**
 * Dumps a small database as one SQL text: the schema files of this version, its partitions and all
 * rows. The text is restored without this program, so later versions get exactly this state. The
 * job queue is left out, because its library creates and migrates its own tables.
 */
export async function dumpDatabase(client: pg.Client): Promise<string> {
  const { tables, functions } = readSchema();
  const parts = [
    ...tables.map((file) => textForEmptyDatabase(file).trim()),
    await dumpFileTable(client),
    ...(await dumpPartitions(client)),
    ...(await dumpRows(client)),
    ...(await dumpSequences(client)),
    // After the rows, because their triggers must not run again.
    'set check_function_bodies = off;',
    ...functions.map((file) => file.text.trim()),
    'reset check_function_bodies;',
  ];
  return `${parts.join('\n\n')}\n`;
}

/** No schema file creates the table of applied files; the migration code does. */
async function dumpFileTable(client: pg.Client): Promise<string> {
  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Row[];
  const found = /^create table schema_file \([\s\S]*?\n\);$/m.exec(await describeSchema({ query }));
  if (found === null) throw new Error('the schema has no table schema_file');
  return found[0];
}

async function dumpPartitions(client: pg.Client): Promise<string[]> {
  return await readLines(
    client,
    `select format('create table %I partition of %I %s;', c.relname, p.relname,
       pg_get_expr(c.relpartbound, c.oid)) as line
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  );
}

/** In the order in which the tables were created: a foreign key refers to an older table. */
async function dumpRows(client: pg.Client): Promise<string[]> {
  const names = await readLines(
    client,
    `select quote_ident(relname) as line from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     order by oid`,
  );
  // The schema files insert rows that the dump contains, too.
  const dumped = [`truncate ${names.join(', ')};`];
  for (const name of names) {
    const rows = await readLines(client, `select row_to_json(t)::text as line from ${name} t`);
    if (rows.length === 0) continue;
    dumped.push(`insert into ${name} overriding system value
select * from json_populate_recordset(null::${name}, $rows$[
${rows.join(',\n')}
]$rows$);`);
  }
  return dumped;
}

async function dumpSequences(client: pg.Client): Promise<string[]> {
  return await readLines(
    client,
    `select format('select setval(%L, %s);', s.seqrelid::regclass, coalesce(v.last_value, 1)) as line
     from pg_sequence s join pg_sequences v on v.schemaname || '.' || v.sequencename =
       (select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.oid = s.seqrelid)
     where v.schemaname = 'public' order by 1`,
  );
}

async function readLines(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(text);
  return rows.map(({ line }) => line);
}
