import type { GroupChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import { GROUP_PER_MINUTE_MAX, SENT_LINK_TTL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { linkText } from '@zhiber/contract/message/message-text.ts';
import type { Context } from '../context.ts';
import { resumeSend } from '../delivery/resume-send.ts';
import type { Sent } from '../delivery/send-by-route.ts';
import { sendMessage } from '../delivery/send-message.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { prepareLink } from '../links/shorten-link.ts';
import { Problem } from '../problem.ts';
import { findGroups, recordGroupPost } from './group-store.ts';

export type GroupSendRequest = {
  key: ApiKey;
  messageId: MessageId;
  requestId: string;
  group: string;
  text: string;
  channel: GroupChannelChoice;
  /** The target of the short link that replaces `:link`. */
  link?: string | undefined;
};

export type SentToGroup = Sent & { shortUrl?: string; expiresInSeconds?: number };

const LIMITS = { gap: { seconds: 60, max: GROUP_PER_MINUTE_MAX }, hourMax: null, dayMax: null };

/**
 * Posts a message into a group that the company has linked. A live post needs a company that has
 * paid once.
 */
export async function sendToGroup(ctx: Context, request: GroupSendRequest): Promise<SentToGroup> {
  const { key, messageId } = request;
  const link =
    request.link === undefined ? undefined : await prepareLink(ctx, request.link, 'link');
  const groups = await findGroups(ctx.db, key.companyId, request.group);
  if (groups.length === 0) throw new Problem('group_not_found');
  const text = link === undefined ? request.text : linkText(key, request.text, link.shortUrl);
  const sent = await sendMessage(ctx, {
    key,
    messageId,
    requestId: request.requestId,
    kind: 'group',
    content: 'group',
    choice: request.channel,
    to: {
      chats: groups.map(({ id, channel, chat_id }) => ({ groupId: id, channel, chatId: chat_id })),
    },
    compose: () => ({ text, link: link?.shortUrl }),
    limits: LIMITS,
    body: text,
    code: null,
    link: link ?? null,
  });
  const group = groups.find(({ channel }) => channel === sent.channel);
  if (group === undefined) throw new Error(`no group in ${sent.channel}`);
  // The message is already sent and charged, so a failure here is only logged.
  ctx.background.run(() =>
    recordGroupPost(ctx.db, key.companyId, group.id).catch((error) =>
      ctx.log.warn({ reason: error.message, group: group.id }, 'group post was not recorded'),
    ),
  );
  return {
    ...sent,
    ...(link === undefined ? {} : { shortUrl: link.shortUrl, expiresInSeconds: link.ttlSeconds }),
  };
}

/** The answer to a post that was made by an earlier call and never answered. */
export async function resumeGroupSend(
  ctx: Context,
  key: ApiKey,
  messageId: MessageId,
): Promise<SentToGroup | undefined> {
  const resumed = await resumeSend(ctx, key, messageId);
  if (resumed === undefined) return undefined;
  const { sent, shortUrl, ageSeconds } = resumed;
  if (shortUrl === undefined) return sent;
  return { ...sent, shortUrl, expiresInSeconds: Math.floor(SENT_LINK_TTL_SECONDS - ageSeconds) };
}
