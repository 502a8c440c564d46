import type { Sql } from '../../db/sql.ts';
import { type Pages, tidsOf } from '../upkeep-store.ts';

/** A monthly partition, such as `message_2025_09` of `message`. */
export type ArchivedPart = { table: string; name: string; month: string };

export type ArchivedFile = {
  file: string;
  from_page: number;
  to_page: number;
  row_count: number;
  bytes: number;
  sha256: string;
};

/** The rows on some pages, each as a line of JSON. */
export async function readRows(sql: Sql, { name }: ArchivedPart, pages: Pages): Promise<string[]> {
  const rows = await sql.query<{ line: string }>(
    `select row_to_json(t)::text as line from ${name} t where ctid >= $1::tid and ctid < $2::tid`,
    tidsOf(pages),
  );
  return rows.map(({ line }) => line);
}

export async function countRows(sql: Sql, { name }: ArchivedPart): Promise<number> {
  const rows = await sql.query<{ count: number }>(`select count(*)::integer as count from ${name}`);
  return rows[0]?.count ?? 0;
}

/** The partitions of a month that exist. */
export async function listParts(
  sql: Sql,
  tables: readonly string[],
  month: string,
): Promise<ArchivedPart[]> {
  return await sql.query<ArchivedPart>(
    `select t.name as table, c.relname::text as name, $2::date::text as month
     from unnest($1::text[]) as t(name)
     join pg_class c on c.oid = to_regclass(t.name || to_char($2::date, '_YYYY_MM'))`,
    [tables, month],
  );
}

export async function saveFile(
  sql: Sql,
  { table, month }: ArchivedPart,
  file: ArchivedFile,
): Promise<void> {
  await sql.query(
    `insert into archived_file (table_name, month, from_page, to_page, file, row_count, bytes, sha256)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      table,
      month,
      file.from_page,
      file.to_page,
      file.file,
      file.row_count,
      file.bytes,
      file.sha256,
    ],
  );
}

export async function listFiles(sql: Sql, { table, month }: ArchivedPart): Promise<ArchivedFile[]> {
  return await sql.query<ArchivedFile>(
    `select file, from_page, to_page, row_count, bytes, sha256 from archived_file
     where table_name = $1 and month = $2 order by from_page`,
    [table, month],
  );
}

/** For a month that changed after some of its files were written. */
export async function forgetFiles(sql: Sql, { table, month }: ArchivedPart): Promise<void> {
  await sql.query('delete from archived_file where table_name = $1 and month = $2', [table, month]);
}

export type ArchivedMonth = {
  table: string;
  month: string;
  files: number;
  rows: number;
  bytes: number;
  archived_at: Date;
  /** The rows are still in the database as well. */
  is_kept: boolean;
};

export async function listArchived(sql: Sql): Promise<ArchivedMonth[]> {
  return await sql.query<ArchivedMonth>(
    `select table_name as table, to_char(month, 'YYYY-MM') as month, count(*)::integer as files,
       sum(row_count)::bigint as rows, sum(bytes)::bigint as bytes, max(archived_at) as archived_at,
       to_regclass(table_name || to_char(month, '_YYYY_MM')) is not null as is_kept
     from archived_file group by table_name, month order by month, table_name`,
  );
}
