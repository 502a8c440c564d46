import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/** More are not shown; nobody would read them. */
const ROWS_MAX = 500;

export type BlockedPerson = {
  id: PersonId;
  name: string;
  email: string | null;
  phone: string | null;
  reason: string;
  since: Date;
};

/** The newest first. */
export async function listBlockedPeople(sql: Sql): Promise<BlockedPerson[]> {
  return await sql.query<BlockedPerson>(
    `select id, name, email, phone::text as phone, blocked_because as reason, blocked_at as since
     from person where blocked_at is not null order by blocked_at desc, id limit ${ROWS_MAX}`,
  );
}

export type SuspendedCompany = { id: CompanyId; name: string; reason: string; since: Date };

/** The newest first. */
export async function listSuspendedCompanies(sql: Sql): Promise<SuspendedCompany[]> {
  return await sql.query<SuspendedCompany>(
    `select id, name, suspended_because as reason, suspended_at as since
     from company where suspended_at is not null order by suspended_at desc, id limit ${ROWS_MAX}`,
  );
}

export async function findPersonName(
  sql: Sql,
  personId: string,
): Promise<{ personId: PersonId; name: string } | undefined> {
  const rows = await sql.query<{ personId: PersonId; name: string }>(
    'select id as "personId", name from person where id = $1',
    [personId],
  );
  return rows[0];
}
