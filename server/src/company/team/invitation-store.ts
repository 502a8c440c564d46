import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import type { Transaction } from '../../db/database.ts';
import type { Sql } from '../../db/group-commit.ts';
import type { CompanyId, PersonId } from '../../ids.ts';

export type NewInvitation = {
  companyId: CompanyId;
  role: Role;
  tokenHash: Buffer;
  note: string | null;
  invitedBy: PersonId;
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
    `select i.id, i.role, i.note, p.name as "invitedBy", i.created_at as "createdAt", i.ends_at as "endsAt"
     from invitation i join person p on p.id = i.invited_by
     where i.company_id = $1 and i.closed_at is null and i.ends_at > clock_timestamp()
     order by i.id desc`,
    [companyId],
  );
}

/** Undefined unless it was still open. */
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

export type Offer = { companyId: CompanyId; company: string; role: Role; endsAt: Date };

const OFFER = `select i.company_id as "companyId", c.name as company, i.role, i.ends_at as "endsAt"
  from invitation i join company c on c.id = i.company_id
  where i.token_hash = $1 and i.closed_at is null and i.ends_at > clock_timestamp()`;

export async function findOffer(sql: Sql, tokenHash: Buffer): Promise<Offer | undefined> {
  const rows = await sql.query<Offer>(OFFER, [tokenHash]);
  return rows[0];
}

/** The offer of a token, closed for everybody else. */
export async function takeOffer(tx: Transaction, tokenHash: Buffer): Promise<Offer | undefined> {
  const rows = await tx.query<Offer>(
    `update invitation i set closed_at = clock_timestamp() from company c
     where c.id = i.company_id and i.token_hash = $1 and i.closed_at is null
       and i.ends_at > clock_timestamp()
     returning i.company_id as "companyId", c.name as company, i.role, i.ends_at as "endsAt"`,
    [tokenHash],
  );
  return rows[0];
}
