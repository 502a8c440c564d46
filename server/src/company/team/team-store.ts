import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/group-commit.ts';
import type { CompanyId, PersonId } from '../../ids.ts';

type Membership = { companyId: CompanyId; personId: PersonId };

/** False when the person is a member already; their role stays. */
export async function insertMember(
  tx: Transaction,
  { companyId, personId, role }: Membership & { role: Role },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into member (company_id, person_id, role) values ($1, $2, $3)
     on conflict do nothing returning role`,
    [companyId, personId, role],
  );
  return rows.length === 1;
}

export type StoredMember = {
  personId: PersonId;
  name: string;
  /** E-mail or phone, whichever the person has. */
  contact: string;
  role: Role;
  hasSecondFactor: boolean;
  joinedAt: Date;
  seenAt: Date | null;
};

const MEMBER_COLUMNS = `p.id as "personId", p.name, m.role,
  coalesce(case when p.email_verified then p.email end, '+' || p.phone, '') as contact,
  exists (select from second_factor f where f.person_id = p.id and f.confirmed_at is not null)
    as "hasSecondFactor", m.joined_at as "joinedAt"`;

export async function listMembers(sql: Sql, companyId: CompanyId): Promise<StoredMember[]> {
  return await sql.query<StoredMember>(
    `select ${MEMBER_COLUMNS}, (select max(s.seen_at) from session s where s.person_id = p.id) as "seenAt"
     from member m join person p on p.id = m.person_id
     where m.company_id = $1 order by m.joined_at, p.id`,
    [companyId],
  );
}

/** The members of a company, who cannot change until the transaction ends. */
export async function lockMembers(
  tx: Transaction,
  companyId: CompanyId,
): Promise<{ personId: PersonId; name: string; role: Role }[]> {
  await tx.query('select from company where id = $1 for no key update', [companyId]);
  return await tx.query(
    `select m.person_id as "personId", p.name, m.role
     from member m join person p on p.id = m.person_id where m.company_id = $1`,
    [companyId],
  );
}

export async function updateRole(
  tx: Transaction,
  { companyId, personId, role }: Membership & { role: Role },
): Promise<void> {
  await tx.query('update member set role = $3 where company_id = $1 and person_id = $2', [
    companyId,
    personId,
    role,
  ]);
}

export async function deleteMember(
  tx: Transaction,
  { companyId, personId }: Membership,
): Promise<void> {
  await tx.query('delete from member where company_id = $1 and person_id = $2', [
    companyId,
    personId,
  ]);
}
