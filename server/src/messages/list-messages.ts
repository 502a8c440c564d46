import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import type { Sql } from '../db/sql.ts';
import { type CompanyId, isId, type MessageId, timeOfId } from '../ids.ts';
import { maskPhone, type Phone, parsePhone } from '../phone.ts';
import { Problem } from '../problem.ts';
import { type ListedMessage, scanMessages } from './message-list-store.ts';
import type { MessageQuery } from './message-query.ts';
import { type StoredAttempt, shownState } from './message-store.ts';
import { firstAttempt } from './timeline.ts';

export const PAGE_ROWS = 50;

export type MessagePage = {
  rows: ListedMessage[];
  next: MessageId | null;
  /** Set when the search stopped here to answer in time; `next` continues it. */
  searchedUntil: Date | null;
};

/**
 * A page of messages, newest first. Its cost depends neither on the number of messages nor on how
 * rare the matches are.
 */
export async function listMessages(
  sql: Sql,
  companyId: CompanyId,
  query: MessageQuery,
  page: { cursor?: string | undefined; rowsMax?: number } = {},
): Promise<MessagePage> {
  const rowsMax = page.rowsMax ?? PAGE_ROWS;
  const before = page.cursor === undefined ? undefined : readCursor(page.cursor);
  // One row more than shown tells whether there is a next page.
  const scan = await scanMessages(sql, companyId, query, { before, rowsMax: rowsMax + 1 });
  const rows = scan.rows.slice(0, rowsMax);
  const hasMore = scan.rows.length > rowsMax;
  const { stoppedAt } = scan;
  return {
    rows,
    next: hasMore ? (rows.at(-1)?.id ?? null) : (stoppedAt ?? null),
    searchedUntil: hasMore || stoppedAt === undefined ? null : timeOfId(stoppedAt),
  };
}

function readCursor(cursor: string): MessageId {
  if (isId(cursor)) return cursor;
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}

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
  const country = parsePhone(`+${recipient}`)?.country ?? null;
  return {
    phone: canSeePhones ? `+${recipient}` : maskPhone(recipient as Phone),
    country: country === 'KZ' ? null : country,
  };
}

/** The time from the request to the confirmation. */
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
  // It is not known whether it was sent, so it is not confirmed.
  unknown: 'unconfirmed',
} as const satisfies Record<StoredAttempt['state'], PathStep['outcome']>;

/** A receipt is newer than the answer to the call, so it wins. */
function outcomeOf({
  state,
  receipt,
}: Pick<StoredAttempt, 'state' | 'receipt'>): PathStep['outcome'] {
  if (receipt === 'read') return 'delivered';
  return receipt ?? OUTCOMES[state];
}
