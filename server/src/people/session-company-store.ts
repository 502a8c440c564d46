import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/** From now on a session works for that company. False when the person is no member of it. */
export async function setSessionCompany(
  sql: Sql,
  {
    sessionId,
    personId,
    companyId,
  }: { sessionId: string; personId: PersonId; companyId: CompanyId },
): Promise<boolean> {
  const rows = await sql.query(
    `update session set company_id = $3 where id = $1 and person_id = $2
       and exists (select from member m where m.person_id = $2 and m.company_id = $3)
     returning id`,
    [sessionId, personId, companyId],
  );
  return rows.length === 1;
}
