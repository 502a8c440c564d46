import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import {
  Count,
  Cursor,
  choices,
  HoursToCount,
  Id,
  Instant,
  InstantInput,
  Language,
  orNull,
  pageOf,
  Tokens,
} from './fields.ts';
import { ENTRY_GROUP_NAMES, ENTRY_KINDS, SPEND_RANGES } from './ledger-words.ts';
import { MESSAGE_KINDS, RANGES } from './message-words.ts';

/** In days of Almaty; `from` and `to` replace it for a custom range. */
const rangeFields = {
  range: Type.Optional(Type.Enum([...RANGES])),
  from: Type.Optional(InstantInput),
  to: Type.Optional(InstantInput),
};

/**
 * The filters of the ledger. There is none by key: an entry is the charge of a batch, whose messages
 * can be of several keys. What a key costs is answered by `spend`.
 */
export const LedgerFilter = Type.Object({ ...rangeFields, kind: choices(ENTRY_GROUP_NAMES) });
export type LedgerFilter = Static<typeof LedgerFilter>;

export const LedgerEntry = Type.Object({
  /** Counted from 1 in every company, without gaps, in the order in which the balance changed. */
  number: Id,
  at: Instant,
  kind: Type.Enum([...ENTRY_KINDS]),
  amount: Type.Integer(),
  balance_after: Tokens,
  /** How many messages a charge is for, or gives back the charge of. 0 for other kinds. */
  messages: Count,
  /** Of the payment that brought this entry, or that was refunded. */
  receipt_number: orNull(Id),
  order_reference: orNull(Type.String()),
  /** Why money was refunded or corrected. */
  reason: orNull(Type.String()),
});
export type LedgerEntry = Static<typeof LedgerEntry>;

export const BALANCE_ENDPOINTS = {
  balance: {
    method: 'GET',
    path: '/balance',
    policy: 'balance.see',
    answer: Type.Object({
      success: Type.Literal(true),
      hours_to_count: HoursToCount,
      /** What can be spent: the balance without what is held. */
      available: Tokens,
      balance: Tokens,
      /** Reserved for messages that are being sent. */
      held: Tokens,
      /** Owed after a refund. Paid sends are refused until a top-up has paid it. */
      debt: Tokens,
      spent_today: Tokens,
      spent_month: Tokens,
      /** At the pace of the last seven days; null when nothing was spent. */
      days_left: orNull(Type.Number()),
      prices: Type.Object({ whatsapp: Tokens, telegram: Tokens, sms: Tokens, group: Tokens }),
    }),
  },
  ledger: {
    method: 'GET',
    path: '/ledger',
    policy: 'balance.see',
    query: Type.Object({ ...LedgerFilter.properties, cursor: Cursor }),
    answer: pageOf(LedgerEntry),
  },
  /**
   * A statement of a period with all kinds of entries, so that opening balance + in − out = closing
   * balance. A file: `format` csv or xlsx, `by` line or day.
   */
  exportLedger: {
    method: 'GET',
    path: '/ledger/export',
    policy: 'balance.see',
    query: Type.Object({
      ...rangeFields,
      by: Type.Enum(['line', 'day']),
      format: Type.Enum(['csv', 'xlsx']),
      lang: Type.Optional(Language),
    }),
    answer: Type.Unknown(),
  },
  /** What messages cost, by the time they were sent. A message counts what it costs by now. */
  spend: {
    method: 'GET',
    path: '/spend',
    policy: 'balance.see',
    query: Type.Object({ range: Type.Optional(Type.Enum([...SPEND_RANGES])) }),
    answer: Type.Object({
      success: Type.Literal(true),
      hours_to_count: HoursToCount,
      total: Tokens,
      /** Days of Almaty; every day of the range, those without spending too. */
      days: Type.Array(
        Type.Object({ at: Instant, whatsapp: Tokens, telegram: Tokens, sms: Tokens }),
      ),
      /** The largest first, in both lists. */
      keys: Type.Array(Type.Object({ id: Id, name: Type.String(), spent: Tokens })),
      purposes: Type.Array(
        Type.Object({
          kind: Type.Enum([...MESSAGE_KINDS]),
          /** Null for links and groups; for codes, null stands for all purposes not in the list. */
          purpose: orNull(Type.String()),
          spent: Tokens,
        }),
      ),
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
