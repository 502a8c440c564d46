import type { Channel } from '@zhiber/contract/api/channel.ts';
import { type Actor, recordDeed } from '../audit/audit-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { insertGroup, isLinkedElsewhere } from './group-store.ts';
import { wasInvitedInto } from './invitation-store.ts';
import { refuseTwice } from './refuse-twice.ts';

export type NewGroup = { companyId: CompanyId; channel: Channel; name: string; chatId: string };

/** Links a group by the id that the messenger knows it by. */
export async function linkGroup(
  ctx: Pick<Context, 'db' | 'channels' | 'findBot'>,
  actor: Actor,
  given: NewGroup,
): Promise<number> {
  const group = { ...given, name: given.name.trim() };
  if (!(await mayLink(ctx, group))) throw new Problem('group_unproven');
  const { companyId, name, channel, chatId } = group;
  return await ctx.db
    .transaction(async (tx) => {
      const id = await insertGroup(tx, group);
      const after = { channel, chat_id: chatId };
      await recordDeed(tx, actor, { companyId, action: 'group.linked', object: name, after });
      return id;
    })
    .catch(refuseTwice);
}

/**
 * The bot, or the number, of the service is in the groups of many companies: an id alone does not
 * show that a group wants to hear from this one. Where there is a bot, somebody in the group has
 * to have invited it for this company; elsewhere the group must be nobody else's.
 */
async function mayLink(
  ctx: Pick<Context, 'db' | 'channels' | 'findBot'>,
  { companyId, channel, chatId }: NewGroup,
): Promise<boolean> {
  if (ctx.channels.isSandbox) return true;
  if (channel === 'telegram' && ctx.findBot !== undefined) {
    return await wasInvitedInto(ctx.db, companyId, chatId);
  }
  return !(await isLinkedElsewhere(ctx.db, companyId, { channel, chatId }));
}
