import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import { maskPhone, type Phone, readPhone } from '../../phone.ts';
import { firstAttempt } from '../attempts.ts';
import { type StoredAttempt, shownState } from '../message-store.ts';
import type { ListedMessage } from './message-list-store.ts';

type PathStep = MessageRow['path'][number];

/** A message as the cabinet's list shows it, with the phone in full or masked. */
export function toMessageRow(message: ListedMessage, canSeePhones: boolean): MessageRow {
  return {
    id: message.id,
    at: message.created_at.toISOString(),
    ...recipientOf(message, canSeePhones),
    kind: message.kind,
    has_link: message.slug !== null,
    purpose: message.purpose,
    state: shownState(message),
    reason: message.reason,
    channel: message.channel,
    path: pathOf(message),
    took_ms: tookMs(message),
    cost: message.charged,
    mode: message.is_test ? 'test' : 'live',
    key: { id: message.key_id, name: message.key_name },
  };
}

function recipientOf(
  { kind, recipient, group_name }: ListedMessage,
  canSeePhones: boolean,
): Pick<MessageRow, 'phone' | 'country'> {
  if (kind === 'group') return { phone: group_name ?? recipient, country: null };
  const country = readPhone(`+${recipient}`)?.country ?? null;
  return {
    phone: canSeePhones ? `+${recipient}` : maskPhone(recipient as Phone),
    country: country === 'KZ' ? null : country,
  };
}

/** From the request to the confirmation. */
function tookMs({ created_at, delivered_at }: ListedMessage): number | null {
  if (delivered_at === null) return null;
  return Math.max(delivered_at.getTime() - created_at.getTime(), 0);
}

function pathOf(message: ListedMessage): PathStep[] {
  const first = firstAttempt(message);
  const attempts = message.attempts ?? (first === undefined ? [] : [first]);
  return attempts.map((attempt) => ({ channel: attempt.channel, outcome: outcomeOf(attempt) }));
}

const OUTCOMES = {
  sending: 'sending',
  accepted: 'accepted',
  refused: 'refused',
  unavailable: 'refused',
  // Whether it left is not known, so nobody has confirmed it.
  unknown: 'unconfirmed',
} as const satisfies Record<StoredAttempt['state'], PathStep['outcome']>;

/** A receipt says more than the answer to the call did. */
function outcomeOf({
  state,
  receipt,
}: Pick<StoredAttempt, 'state' | 'receipt'>): PathStep['outcome'] {
  if (receipt === 'read') return 'delivered';
  return receipt ?? OUTCOMES[state];
}
