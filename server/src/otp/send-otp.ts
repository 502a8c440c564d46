import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import {
  OTP_PER_DAY_MAX,
  OTP_PER_HOUR_MAX,
  SEND_INTERVAL_SECONDS,
} from '@zhiber/contract/api/limits.ts';
import { currentPrices } from '../billing/price-store.ts';
import type { Context } from '../context.ts';
import { checkRecipient } from '../delivery/check-recipient.ts';
import { chooseReachable } from '../delivery/choose-route.ts';
import { guardSms } from '../delivery/guard-sms.ts';
import { codeText } from '../delivery/message-text.ts';
import { type Sent, sendMessage } from '../delivery/send-message.ts';
import { pumpingGuardOf } from '../guard/guard-rounds.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { prepareLink } from '../links/prepare-link.ts';
import { testNumberOf } from '../sandbox/test-numbers.ts';
import { newCode } from './code.ts';

export type SendOtpRequest = {
  key: ApiKey;
  messageId: MessageId;
  requestId: string;
  phone: string;
  purpose: string;
  channel: ChannelChoice;
  link?: string | undefined;
};

export type SentOtp = Sent & { expiresInSeconds: number; shortUrl?: string };

const LIMITS = {
  gap: { seconds: SEND_INTERVAL_SECONDS, max: 1 },
  hourMax: OTP_PER_HOUR_MAX,
  dayMax: OTP_PER_DAY_MAX,
};

/**
 * Makes a code, sends it, and charges for it if a channel accepted. A new code replaces the old
 * one.
 */
export async function sendOtp(ctx: Context, request: SendOtpRequest): Promise<SentOtp> {
  const { key, messageId, purpose } = request;
  const { phone, canSms } = checkRecipient(ctx, key, request.phone);
  const link = request.link === undefined ? undefined : prepareLink(ctx, request.link, 'link');
  const load = link === undefined ? 'code' : 'code_with_link';
  const reachable = await chooseReachable({
    to: { phone },
    choice: request.channel,
    load,
    canSms,
    isTest: key.isTest,
    enabled: key.channels,
    channels: ctx.channels,
    prices: await currentPrices(ctx.db),
  });
  const { route, smsTicket } = guardSms(ctx, { key, phone }, reachable);

  const testNumber = testNumberOf(phone, key.isTest);
  const code = testNumber === 'fixed_code' ? '0'.repeat(key.codeLength) : newCode(key.codeLength);
  const fallsBack = request.channel === 'auto';

  const sent = await sendMessage(ctx, {
    key,
    messageId,
    requestId: request.requestId,
    route,
    smsTicket,
    fallsBack,
    parcel: {
      to: { phone },
      load,
      language: key.language,
      ttlSeconds: key.codeTtlSeconds,
      compose: (channel) => ({
        text: codeText(key, { channel, code, link: link?.shortUrl }),
        code,
        link: link?.shortUrl,
      }),
    },
    reservation: {
      kind: 'otp',
      recipient: phone,
      limits: testNumber === undefined ? LIMITS : null,
      body: null,
      code: {
        purpose,
        mac: () => ctx.secrets.macOfCode({ keyId: key.id, phone, purpose }, code),
        // The copy of the code is for a later fallback.
        sealed: fallsBack && route.length > 1 ? () => ctx.secrets.seal(code) : null,
        ttlSeconds: testNumber === 'expired_code' ? 0 : key.codeTtlSeconds,
      },
      link: link ?? null,
    },
  });
  if (!key.isTest) pumpingGuardOf(ctx.db).countSent(key.companyId, phone);
  return {
    ...sent,
    expiresInSeconds: key.codeTtlSeconds,
    ...(link === undefined ? {} : { shortUrl: link.shortUrl }),
  };
}
