import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import type { CompanyId, PersonId } from '../ids.ts';

export type MessengerGroup = { id: number; name: string; channel: Channel; chat_id: string };

/** A company's groups with this id, name or chat id; a name may exist in both messengers. */
export async function findGroups(
  sql: Sql,
  companyId: CompanyId,
  reference: string,
): Promise<MessengerGroup[]> {
  return await sql.query<MessengerGroup>(
    `select id, name, channel, chat_id from messenger_group
     where company_id = $1 and (id::text = $2 or lower(name) = lower($2) or chat_id = $2)
     -- An id is meant before a name that looks like one.
     order by (id::text = $2) desc, id`,
    [companyId, reference],
    'find-groups',
  );
}

export async function listGroups(sql: Sql, companyId: CompanyId): Promise<MessengerGroup[]> {
  return await sql.query<MessengerGroup>(
    'select id, name, channel, chat_id from messenger_group where company_id = $1 order by id',
    [companyId],
  );
}

/** A group that can be linked, or that a company has linked. */
export type KnownGroup = {
  channel: Channel;
  chat_id: string;
  /** The title in the messenger; null for a group that no bot has seen. */
  title: string | null;
  /** Whether the bot is a member; null for a group that no bot has seen. */
  has_bot: boolean | null;
  company_id: CompanyId | null;
  group_id: number | null;
  name: string | null;
};

/** Groups with the bot and linked groups; with a company id, only those of that company. */
export async function listKnownGroups(
  sql: Sql,
  companyId: CompanyId | undefined,
): Promise<KnownGroup[]> {
  return await sql.query<KnownGroup>(
    `select channel, chat_id, t.title, case when t.title is not null then t.left_at is null end as has_bot,
       m.company_id, m.id as group_id, m.name
     from (select 'telegram'::channel as channel, chat_id, title, left_at from telegram_group) t
     full join messenger_group m using (channel, chat_id)
     where (m.company_id = $1 or $1 is null) and (m.id is not null or t.left_at is null)
     order by m.company_id nulls first, m.id, t.title, chat_id`,
    [companyId ?? null],
  );
}

export async function insertGroup(
  sql: Sql,
  group: { companyId: CompanyId; channel: Channel; name: string; chatId: string },
): Promise<number> {
  const rows = await sql.query<{ id: number }>(
    `insert into messenger_group (company_id, channel, name, chat_id) values ($1, $2, $3, $4) returning id`,
    [group.companyId, group.channel, group.name, group.chatId],
  );
  return (rows[0] as { id: number }).id;
}

/** The same; undefined when the company already has a group of that name, or this chat. */
export async function insertFreeGroup(
  tx: Transaction,
  group: { companyId: CompanyId; channel: Channel; name: string; chatId: string },
): Promise<number | undefined> {
  const rows = await tx.query<{ id: number }>(
    `insert into messenger_group (company_id, channel, name, chat_id) values ($1, $2, $3, $4)
     on conflict do nothing returning id`,
    [group.companyId, group.channel, group.name, group.chatId],
  );
  return rows[0]?.id;
}

export type ShownGroup = MessengerGroup & {
  created_at: Date;
  posted_at: Date | null;
  /** Whether the bot is a member; null for a group that no bot has seen. */
  has_bot: boolean | null;
};

/** A company's groups, for its cabinet. */
export async function listShownGroups(sql: Sql, companyId: CompanyId): Promise<ShownGroup[]> {
  return await sql.query<ShownGroup>(
    `select m.id, m.name, m.channel, m.chat_id, m.created_at, m.posted_at,
       case when t.chat_id is not null then t.left_at is null end as has_bot
     from messenger_group m
     left join telegram_group t on m.channel = 'telegram' and t.chat_id = m.chat_id
     where m.company_id = $1 order by m.id desc`,
    [companyId],
  );
}

export async function findGroup(
  sql: Sql,
  companyId: CompanyId,
  id: number,
): Promise<MessengerGroup | undefined> {
  const rows = await sql.query<MessengerGroup>(
    'select id, name, channel, chat_id from messenger_group where company_id = $1 and id = $2',
    [companyId, id],
  );
  return rows[0];
}

/** Returns the previous name; undefined when the company has no such group. */
export async function setGroupName(
  tx: Transaction,
  companyId: CompanyId,
  { id, name }: { id: number; name: string },
): Promise<string | undefined> {
  const rows = await tx.query<{ before: string }>(
    `update messenger_group m set name = $3
     from (select id, name from messenger_group where company_id = $1 and id = $2 for update) as old
     where m.company_id = $1 and m.id = old.id returning old.name as before`,
    [companyId, id, name],
  );
  return rows[0]?.before;
}

export async function deleteGroup(
  tx: Transaction,
  companyId: CompanyId,
  id: number,
): Promise<MessengerGroup | undefined> {
  const rows = await tx.query<MessengerGroup>(
    `delete from messenger_group where company_id = $1 and id = $2
     returning id, name, channel, chat_id`,
    [companyId, id],
  );
  return rows[0];
}

export async function recordGroupPost(sql: Sql, companyId: CompanyId, id: number): Promise<void> {
  await sql.query(
    'update messenger_group set posted_at = clock_timestamp() where company_id = $1 and id = $2',
    [companyId, id],
  );
}

export async function insertInvitation(
  sql: Sql,
  invitation: {
    companyId: CompanyId;
    channel: Channel;
    invitedBy: PersonId;
    tokenHash: Buffer;
    minutes: number;
  },
): Promise<Date> {
  const { companyId, channel, invitedBy, tokenHash, minutes } = invitation;
  const rows = await sql.query<{ ends_at: Date }>(
    `insert into group_invitation (company_id, invited_by, token_hash, channel, ends_at)
     values ($1, $2, $3, $4, clock_timestamp() + make_interval(mins => $5)) returning ends_at`,
    [companyId, invitedBy, tokenHash, channel, minutes],
  );
  return (rows[0] as { ends_at: Date }).ends_at;
}

/** Deletes expired invitations that were never used. */
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

/** Finds an invitation into a messenger's group, of any company, by its token, and locks it. */
export async function lockInvitation(
  tx: Transaction,
  { tokenHash, channel }: { tokenHash: Buffer; channel: Channel },
): Promise<FoundInvitation | undefined> {
  const rows = await tx.query<FoundInvitation>(
    `select i.company_id, i.invited_by as person_id, p.name as person_name, i.chat_id,
       i.chat_id is null and i.ends_at > clock_timestamp() and c.suspended_at is null as is_open
     from group_invitation i
     join person p on p.id = i.invited_by
     join company c on c.id = i.company_id
     where i.token_hash = $1 and i.channel = $2 for update of i`,
    [tokenHash, channel],
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

/** Whether an invitation of this company was ever used in that group. */
export async function wasInvitedInto(
  sql: Sql,
  companyId: CompanyId,
  { channel, chatId }: { channel: Channel; chatId: string },
): Promise<boolean> {
  const rows = await sql.query(
    'select from group_invitation where company_id = $1 and chat_id = $2 and channel = $3 limit 1',
    [companyId, chatId, channel],
  );
  return rows.length > 0;
}
