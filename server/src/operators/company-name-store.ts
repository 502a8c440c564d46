import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

export async function findCompanyNames(
  sql: Sql,
  ids: readonly CompanyId[],
): Promise<Map<CompanyId, string>> {
  const rows = await sql.query<{ id: CompanyId; name: string }>(
    'select id, name from company where id = any ($1)',
    [ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Without the company of the installation itself, and without some others. */
export async function countCustomers(sql: Sql, except: readonly CompanyId[]): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::integer as count from company
     where id <> all ($1) and id is distinct from
       (select value::bigint from installation where name = 'system_company')`,
    [except],
  );
  return (rows[0] as { count: number }).count;
}
