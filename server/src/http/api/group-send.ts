import type { GroupSendAnswer, GroupSendRequest } from '@zhiber/contract/api/group.ts';
import { SENT_LINK_TTL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { type SentToGroup, sendToGroup } from '../../group/send-to-group.ts';
import { prepareLink } from '../../links/prepare-link.ts';
import type { EndpointHandler } from './endpoint.ts';
import { FINAL_SEND_PROBLEMS, resumeSend, sentFields } from './sent-answer.ts';

export const groupSend: EndpointHandler<GroupSendRequest, GroupSendAnswer> = {
  finalProblems: FINAL_SEND_PROBLEMS,
  async run(ctx, { key, body, requestId, subject }) {
    const { group, text, channel = 'auto' } = body;
    const link = body.link === undefined ? undefined : prepareLink(ctx, body.link, 'link');
    return toAnswer(
      await sendToGroup(ctx, { key, messageId: subject, requestId, group, text, channel, link }),
    );
  },
  async resume(ctx, call) {
    const resumed = await resumeSend(ctx, call);
    if (resumed === undefined) return undefined;
    const { slug, age_seconds } = resumed.message;
    if (slug === null) return toAnswer(resumed.sent);
    return toAnswer({
      ...resumed.sent,
      shortUrl: `${ctx.urls.shortLinkBase}/${slug}`,
      expiresInSeconds: Math.floor(SENT_LINK_TTL_SECONDS - age_seconds),
    });
  },
};

function toAnswer(sent: SentToGroup): GroupSendAnswer {
  return {
    ...sentFields(sent, 'Сообщение отправлено в группу'),
    ...(sent.shortUrl === undefined ? {} : { short_url: sent.shortUrl }),
    ...(sent.expiresInSeconds === undefined ? {} : { expires_in: sent.expiresInSeconds }),
  };
}
