import type { Sql } from './sql.ts';

/**
 * The schema of a database as text, in the same order on every machine: types, tables with their
 * constraints, indexes and triggers, views, and the signatures of functions. Monthly partitions and the
 * tables of the job queue are left out.
 */
export async function describeSchema(sql: Sql): Promise<string> {
  const parts = [
    ...(await describeTypes(sql)),
    ...(await describeTables(sql)),
    ...(await describeViews(sql)),
  ];
  const functions = await describeFunctions(sql);
  return `${[...parts, functions.join('\n')].join('\n\n')}\n`;
}

async function describeTypes(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string; labels: string }>(
    `select t.typname as name, string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) as labels
     from pg_type t join pg_enum e on e.enumtypid = t.oid
     where t.typnamespace = 'public'::regnamespace group by t.typname order by t.typname`,
  );
  return [rows.map(({ name, labels }) => `create type ${name} as enum (${labels});`).join('\n')];
}

type Table = { oid: number; name: string; head: string; tail: string };

async function describeTables(sql: Sql): Promise<string[]> {
  const tables = await sql.query<Table>(
    `select c.oid::integer as oid, c.relname as name,
       case c.relpersistence when 'u' then 'create unlogged table' else 'create table' end as head,
       concat_ws('', ' partition by ' || pg_get_partkeydef(c.oid),
         ' with (' || array_to_string(c.reloptions, ', ') || ')') as tail
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
  );
  const described = [];
  for (const table of tables) described.push(await describeTable(sql, table));
  return described;
}

async function describeTable(sql: Sql, { oid, name, head, tail }: Table): Promise<string> {
  const lines = async (text: string) =>
    (await sql.query<{ line: string }>(text, [oid])).map(({ line }) => line);
  const columns = await lines(
    `select concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
       case when a.attnotnull then 'not null' end,
       case a.attidentity when 'a' then 'generated always as identity' end,
       'default ' || pg_get_expr(d.adbin, d.adrelid)) as line
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`,
  );
  const constraints = await lines(
    `select 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as line
     from pg_constraint where conrelid = $1 and contype in ('p', 'u', 'f', 'c') order by contype, conname`,
  );
  const indexes = await lines(
    `select pg_get_indexdef(i.indexrelid) || ';' as line
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = $1)
     order by c.relname`,
  );
  const triggers = await lines(
    `select pg_get_triggerdef(oid) || ';' as line from pg_trigger
     where tgrelid = $1 and not tgisinternal order by tgname`,
  );
  const body = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n');
  return [`${head} ${name} (\n${body}\n)${tail};`, ...indexes, ...triggers].join('\n');
}

async function describeViews(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ text: string }>(
    `select 'create view ' || relname || ' as' || chr(10) || pg_get_viewdef(oid) as text from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'v' order by relname`,
  );
  return rows.map(({ text }) => text);
}

/** Signatures only: the bodies are in server/schema/functions. */
async function describeFunctions(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ line: string }>(
    `select concat_ws(' ', 'function ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ')',
       'returns ' || pg_get_function_result(p.oid), 'set ' || array_to_string(p.proconfig, ', ')) || ';' as line
     from pg_proc p where p.pronamespace = 'public'::regnamespace order by p.proname, p.oid`,
  );
  return rows.map(({ line }) => `-- ${line}`);
}
