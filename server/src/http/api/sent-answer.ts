import type { Context } from '../../context.ts';
import type { Sent } from '../../delivery/send-message.ts';
import { findMessage, type StoredMessage } from '../../history/message-store.ts';
import { Problem } from '../../problem.ts';
import type { Call } from './endpoint.ts';

/** Sends that reached a channel have a lasting outcome, also when it is a bad one. */
export const FINAL_SEND_PROBLEMS = ['delivery_failed', 'delivery_unconfirmed'] as const;

export function sentFields(sent: Sent, message: string) {
  return {
    success: true as const,
    message,
    channel: sent.channel,
    message_id: sent.messageId as string,
    cost: sent.cost,
    balance: sent.balance,
  };
}

/** What came of a send whose process died before it answered; undefined when it had not begun. */
export async function resumeSend(
  ctx: Context,
  call: Call<unknown>,
): Promise<{ sent: Sent; message: StoredMessage } | undefined> {
  const message = await findMessage(ctx.db, call.key.companyId, call.subject);
  // No channel was ever asked: it was refused while the database was away.
  const hasBegun =
    message !== undefined && (message.state !== 'failed' || message.channel !== null);
  if (!hasBegun) return undefined;
  // The watch settles it soon; whatever is answered before that might not stay true.
  if (message.state === 'sending') throw new Problem('request_in_progress', { retry_after: 1 });
  if (message.state === 'failed') throw new Problem('delivery_failed', { message_id: message.id });
  if (message.state !== 'sent' || message.channel === null) {
    throw new Problem('delivery_unconfirmed', { message_id: message.id });
  }
  const { id, channel, charged, balance } = message;
  return { message, sent: { messageId: id, channel, cost: charged, balance } };
}
