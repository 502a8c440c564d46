import { GROUP_CHANNELS, type GroupChannel } from '@zhiber/contract/api/channel.ts';
import type { GROUP_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import { inviteToGroup } from '../../groups/invite-to-group.ts';
import {
  linkGroup,
  listOwnGroups,
  postTest,
  renameGroup,
  unlinkGroup,
} from '../../groups/link-group.ts';
import { actorOf, type HandlersOf, readId } from './endpoint.ts';

export const GROUP_HANDLERS: HandlersOf<typeof GROUP_ENDPOINTS> = {
  async groups({ ctx }, { companyId }) {
    const groups = await listOwnGroups(ctx, companyId);
    return {
      success: true,
      groups: groups.map((group) => ({
        ...group,
        channel: group.channel as GroupChannel,
        created_at: group.created_at.toISOString(),
        posted_at: group.posted_at?.toISOString() ?? null,
      })),
      by_word: GROUP_CHANNELS.filter((channel) => ctx.groupAccounts?.[channel] !== undefined),
    };
  },

  async groupInvitation({ ctx }, { companyId, user, body: { channel } }) {
    const { personId } = user;
    const invitation = await inviteToGroup(ctx, { companyId, personId, channel });
    return {
      success: true,
      word: invitation.words,
      link: invitation.link ?? null,
      account: invitation.account ?? null,
      ends_at: invitation.endsAt.toISOString(),
    };
  },

  async linkGroup({ ctx }, call) {
    const { name, channel, chat_id: chatId } = call.body;
    const group = { companyId: call.companyId, name, channel, chatId };
    return { success: true, id: await linkGroup(ctx, actorOf(call.user, call.origin), group) };
  },

  async renameGroup({ ctx }, call) {
    const { companyId, params, body } = call;
    await renameGroup(ctx, actorOf(call.user, call.origin), {
      companyId,
      id: readId(params.id),
      name: body.name,
    });
    return { success: true };
  },

  async unlinkGroup({ ctx }, call) {
    await unlinkGroup(ctx, actorOf(call.user, call.origin), {
      companyId: call.companyId,
      id: readId(call.params.id),
    });
    return { success: true };
  },

  async testGroup({ ctx }, { companyId, params, origin: { requestId } }) {
    const messageId = await postTest(ctx, { companyId, groupId: readId(params.id), requestId });
    return { success: true, message_id: messageId };
  },
};
