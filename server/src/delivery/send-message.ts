import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { SmsPermit } from '../abuse/pumping.ts';
import { findBalance, hasPaid } from '../billing/ledger-store.ts';
import type { ContentKind, Recipient } from '../channels/channel.ts';
import type { Context } from '../context.ts';
import type { CompanyId, MessageId, MessageKind } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { Phone } from '../phone.ts';
import { Problem } from '../problem.ts';
import type { SmsRefusal } from './check-recipient.ts';
import { chooseReachable, type Route } from './choose-route.ts';
import type { Draft } from './deliver.ts';
import { guardSms } from './guard-sms.ts';
import type { Reservation } from './reserve-store.ts';
import { type Sent, sendByRoute } from './send-by-route.ts';
import { chargedParts } from './sms-price.ts';

export type SendRequest = Pick<Reservation, 'limits' | 'body' | 'link'> & {
  key: ApiKey;
  messageId: MessageId;
  requestId: string;
  kind: MessageKind;
  content: ContentKind;
  choice: ChannelChoice;
  to: Addressee;
  /** Why SMS cannot carry this text. The send is refused with it when no other channel is left. */
  smsProblem?: ErrorCode | undefined;
  compose: Draft['compose'];
  code: CodeToSend | null;
};

/** A phone, or the chats of a group, one per messenger. */
export type Addressee =
  | { phone: Phone; smsRefusal: SmsRefusal | undefined }
  | { chats: readonly { channel: Channel; chatId: string; groupId: number }[] };

export type CodeToSend = {
  purpose: string;
  mac(): Buffer;
  /** An encrypted copy for a later fallback. */
  seal(): Buffer;
  /** How long the code is accepted; 0 for the test number with an expired code. */
  validSeconds: number;
  /** The lifetime that is announced to the recipient. */
  ttlSeconds: number;
};

/**
 * Sends a message: chooses the channels that can carry it, asks the pumping guard about SMS, and
 * tries them in order. Throws the Problem for the caller's answer; a send that throws is never
 * charged.
 */
export async function sendMessage(ctx: Context, request: SendRequest): Promise<Sent> {
  const { key, messageId, requestId, kind, content, choice, to, code } = request;
  const reachable = await chooseReachable({
    recipientIn: (channel) => addressIn(to, channel)?.to,
    choice,
    content,
    smsRefusal: 'phone' in to ? to.smsRefusal : undefined,
    smsParts: chargedParts(ctx.config, () => request.compose('sms').text),
    isTest: key.isTest,
    enabled: key.channels,
    channels: ctx.channels,
    prices: await ctx.prices.read(key.companyId),
  });
  const { route, smsPermit } = guardRoute(ctx, request, reachable);
  // A group has its own chat in each messenger, so there is no fallback from one to the next.
  const isGroup = 'chats' in to;
  if (isGroup && !key.isTest && !key.isSystem) await assertPaid(ctx, key.companyId);
  const [first] = route;
  const address = first && addressIn(to, first.channel);
  if (address === undefined) throw new Error('a route without a recipient');
  const fallsBack = choice === 'auto' && !isGroup;

  return await sendByRoute(ctx, {
    key,
    messageId,
    requestId,
    route: isGroup ? route.slice(0, 1) : route,
    smsPermit,
    fallsBack,
    draft: {
      to: address.to,
      content,
      language: key.language,
      ttlSeconds: code?.ttlSeconds,
      compose: request.compose,
    },
    reservation: {
      kind,
      recipient: address.recipient,
      limits: request.limits,
      body: request.body,
      code: code && {
        purpose: code.purpose,
        mac: code.mac,
        sealed: fallsBack && route.length > 1 ? code.seal : null,
        ttlSeconds: code.validSeconds,
      },
      link: request.link,
    },
  });
}

/**
 * A post is free and reaches many people at once, so only a company that has paid once may make
 * live ones.
 */
async function assertPaid(
  { db, config }: Pick<Context, 'db' | 'config'>,
  companyId: CompanyId,
): Promise<void> {
  if (await hasPaid(db, companyId)) return;
  const balance = (await findBalance(db, companyId)) ?? 0;
  throw new Problem('insufficient_tokens', { required: config.topupMin, balance });
}

/** The address of the recipient in a channel, and the recipient as it is stored. */
function addressIn(
  to: Addressee,
  channel: Channel,
): { to: Recipient; recipient: string } | undefined {
  if ('phone' in to) return { to: { phone: to.phone }, recipient: to.phone };
  const chat = to.chats.find((candidate) => candidate.channel === channel);
  return chat && { to: { group: chat.chatId }, recipient: String(chat.groupId) };
}

/** Removes SMS from the route when the text does not fit it or the pumping guard blocks it. */
function guardRoute(
  ctx: Context,
  { key, to, smsProblem }: SendRequest,
  reachable: Route,
): { route: Route; smsPermit?: SmsPermit } {
  const rest = reachable.filter((step) => step.channel !== 'sms');
  const isUnfit = smsProblem !== undefined && rest.length < reachable.length;
  if (isUnfit && rest.length === 0) throw new Problem(smsProblem);
  const route = isUnfit ? rest : reachable;
  return 'phone' in to ? guardSms(ctx, { key, phone: to.phone }, route) : { route };
}
