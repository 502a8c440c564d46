import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Transaction } from '../db/database.ts';
import type { Sql } from '../db/group-commit.ts';
import type { CompanyId } from '../ids.ts';

export type MessengerGroup = { id: number; name: string; channel: Channel; chat_id: string };

/**
 * A company's groups that go by this id, name or id in the messenger. One name may stand in both
 * messengers.
 */
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

/** A group that can be linked, or that some company has linked. */
export type KnownGroup = {
  channel: Channel;
  chat_id: string;
  /** As the messenger shows it; null for a group that no bot has seen. */
  title: string | null;
  /** Whether the bot is in it; null where no bot has seen it. */
  has_bot: boolean | null;
  company_id: CompanyId | null;
  group_id: number | null;
  name: string | null;
};

/** Groups that the bot is in, and those that are linked; or those of one company alone. */
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

/** The same, unless the company has a group of that name, or this very chat. */
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
  /** Whether the bot is in it; null where no bot has seen it. */
  has_bot: boolean | null;
};

/** A company's groups, as its cabinet shows them. */
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

export async function isLinkedElsewhere(
  sql: Sql,
  companyId: CompanyId,
  { channel, chatId }: { channel: Channel; chatId: string },
): Promise<boolean> {
  const rows = await sql.query(
    'select from messenger_group where company_id <> $1 and channel = $2 and chat_id = $3 limit 1',
    [companyId, channel, chatId],
  );
  return rows.length > 0;
}

/** Gives the name it had; undefined when the company has no such group. */
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

export async function notePost(sql: Sql, companyId: CompanyId, id: number): Promise<void> {
  await sql.query(
    'update messenger_group set posted_at = clock_timestamp() where company_id = $1 and id = $2',
    [companyId, id],
  );
}
