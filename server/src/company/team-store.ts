import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';

type Membership = { companyId: CompanyId; personId: PersonId };

/** False when the person is already a member; their role stays. */
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

/** Locks the person until the transaction ends, and counts the companies that they own. */
export async function lockOwnedCount(tx: Transaction, personId: PersonId): Promise<number> {
  await tx.query('select from person where id = $1 for no key update', [personId]);
  const rows = await tx.query<{ count: number }>(
    `select count(*)::integer as count from member where person_id = $1 and role = 'owner'`,
    [personId],
  );
  return (rows[0] as { count: number }).count;
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
  coalesce(p.email, '+' || p.phone, '') as contact,
  exists (select from person_with_second_factor f where f.person_id = p.id)
    as "hasSecondFactor", m.joined_at as "joinedAt"`;

export async function listMembers(sql: Sql, companyId: CompanyId): Promise<StoredMember[]> {
  return await sql.query<StoredMember>(
    `select ${MEMBER_COLUMNS}, (select max(s.seen_at) from session s where s.person_id = p.id) as "seenAt"
     from member m join person p on p.id = m.person_id
     where m.company_id = $1 order by m.joined_at, p.id`,
    [companyId],
  );
}

/** The members of a company, locked until the transaction ends. */
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

export type NewInvitation = {
  companyId: CompanyId;
  role: Role;
  tokenHash: Buffer;
  note: string | null;
  /** Null for the operator of the installation. */
  invitedBy: PersonId | null;
  endsAt: Date;
};

export async function insertInvitation(tx: Transaction, given: NewInvitation): Promise<void> {
  await tx.query(
    `insert into invitation (company_id, role, token_hash, note, invited_by, ends_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [given.companyId, given.role, given.tokenHash, given.note, given.invitedBy, given.endsAt],
  );
}

export type OpenInvitation = {
  id: number;
  role: Role;
  note: string | null;
  invitedBy: string;
  createdAt: Date;
  endsAt: Date;
};

export async function listInvitations(sql: Sql, companyId: CompanyId): Promise<OpenInvitation[]> {
  return await sql.query<OpenInvitation>(
    `select i.id, i.role, i.note, coalesce(p.name, 'Zhiber') as "invitedBy", i.created_at as "createdAt", i.ends_at as "endsAt"
     from invitation i left join person p on p.id = i.invited_by
     where i.company_id = $1 and i.closed_at is null and i.ends_at > clock_timestamp()
     order by i.id desc`,
    [companyId],
  );
}

/** Undefined when it was not open any more. */
export async function closeInvitation(
  tx: Transaction,
  { companyId, id }: { companyId: CompanyId; id: number },
): Promise<{ role: Role; note: string | null } | undefined> {
  const rows = await tx.query<{ role: Role; note: string | null }>(
    `update invitation set closed_at = clock_timestamp()
     where company_id = $1 and id = $2 and closed_at is null returning role, note`,
    [companyId, id],
  );
  return rows[0];
}

/** Closes the open invitations that a person has given, except for the roles they may still give. */
export async function closeInvitationsBy(
  tx: Transaction,
  given: { companyId: CompanyId; invitedBy: PersonId; except: readonly Role[] },
): Promise<void> {
  await tx.query(
    `update invitation set closed_at = clock_timestamp()
     where company_id = $1 and invited_by = $2 and closed_at is null and role <> all ($3)`,
    [given.companyId, given.invitedBy, given.except],
  );
}

export type Offer = { companyId: CompanyId; company: string; role: Role; endsAt: Date };

const OFFER = `select i.company_id as "companyId", c.name as company, i.role, i.ends_at as "endsAt"
  from invitation i join company c on c.id = i.company_id
  where i.token_hash = $1 and i.closed_at is null and i.ends_at > clock_timestamp()`;

export async function findOffer(sql: Sql, tokenHash: Buffer): Promise<Offer | undefined> {
  const rows = await sql.query<Offer>(OFFER, [tokenHash]);
  return rows[0];
}

export type TakenOffer = Offer & {
  isByOperator: boolean;
  inviterRole: Role | null;
  isSuspended: boolean;
};

/** Consumes the invitation of a token: it can be accepted once. */
export async function takeOffer(
  tx: Transaction,
  tokenHash: Buffer,
): Promise<TakenOffer | undefined> {
  const rows = await tx.query<TakenOffer>(
    `update invitation i set closed_at = clock_timestamp() from company c
     where c.id = i.company_id and i.token_hash = $1 and i.closed_at is null
       and i.ends_at > clock_timestamp()
     returning i.company_id as "companyId", c.name as company, i.role, i.ends_at as "endsAt",
       i.invited_by is null as "isByOperator",
       (select m.role from member m where m.company_id = i.company_id and m.person_id = i.invited_by)
         as "inviterRole", c.suspended_at is not null as "isSuspended"`,
    [tokenHash],
  );
  return rows[0];
}
