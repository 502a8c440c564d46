import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId, PersonId } from '../ids.ts';

export async function insertInvitation(
  sql: Sql,
  invitation: { companyId: CompanyId; invitedBy: PersonId; tokenHash: Buffer; minutes: number },
): Promise<Date> {
  const rows = await sql.query<{ ends_at: Date }>(
    `insert into group_invitation (company_id, invited_by, token_hash, ends_at)
     values ($1, $2, $3, clock_timestamp() + make_interval(mins => $4)) returning ends_at`,
    [invitation.companyId, invitation.invitedBy, invitation.tokenHash, invitation.minutes],
  );
  return (rows[0] as { ends_at: Date }).ends_at;
}

/** Removes what nobody took in time. */
export async function removeEndedInvitations(sql: Sql, companyId: CompanyId): Promise<void> {
  await sql.query(
    `delete from group_invitation
     where company_id = $1 and chat_id is null and ends_at < clock_timestamp()`,
    [companyId],
  );
}

export type FoundInvitation = {
  company_id: CompanyId;
  person_id: PersonId;
  person_name: string;
  chat_id: string | null;
  is_open: boolean;
};

/** By its word, whoever's it is; nobody else may take it meanwhile. */
export async function lockInvitation(
  tx: Transaction,
  tokenHash: Buffer,
): Promise<FoundInvitation | undefined> {
  const rows = await tx.query<FoundInvitation>(
    `select i.company_id, i.invited_by as person_id, p.name as person_name, i.chat_id,
       i.chat_id is null and i.ends_at > clock_timestamp() as is_open
     from group_invitation i join person p on p.id = i.invited_by
     where i.token_hash = $1 for update of i`,
    [tokenHash],
  );
  return rows[0];
}

export async function closeInvitation(
  tx: Transaction,
  tokenHash: Buffer,
  chatId: string,
): Promise<void> {
  await tx.query('update group_invitation set chat_id = $2 where token_hash = $1', [
    tokenHash,
    chatId,
  ]);
}

/** Whether somebody in that group has once written a word of this company. */
export async function wasInvitedInto(
  sql: Sql,
  companyId: CompanyId,
  chatId: string,
): Promise<boolean> {
  const rows = await sql.query(
    'select from group_invitation where company_id = $1 and chat_id = $2 limit 1',
    [companyId, chatId],
  );
  return rows.length > 0;
}
