import { SENT_TEXTS } from '@zhiber/contract/api/answer-texts.ts';
import type { OtpSendAnswer, OtpSendRequest } from '@zhiber/contract/api/otp.ts';
import { PURPOSE_DEFAULT } from '@zhiber/contract/api/otp.ts';
import { resumeOtp, type SentOtp, sendOtp } from '../../otp/send-otp.ts';
import type { EndpointHandler } from './endpoint.ts';
import { sentFields } from './sent-answer.ts';

export const otpSend: EndpointHandler<OtpSendRequest, OtpSendAnswer> = {
  async run(ctx, { key, body, requestId, subject }) {
    const sent = await sendOtp(ctx, {
      key,
      messageId: subject,
      requestId,
      phone: body.phone,
      purpose: body.purpose ?? PURPOSE_DEFAULT,
      channel: body.channel ?? 'auto',
      link: body.link,
    });
    return toAnswer(sent);
  },
  async resume(ctx, { key, subject }) {
    const sent = await resumeOtp(ctx, key, subject);
    return sent && toAnswer(sent);
  },
};

function toAnswer(sent: SentOtp): OtpSendAnswer {
  return {
    ...sentFields(sent, SENT_TEXTS.otp(sent.channel)),
    expires_in: sent.expiresInSeconds,
    ...(sent.shortUrl === undefined ? {} : { short_url: sent.shortUrl }),
  };
}
