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
