import type { GroupChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import { GROUP_PER_MINUTE_MAX } from '@zhiber/contract/api/limits.ts';
import { currentPrices } from '../billing/price-store.ts';
import type { Context } from '../context.ts';
import { chooseRoute } from '../delivery/choose-route.ts';
import { linkText } from '../delivery/message-text.ts';
import { type Sent, sendMessage } from '../delivery/send-message.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { Problem } from '../problem.ts';
import { findGroups, type MessengerGroup, notePost } from './group-store.ts';

export type GroupSendRequest = {
  key: ApiKey;
  messageId: MessageId;
  requestId: string;
  group: string;
  text: string;
  channel: GroupChannelChoice;
  /** The short link for `:link`, prepared but not made yet. */
  link?: { slug: string; url: string; shortUrl: string; ttlSeconds: number } | undefined;
};

export type SentToGroup = Sent & { shortUrl?: string; expiresInSeconds?: number };

const LIMITS = { gap: { seconds: 60, max: GROUP_PER_MINUTE_MAX }, hourMax: null, dayMax: null };

/** Posts a message into a group that the company has linked. */
export async function sendToGroup(ctx: Context, request: GroupSendRequest): Promise<SentToGroup> {
  const { key, messageId, link } = request;
  const groups = await findGroups(ctx.db, key.companyId, request.group);
  if (groups.length === 0) throw new Problem('group_not_found');
  const [stop] = chooseRoute({
    choice: request.channel,
    load: 'group',
    canSms: false,
    isTest: key.isTest,
    enabled: key.channels.filter(
      (channel) => request.channel !== 'auto' || hasChannel(groups, channel),
    ),
    channels: ctx.channels,
    prices: await currentPrices(ctx.db),
  });
  const group = groups.find((candidate) => candidate.channel === stop?.channel);
  if (group === undefined || stop === undefined) throw new Problem('channel_unsuitable');

  const text = link === undefined ? request.text : linkText(key, request.text, link.shortUrl);
  const sent = await sendMessage(ctx, {
    key,
    messageId,
    requestId: request.requestId,
    route: [stop],
    fallsBack: false,
    parcel: {
      to: { group: group.chat_id },
      load: 'group',
      language: key.language,
      compose: () => ({ text, link: link?.shortUrl }),
    },
    reservation: {
      kind: 'group',
      recipient: String(group.id),
      limits: LIMITS,
      body: text,
      code: null,
      link: link ?? null,
    },
  });
  // The message is there and paid for, whatever becomes of this note.
  ctx.background.run(() =>
    notePost(ctx.db, key.companyId, group.id).catch((error) =>
      ctx.log.warn({ reason: error.message, group: group.id }, 'a post was not noted'),
    ),
  );
  return {
    ...sent,
    ...(link === undefined ? {} : { shortUrl: link.shortUrl, expiresInSeconds: link.ttlSeconds }),
  };
}

function hasChannel(groups: readonly MessengerGroup[], channel: string): boolean {
  return groups.some((group) => group.channel === channel);
}
