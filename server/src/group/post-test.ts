import type { GroupChannel } from '@zhiber/contract/api/channel.ts';
import type { Context } from '../context.ts';
import { type CompanyId, type MessageId, newId } from '../ids.ts';
import { findOldestKey } from '../keys/key-store.ts';
import { Problem } from '../problem.ts';
import { findGroup } from './group-store.ts';
import { sendToGroup } from './send-to-group.ts';

const TEXT = 'Проверка связи: сообщения вашей компании приходят в эту группу.';

/**
 * Posts a short text into a group, to see that it arrives. A message needs a key: the company's
 * oldest that carries the channel, and a live one, since what a test key sends arrives nowhere.
 */
export async function postTest(
  ctx: Context,
  request: { companyId: CompanyId; groupId: number; requestId: string },
): Promise<MessageId> {
  const { companyId, groupId, requestId } = request;
  const group = await findGroup(ctx.db, companyId, groupId);
  if (group === undefined) throw new Problem('not_found');
  const channel = group.channel as GroupChannel;
  const key = await findOldestKey(ctx.db, companyId, {
    channel,
    withTest: ctx.channels.isSandbox,
  });
  if (key === undefined) throw new Problem('key_needed');
  const sent = await sendToGroup(ctx, {
    key,
    messageId: newId(ctx.clock.now().getTime()),
    requestId,
    group: String(groupId),
    text: TEXT,
    channel,
  });
  return sent.messageId;
}
