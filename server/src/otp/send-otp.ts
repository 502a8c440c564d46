import type { ChannelChoice } from '@zhiber/contract/api/channel-choice.ts';
import {
  OTP_PER_DAY_MAX,
  OTP_PER_HOUR_MAX,
  SEND_INTERVAL_SECONDS,
} from '@zhiber/contract/api/limits.ts';
import { codeText } from '@zhiber/contract/message/message-text.ts';
import type { Context } from '../context.ts';
import { checkRecipient } from '../delivery/check-recipient.ts';
import { resumeSend } from '../delivery/resume-send.ts';
import type { Sent } from '../delivery/send-by-route.ts';
import { sendMessage } from '../delivery/send-message.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { prepareLink } from '../links/shorten-link.ts';
import { findTestNumber } from '../sandbox/test-numbers.ts';
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

/** Creates and sends a code; charges if a channel accepted it. A new code replaces the old one. */
export async function sendOtp(ctx: Context, request: SendOtpRequest): Promise<SentOtp> {
  const { key, messageId, purpose } = request;
  const to = checkRecipient(ctx, key, request.phone);
  const { phone } = to;
  const link =
    request.link === undefined ? undefined : await prepareLink(ctx, request.link, 'link');
  const testNumber = findTestNumber(phone, key.isTest);
  const code = testNumber === 'fixed_code' ? '0'.repeat(key.codeLength) : newCode(key.codeLength);

  const sent = await sendMessage(ctx, {
    key,
    messageId,
    requestId: request.requestId,
    kind: 'otp',
    content: link === undefined ? 'code' : 'code_with_link',
    choice: request.channel,
    to,
    compose: (channel) => ({
      text: codeText(key, { channel, code, link: link?.shortUrl }),
      code,
      link: link?.shortUrl,
    }),
    limits: testNumber === undefined ? LIMITS : null,
    body: null,
    code: {
      purpose,
      mac: () => ctx.secrets.macOfCode({ keyId: key.id, phone, purpose }, code),
      seal: () => ctx.secrets.seal(code),
      validSeconds: testNumber === 'expired_code' ? 0 : key.codeTtlSeconds,
      ttlSeconds: key.codeTtlSeconds,
    },
    link: link ?? null,
  });
  if (!key.isTest) ctx.guard.countSent(key.companyId, phone);
  return {
    ...sent,
    expiresInSeconds: key.codeTtlSeconds,
    ...(link === undefined ? {} : { shortUrl: link.shortUrl }),
  };
}

/** The answer to a send that was made by an earlier call and never answered. */
export async function resumeOtp(
  ctx: Context,
  key: ApiKey,
  messageId: MessageId,
): Promise<SentOtp | undefined> {
  const resumed = await resumeSend(ctx, key, messageId);
  if (resumed === undefined) return undefined;
  const { sent, shortUrl, ageSeconds } = resumed;
  return {
    ...sent,
    expiresInSeconds: Math.max(Math.floor(key.codeTtlSeconds - ageSeconds), 0),
    ...(shortUrl === undefined ? {} : { shortUrl }),
  };
}
