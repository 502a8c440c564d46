import { SENT_TEXTS } from '@zhiber/contract/api/answer-texts.ts';
import type { GroupSendAnswer, GroupSendRequest } from '@zhiber/contract/api/group.ts';
import { resumeGroupSend, type SentToGroup, sendToGroup } from '../../groups/send-to-group.ts';
import type { EndpointHandler } from './endpoint.ts';
import { sentFields } from './sent-answer.ts';

export const groupSend: EndpointHandler<GroupSendRequest, GroupSendAnswer> = {
  async run(ctx, { key, body, requestId, subject }) {
    const { group, text, channel = 'auto', link } = body;
    return toAnswer(
      await sendToGroup(ctx, { key, messageId: subject, requestId, group, text, channel, link }),
    );
  },
  async resume(ctx, { key, subject }) {
    const sent = await resumeGroupSend(ctx, key, subject);
    return sent && toAnswer(sent);
  },
};

function toAnswer(sent: SentToGroup): GroupSendAnswer {
  return {
    ...sentFields(sent, SENT_TEXTS.group()),
    ...(sent.shortUrl === undefined ? {} : { short_url: sent.shortUrl }),
    ...(sent.expiresInSeconds === undefined ? {} : { expires_in: sent.expiresInSeconds }),
  };
}
