import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { MessageState } from '@zhiber/contract/api/events.ts';
import { readMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import type { RANGES } from '@zhiber/contract/cabinet/message-words.ts';
import type { MessageFilter } from '@zhiber/contract/cabinet/messages.ts';
import { almatyDay, almatyMonth, HOUR_MS } from '../almaty.ts';
import { lowestIdAt, type MessageId, type MessageKind } from '../ids.ts';
import { type Phone, parsePhone } from '../phone.ts';

/** A filter in the form that the stores take. Times have become ids, which sort by age. */
export type MessageQuery = {
  /** The first id of the range, and the first one past its end. */
  fromId: MessageId;
  toId: MessageId;
  /** No message is newer. */
  nowMs: number;
  search: Search | undefined;
  states: readonly MessageState[] | undefined;
  channels: readonly Channel[] | undefined;
  tried: readonly Channel[] | undefined;
  kinds: readonly MessageKind[] | undefined;
  keyId: number | undefined;
  purpose: string | undefined;
  isTest: boolean | undefined;
  isCharged: boolean | undefined;
};

export type Search =
  | { phone: Phone }
  | { id: MessageId }
  | { requestId: string }
  /** The last digits of a phone. A request id can have the same form. */
  | { tail: string; requestId: string };

type Span = { from: Date; to?: Date };

const SPANS: Readonly<Record<(typeof RANGES)[number], (now: Date) => Span>> = {
  hour: (now) => ({ from: new Date(now.getTime() - HOUR_MS) }),
  today: (now) => ({ from: almatyDay(now) }),
  yesterday: (now) => ({ from: almatyDay(now, -1), to: almatyDay(now) }),
  '7d': (now) => ({ from: almatyDay(now, -6) }),
  '30d': (now) => ({ from: almatyDay(now, -29) }),
  month: (now) => ({ from: almatyMonth(now) }),
  last_month: (now) => ({ from: almatyMonth(now, -1), to: almatyMonth(now) }),
};

/** Later than any id. */
const END_MS = Number.POSITIVE_INFINITY;

export function toQuery(filter: MessageFilter, now: Date): MessageQuery {
  const { fromMs, toMs } = spanOf(filter, now);
  return {
    fromId: lowestIdAt(fromMs),
    toId: lowestIdAt(toMs),
    nowMs: now.getTime(),
    search: readSearch(filter.search?.trim() ?? ''),
    states: chosen<MessageState>(filter.state),
    channels: chosen<Channel>(filter.channel),
    tried: chosen<Channel>(filter.tried),
    kinds: chosen<MessageKind>(filter.kind),
    keyId: filter.key_id,
    purpose: filter.purpose,
    isTest: filter.mode === undefined ? undefined : filter.mode === 'test',
    isCharged: filter.is_charged,
  };
}

/** Explicit bounds win over a named range. */
export function spanOf(
  filter: {
    range?: keyof typeof SPANS | undefined;
    from?: string | undefined;
    to?: string | undefined;
  },
  now: Date,
): { fromMs: number; toMs: number } {
  const isExplicit = filter.from !== undefined || filter.to !== undefined;
  const span = isExplicit || filter.range === undefined ? undefined : SPANS[filter.range](now);
  return {
    fromMs: span?.from.getTime() ?? msOf(filter.from) ?? 0,
    toMs: span?.to?.getTime() ?? msOf(filter.to) ?? END_MS,
  };
}

/** The contract has validated the instant. */
function msOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** `4567`, `45-67`, and with signs for the digits before them: `…45-67`, `•••-45-67`, `***4567`. */
const TAIL = /^[•*… .()-]*(\d[\d .()-]*)$/u;
/** Fewer would match a tenth of all phones and more. */
const TAIL_LENGTH_MIN = 4;
/** Up to here digits alone are the end of a phone; longer ones may be a whole one. */
const SURE_TAIL_LENGTH_MAX = 9;

/** A message id, a phone in any spelling, the last digits of one, or otherwise a request id. */
function readSearch(text: string): Search | undefined {
  if (text === '') return undefined;
  const id = readMessageId(text);
  if (id !== undefined) return { id: id as MessageId };
  const tail = TAIL.exec(text)?.[1]?.replaceAll(/\D/g, '');
  const isTail = tail !== undefined && tail.length >= TAIL_LENGTH_MIN && tail.length <= 15;
  if (isTail && (tail.length <= SURE_TAIL_LENGTH_MAX || /^[•*…]/u.test(text))) {
    return { tail, requestId: text };
  }
  const facts = parsePhone(text);
  if (facts !== undefined) return { phone: facts.phone };
  return isTail ? { tail, requestId: text } : { requestId: text };
}

/** The digits at the end of a phone that its masked form shows. */
const SHOWN_DIGITS = 4;

/**
 * The query of a person who sees phones masked: of the last digits only those that they see anyway
 * are compared. With one hidden digit more at a time, thirty searches would find a whole number.
 */
export function maskTail(query: MessageQuery): MessageQuery {
  const { search } = query;
  if (search === undefined || !('tail' in search)) return query;
  return { ...query, search: { ...search, tail: search.tail.slice(-SHOWN_DIGITS) } };
}

/** Nothing chosen means all. The contract has validated the values. */
function chosen<Word extends string>(words: readonly string[] | undefined) {
  return words === undefined || words.length === 0 ? undefined : (words as readonly Word[]);
}
