import { SENT_TEXTS } from '@zhiber/contract/api/answer-texts.ts';
import type { LinkSendAnswer, LinkSendRequest } from '@zhiber/contract/api/links.ts';
import { resumeLink, type SentLink, sendLink } from '../../links/send-link.ts';
import type { EndpointHandler } from './endpoint.ts';
import { sentFields } from './sent-answer.ts';

export const linksSend: EndpointHandler<LinkSendRequest, LinkSendAnswer> = {
  async run(ctx, { key, body, requestId, subject }) {
    const { phone, url, channel, text } = body;
    return toAnswer(
      await sendLink(ctx, { key, messageId: subject, requestId, phone, url, channel, text }),
    );
  },
  async resume(ctx, { key, subject }) {
    const sent = await resumeLink(ctx, key, subject);
    return sent && toAnswer(sent);
  },
};

function toAnswer(sent: SentLink): LinkSendAnswer {
  return {
    ...sentFields(sent, SENT_TEXTS.link(sent.channel)),
    short_url: sent.shortUrl,
    expires_in: sent.expiresInSeconds,
  };
}
