import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import {
  LINKS_PER_DAY_MAX,
  LINKS_PER_HOUR_MAX,
  SENT_LINK_TTL_SECONDS,
  SMS_SEGMENTS_MAX,
} from '@zhiber/contract/api/limits.ts';
import { linkText } from '@zhiber/contract/message/message-text.ts';
import { countParts } from '@zhiber/contract/message/sms-parts.ts';
import type { Context } from '../context.ts';
import { checkRecipient } from '../delivery/check-recipient.ts';
import { resumeSend } from '../delivery/resume-send.ts';
import type { Sent } from '../delivery/send-by-route.ts';
import { sendMessage } from '../delivery/send-message.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { findTestNumber } from '../sandbox/test-numbers.ts';
import { prepareLink } from './shorten-link.ts';

export type SendLinkRequest = {
  key: ApiKey;
  messageId: MessageId;
  requestId: string;
  phone: string;
  url: string;
  channel: ChannelChoice;
  text?: string | undefined;
};

export type SentLink = Sent & { shortUrl: string; expiresInSeconds: number };

const LIMITS = {
  gap: null,
  hourMax: LINKS_PER_HOUR_MAX,
  dayMax: LINKS_PER_DAY_MAX,
};

/** Shortens an address and sends it to a phone, with no code. */
export async function sendLink(ctx: Context, request: SendLinkRequest): Promise<SentLink> {
  const { key, messageId } = request;
  const to = checkRecipient(ctx, key, request.phone);
  const { phone } = to;
  const link = await prepareLink(ctx, request.url, 'url');
  const { shortUrl } = link;
  const text = linkText(key, request.text, shortUrl);
  const sent = await sendMessage(ctx, {
    key,
    messageId,
    requestId: request.requestId,
    kind: 'link',
    content: 'text',
    choice: request.channel,
    to,
    // A text too long for SMS can still go by messenger.
    smsProblem: countParts(text) > SMS_SEGMENTS_MAX ? 'text_too_long' : undefined,
    compose: () => ({ text, link: shortUrl }),
    limits: findTestNumber(phone, key.isTest) === undefined ? LIMITS : null,
    body: text,
    code: null,
    link,
  });
  return { ...sent, shortUrl, expiresInSeconds: link.ttlSeconds };
}

/** The answer to a send that was made by an earlier call and never answered. */
export async function resumeLink(
  ctx: Context,
  key: ApiKey,
  messageId: MessageId,
): Promise<SentLink | undefined> {
  const resumed = await resumeSend(ctx, key, messageId);
  if (resumed?.shortUrl === undefined) return undefined;
  const { sent, shortUrl, ageSeconds } = resumed;
  return { ...sent, shortUrl, expiresInSeconds: Math.floor(SENT_LINK_TTL_SECONDS - ageSeconds) };
}
