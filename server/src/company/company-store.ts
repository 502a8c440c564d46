import type { Sql } from '../db/group-commit.ts';
import type { CompanyId } from '../ids.ts';

export async function insertCompany(sql: Sql, name: string): Promise<CompanyId> {
  const rows = await sql.query<{ id: CompanyId }>(
    'insert into company (name) values ($1) returning id',
    [name],
  );
  return (rows[0] as { id: CompanyId }).id;
}

export async function findCompany(
  sql: Sql,
  id: CompanyId,
): Promise<{ id: CompanyId; name: string } | undefined> {
  const rows = await sql.query<{ id: CompanyId; name: string }>(
    'select id, name from company where id = $1',
    [id],
  );
  return rows[0];
}

/** A fact about this installation. */
export async function readFact(sql: Sql, name: string): Promise<string | undefined> {
  const rows = await sql.query<{ value: string }>(
    'select value from installation where name = $1',
    [name],
  );
  return rows[0]?.value;
}

/** Keeps a fact; the first one stays. Returns what is kept. */
export async function rememberFact(sql: Sql, name: string, value: string): Promise<string> {
  await sql.query(
    'insert into installation (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, value],
  );
  return (await readFact(sql, name)) as string;
}
