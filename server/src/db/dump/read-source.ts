import { checkApplied, readApplied, type Schema } from '../migrate.ts';
import type { Sql } from '../sql.ts';

/** What has rows: a table or a partition. */
export type Part = { name: string; columns: string; bytes: number; rows: number };

/** Everything about a database that its dump needs beside the rows. */
export type Source = {
  postgres: string;
  secretFingerprint: string | null;
  /** The applied files of `tables/`, with their checksums. */
  schema: Map<string, string>;
  /** Tables without partitions of others. */
  tables: string[];
  parts: Part[];
  createPartitions: string[];
  /** Loading is faster without them; and foreign keys allow any order of the tables. */
  dropBeforeRows: string[];
  createAfterRows: string[];
  /** Of partitions alone; those of tables come with the functions. */
  triggers: string[];
};

/** Partitions that were detached look like tables, but belong to no file of the schema. */
const IS_TABLE = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and not exists (select from pg_class p where p.relnamespace = c.relnamespace and p.relkind = 'p'
    and c.relname ~ ('^' || p.relname || '_\\d{4}_\\d{2}$'))`;
const IS_PARTITION = `c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relispartition`;

export async function listTables(sql: Sql): Promise<string[]> {
  return await readLines(
    sql,
    `select quote_ident(c.relname) as line from pg_class c where ${IS_TABLE} order by c.oid`,
  );
}

/** Reads the catalogs. Throws when the schema is not one that this program can write down. */
export async function readSource(sql: Sql, schema: Schema): Promise<Source> {
  const applied = await readApplied(sql, 'table');
  checkApplied(applied, schema.tables, { what: 'The database' });
  const [server] = await sql.query<{ version: string; fingerprint: string | null }>(
    `select current_setting('server_version') as version,
       (select value from installation where name = 'secret_fingerprint') as fingerprint`,
  );
  const indexes = await readIndexes(sql);
  const keys = await readForeignKeys(sql);
  return {
    postgres: server?.version ?? '?',
    secretFingerprint: server?.fingerprint ?? null,
    schema: applied,
    tables: await listTables(sql),
    parts: await readParts(sql),
    createPartitions: await readPartitions(sql),
    dropBeforeRows: [
      ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${name};`),
      ...indexes.map(({ name }) => `drop index ${name};`),
    ],
    createAfterRows: [
      ...(await readSequences(sql)),
      ...indexes.map(({ definition }) => `${definition.replace(' ON ONLY ', ' ON ')};`),
      ...keys.map(
        ({ table, name, definition }) =>
          `alter table ${table} add constraint ${name} ${definition};`,
      ),
    ],
    triggers: await readLines(
      sql,
      `select pg_get_triggerdef(t.oid) || ';' as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where ${IS_PARTITION} and not t.tgisinternal and t.tgparentid = 0 order by c.relname, t.tgname`,
    ),
  };
}

/**
 * Generated columns are computed again. A transaction id means nothing in another cluster: its
 * column gets its default there. Unlogged tables hold what a crash may lose, such as who runs now.
 */
async function readParts(sql: Sql): Promise<Part[]> {
  return await sql.query<Part>(
    `select quote_ident(c.relname) as name, pg_relation_size(c.oid)::double precision as bytes,
       greatest(c.reltuples, 0)::double precision as rows,
       (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
           and a.atttypid <> 'xid8'::regtype) as columns
     from pg_class c where c.relkind = 'r' and c.relpersistence = 'p' and ((${IS_TABLE}) or (${IS_PARTITION})) order by c.oid`,
  );
}

async function readPartitions(sql: Sql): Promise<string[]> {
  return await readLines(
    sql,
    `select format('create table %I partition of %I %s%s;', c.relname, p.relname,
       pg_get_expr(c.relpartbound, c.oid), ' with (' || array_to_string(c.reloptions, ', ') || ')') as line
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where ${IS_PARTITION} order by c.relname`,
  );
}

async function readIndexes(sql: Sql): Promise<{ name: string; definition: string }[]> {
  return await sql.query(
    `select quote_ident(x.relname) as name, pg_get_indexdef(x.oid) as definition
     from pg_index i join pg_class x on x.oid = i.indexrelid join pg_class c on c.oid = i.indrelid
     where ${IS_TABLE} and not exists (select from pg_constraint k where k.conindid = x.oid)
     order by x.relname`,
  );
}

async function readForeignKeys(
  sql: Sql,
): Promise<{ table: string; name: string; definition: string }[]> {
  return await sql.query(
    `select quote_ident(c.relname) as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where ${IS_TABLE} and k.contype = 'f' and k.conparentid = 0 order by c.relname, k.conname`,
  );
}

async function readSequences(sql: Sql): Promise<string[]> {
  return await readLines(
    sql,
    `select format('select setval(%L, %s, %s);', quote_ident(sequencename), coalesce(last_value, start_value),
       (last_value is not null)::text) as line
     from pg_sequences where schemaname = 'public' order by sequencename`,
  );
}

async function readLines(sql: Sql, text: string): Promise<string[]> {
  return (await sql.query<{ line: string }>(text)).map(({ line }) => line);
}
