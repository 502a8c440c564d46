import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import type { PhoneMessage } from '@zhiber/contract/cabinet/playground.ts';

/** `/try` shows the messages of every key, so there each says which mode it was sent in. */
export type ReceivedMessage = PhoneMessage & { mode?: Key['mode'] };

/** A fallback brings the same message again by another channel: two bubbles, as on a real phone. */
export function bubbleId({ message_id, channel }: ReceivedMessage): string {
  return `${message_id} ${channel}`;
}
