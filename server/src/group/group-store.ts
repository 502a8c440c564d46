import type { Channel } from '@zhiber/contract/api/channel.ts';
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
     order by id`,
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
