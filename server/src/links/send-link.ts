import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import {
  LINKS_PER_DAY_MAX,
  LINKS_PER_HOUR_MAX,
  SMS_SEGMENTS_MAX,
} from '@zhiber/contract/api/limits.ts';
import { currentPrices } from '../billing/price-store.ts';
import { countParts } from '../channels/sms/sms-parts.ts';
import type { Context } from '../context.ts';
import { checkRecipient } from '../delivery/check-recipient.ts';
import { chooseReachable, type Route } from '../delivery/choose-route.ts';
import { guardSms } from '../delivery/guard-sms.ts';
import { linkText } from '../delivery/message-text.ts';
import { type Sent, sendMessage } from '../delivery/send-message.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { Problem } from '../problem.ts';
import { testNumberOf } from '../sandbox/test-numbers.ts';
import { prepareLink } from './prepare-link.ts';

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
  const { phone, canSms } = checkRecipient(ctx, key, request.phone);
  const link = prepareLink(ctx, request.url, 'url');
  const { shortUrl } = link;
  const text = linkText(key, request.text, shortUrl);
  const reachable = await chooseReachable({
    to: { phone },
    choice: request.channel,
    load: 'text',
    canSms,
    isTest: key.isTest,
    enabled: key.channels,
    channels: ctx.channels,
    prices: await currentPrices(ctx.db),
  });
  const { route, smsTicket } = guardSms(ctx, { key, phone }, withoutLongSms(text, reachable));

  const sent = await sendMessage(ctx, {
    key,
    messageId,
    requestId: request.requestId,
    route,
    smsTicket,
    fallsBack: request.channel === 'auto',
    parcel: {
      to: { phone },
      load: 'text',
      language: key.language,
      compose: () => ({ text, link: shortUrl }),
    },
    reservation: {
      kind: 'link',
      recipient: phone,
      limits: testNumberOf(phone, key.isTest) === undefined ? LIMITS : null,
      body: text,
      code: null,
      link,
    },
  });
  return { ...sent, shortUrl, expiresInSeconds: link.ttlSeconds };
}

/** A text too long for SMS can still go by messenger; where only SMS is left, it is refused. */
function withoutLongSms(text: string, route: Route): Route {
  if (countParts(text) <= SMS_SEGMENTS_MAX) return route;
  const rest = route.filter((stop) => stop.channel !== 'sms');
  if (rest.length === 0) throw new Problem('text_too_long');
  return rest;
}
