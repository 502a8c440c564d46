import type { Sql } from '../db/sql.ts';
import type { CompanyId } from '../ids.ts';

/** A company as the operator's lists show it. */
export type ListedCompany = {
  id: CompanyId;
  name: string;
  business_id: string | null;
  created_at: Date;
  suspended_at: Date | null;
  suspended_because: string | null;
  sender_name: string | null;
  balance: number;
  held: number;
  debt: number;
  members: number;
  /** Keys that are not revoked. */
  keys: number;
};

const LISTED = `select c.id, c.name, c.business_id, c.created_at, c.suspended_at, c.suspended_because, c.sender_name,
    a.balance, a.held, a.debt,
    (select count(*)::integer from member m where m.company_id = c.id) as members,
    (select count(*)::integer from api_key k
      where k.company_id = c.id and k.revoked_at is null and not k.is_for_broadcasts) as keys
  from company c join account a on a.company_id = c.id`;

/** Newest first. */
export async function listCompanies(
  sql: Sql,
  { before, rowsMax }: { before?: CompanyId | undefined; rowsMax: number },
): Promise<ListedCompany[]> {
  return await sql.query<ListedCompany>(
    `${LISTED} where $1::bigint is null or c.id < $1 order by c.id desc limit $2`,
    [before ?? null, rowsMax],
  );
}

export async function findListedCompany(
  sql: Sql,
  id: CompanyId,
): Promise<ListedCompany | undefined> {
  const rows = await sql.query<ListedCompany>(`${LISTED} where c.id = $1`, [id]);
  return rows[0];
}
