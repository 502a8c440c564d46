import type { AttemptState } from '../delivery/settle-store.ts';
import type { StoredAttempt, StoredMessage } from './message-store.ts';

/** How the single attempt of a message ended, by the state of the message. */
const FIRST_STATES = {
  sending: 'sending',
  sent: 'accepted',
  failed: 'refused',
  unknown: 'unknown',
} as const satisfies Record<StoredMessage['state'], AttemptState | 'sending'>;

/** A message as far as it is the record of its single attempt. */
export type AttemptRecord = Pick<
  StoredMessage,
  | 'channel'
  | 'state'
  | 'reason'
  | 'receipt'
  | 'created_at'
  | 'settled_at'
  | 'receipt_at'
  | 'delivered_at'
>;

/** The attempt of a message that was tried once; undefined while no channel is known. */
export function firstAttempt(message: AttemptRecord): StoredAttempt | undefined {
  if (message.channel === null) return undefined;
  return {
    number: 1,
    channel: message.channel,
    state: FIRST_STATES[message.state],
    reason: message.reason,
    receipt: message.receipt,
    started_at: message.created_at,
    settled_at: message.settled_at,
    receipt_at: message.receipt_at,
    delivered_at: message.delivered_at,
  };
}
