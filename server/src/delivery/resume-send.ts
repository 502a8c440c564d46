import type { Context } from '../context.ts';
import type { MessageId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { Problem } from '../problem.ts';
import { findMessage } from './message-store.ts';
import type { Sent } from './send-by-route.ts';

/** A send made by an earlier call that was never answered. */
export type ResumedSend = { sent: Sent; shortUrl: string | undefined; ageSeconds: number };

/** The result of a send whose process died before it answered; undefined when it had not begun. */
export async function resumeSend(
  ctx: Pick<Context, 'db' | 'urls'>,
  key: ApiKey,
  messageId: MessageId,
): Promise<ResumedSend | undefined> {
  const message = await findMessage(ctx.db, key.companyId, messageId);
  // A failed send without a channel was refused while the database was away, before any call.
  const hasBegun =
    message !== undefined && (message.state !== 'failed' || message.channel !== null);
  if (!hasBegun) return undefined;
  // The watch settles it soon. Any answer before that could become wrong.
  if (message.state === 'sending') throw new Problem('request_in_progress', { retry_after: 1 });
  if (message.state === 'failed') throw new Problem('delivery_failed', { message_id: messageId });
  if (message.state !== 'sent' || message.channel === null) {
    throw new Problem('delivery_unconfirmed', { message_id: messageId });
  }
  const { channel, charged, balance, slug, age_seconds } = message;
  return {
    sent: { messageId, channel, cost: charged, balance },
    shortUrl: slug === null ? undefined : `${ctx.urls.shortLinkBase}/${slug}`,
    ageSeconds: age_seconds,
  };
}
