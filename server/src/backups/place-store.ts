import type { Sql } from '../db/sql.ts';

/** Other processes of Zhiber that are connected to this database. */
export async function countUsers(sql: Sql): Promise<number> {
  // Within a transaction the view would stay as it was first read.
  await sql.query('select pg_stat_clear_snapshot()');
  const rows = await sql.query<{ users: number }>(
    `select count(*)::integer as users from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
       and application_name ~ '^(zhiber|pgboss)'`,
  );
  return rows[0]?.users ?? 0;
}

/** Makes room for a copy, and loses nothing. Returns the schema that has what was there. */
export async function setAside(sql: Sql, at: Date): Promise<string> {
  const schema = `aside_${at.toISOString().slice(0, 19).replaceAll(/\D/g, '')}`;
  await sql.query(`alter schema public rename to ${schema}`);
  await sql.query('create schema public');
  return schema;
}

export async function hasFacts(sql: Sql): Promise<boolean> {
  const rows = await sql.query(`select 1 where to_regclass('installation') is not null`);
  return rows.length > 0;
}
