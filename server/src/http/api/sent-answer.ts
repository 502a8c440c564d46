import type { Sent } from '../../delivery/send-by-route.ts';

/** A send that reached a channel has a final outcome, even a failure: a retry must not resend. */
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
