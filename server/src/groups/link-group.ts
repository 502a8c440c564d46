import type { Channel, GroupChannel } from '@zhiber/contract/api/channel.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { isUniqueViolation } from '../db/sql-errors.ts';
import { type CompanyId, type MessageId, newId } from '../ids.ts';
import { findOldestKey } from '../keys/key-store.ts';
import { Problem } from '../problem.ts';
import {
  deleteGroup,
  findGroup,
  insertGroup,
  listShownGroups,
  type ShownGroup,
  setGroupName,
  wasInvitedInto,
} from './group-store.ts';
import { sendToGroup } from './send-to-group.ts';

export type NewGroup = { companyId: CompanyId; channel: Channel; name: string; chatId: string };

/** Links a group by its chat id in the messenger. */
export async function linkGroup(
  ctx: Pick<Context, 'db' | 'channels'>,
  actor: Actor,
  given: NewGroup,
): Promise<number> {
  const group = { ...given, name: given.name.trim() };
  if (!(await canLink(ctx, group))) throw new Problem('group_unproven');
  const { companyId, name, channel, chatId } = group;
  return await ctx.db
    .transaction(async (tx) => {
      const id = await insertGroup(tx, group);
      const after = { channel, chat_id: chatId };
      await recordAuditEvent(tx, actor, { companyId, action: 'group.linked', object: name, after });
      return id;
    })
    .catch(asDuplicateProblem);
}

/**
 * The bot or the phone number of the service is in the groups of many companies, so a chat id alone
 * does not prove that a group wants messages from this one: somebody in the group must have posted a
 * word of this company. The groups of the sandbox are made up.
 */
async function canLink(
  ctx: Pick<Context, 'db' | 'channels'>,
  { companyId, ...chat }: NewGroup,
): Promise<boolean> {
  return ctx.channels.isSandbox || (await wasInvitedInto(ctx.db, companyId, chat));
}

export async function renameGroup(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  request: { companyId: CompanyId; id: number; name: string },
): Promise<void> {
  const { companyId, id } = request;
  const name = request.name.trim();
  await ctx.db
    .transaction(async (tx) => {
      const before = await setGroupName(tx, companyId, { id, name });
      if (before === undefined) throw new Problem('not_found');
      if (before === name) return;
      await recordAuditEvent(tx, actor, {
        companyId,
        action: 'group.renamed',
        object: name,
        before: { name: before },
        after: { name },
      });
    })
    .catch(asDuplicateProblem);
}

export async function unlinkGroup(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  { companyId, id }: { companyId: CompanyId; id: number },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const group = await deleteGroup(tx, companyId, id);
    if (group === undefined) throw new Problem('not_found');
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'group.unlinked',
      object: group.name,
      before: { channel: group.channel, chat_id: group.chat_id },
    });
  });
}

/** Names and chats are unique per company and messenger. */
export function asDuplicateProblem(error: unknown): never {
  if (isUniqueViolation(error, 'messenger_group_name')) throw new Problem('name_taken');
  if (isUniqueViolation(error, 'messenger_group_company_id_channel_chat_id_key')) {
    throw new Problem('group_linked');
  }
  throw error;
}

const TEXT = 'Проверка связи: сообщения вашей компании приходят в эту группу.';

/**
 * Posts a short text into a group, to check that it arrives. A message needs a key: the company's
 * oldest one with that channel, and a live one, since messages of a test key arrive nowhere. In the
 * sandbox both arrive in the virtual phone, and a test key needs no payment.
 */
export async function postTest(
  ctx: Context,
  request: { companyId: CompanyId; groupId: number; requestId: string },
): Promise<MessageId> {
  const { companyId, groupId, requestId } = request;
  const group = await findGroup(ctx.db, companyId, groupId);
  if (group === undefined) throw new Problem('not_found');
  const channel = group.channel as GroupChannel;
  const key = await findOldestKey(ctx.db, companyId, {
    channel,
    modes: ctx.channels.isSandbox ? ['test', 'live'] : ['live'],
  });
  if (key === undefined) throw new Problem('key_needed');
  const sent = await sendToGroup(ctx, {
    key,
    messageId: newId(ctx.clock.now().getTime()),
    requestId,
    group: String(groupId),
    text: TEXT,
    channel,
  });
  return sent.messageId;
}

export async function listOwnGroups(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<ShownGroup[]> {
  return await listShownGroups(db, companyId);
}
