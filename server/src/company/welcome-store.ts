import type { Transaction } from '../db/database.ts';
import type { CompanyId, PersonId } from '../ids.ts';

/**
 * Claims the one welcome bonus of the founder's phone and of the company's business number. Returns
 * how many were free and how many are needed: the bonus is due when all of them were free. Without
 * a confirmed phone there is no bonus.
 */
export async function claimWelcome(
  tx: Transaction,
  { companyId, founder }: { companyId: CompanyId; founder: PersonId },
): Promise<{ claimed: number; needed: number; hasPhone: boolean }> {
  const rows = await tx.query<{ claimed: number; needed: number; hasPhone: boolean }>(
    `with subject as (
       select 'phone ' || phone as text from person where id = $2 and phone is not null
       union all
       select 'business ' || business_id from company where id = $1 and business_id is not null
     ), claim as (
       insert into welcomed (subject, company_id) select text, $1 from subject
       on conflict do nothing returning subject
     )
     select (select count(*) from claim)::integer as claimed,
       (select count(*) from subject)::integer as needed,
       exists (select from person where id = $2 and phone is not null) as "hasPhone"`,
    [companyId, founder],
  );
  return rows[0] as { claimed: number; needed: number; hasPhone: boolean };
}

export async function releaseWelcome(tx: Transaction, companyId: CompanyId): Promise<void> {
  await tx.query('delete from welcomed where company_id = $1', [companyId]);
}

/** Companies of this owner that have had no bonus yet, oldest first. */
export async function listUnwelcomed(tx: Transaction, owner: PersonId): Promise<CompanyId[]> {
  const rows = await tx.query<{ id: CompanyId }>(
    `select a.company_id as id from member m join account a using (company_id)
     where m.person_id = $1 and m.role = 'owner' and a.welcomed_at is null order by a.company_id`,
    [owner],
  );
  return rows.map((row) => row.id);
}
