import type { Sent } from '../../delivery/send-by-route.ts';

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
