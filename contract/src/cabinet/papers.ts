import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, Done, EmailInput, Instant, orNull, Tokens } from './fields.ts';

/** Papers exist in these languages; the pages also in English. */
export const PAPER_LANGS = ['ru', 'kk'] as const;
export type PaperLang = (typeof PAPER_LANGS)[number];
const Lang = Type.Optional(Type.Enum([...PAPER_LANGS]));

export const ACT_FORMATS = ['pdf', 'xlsx', 'csv'] as const;
export type ActFormat = (typeof ACT_FORMATS)[number];

/** A month of Almaty time: `2026-11`. */
const Month = Type.String({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$' });

export const PAPER_KINDS = ['receipt', 'invoice', 'act'] as const;
export type PaperKind = (typeof PAPER_KINDS)[number];

export const ReceiptRow = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  paid_at: Instant,
  credited_at: Instant,
  amount: Tokens,
  bonus: Tokens,
  refunded: Tokens,
  /** The way it was paid: the name of a payment provider, or `terminal` when the operator entered it. */
  way: Type.String(),
  payer: Type.String(),
  order_reference: orNull(Type.String()),
  is_late: Type.Boolean(),
  is_repeated: Type.Boolean(),
  is_other_amount: Type.Boolean(),
  /** The public page that confirms it. */
  check_url: Type.String(),
  /** Where the fiscal receipt can be seen; null when there is none, or not yet. */
  fiscal_url: orNull(Type.String()),
});
export type ReceiptRow = Static<typeof ReceiptRow>;

export const PAPER_ENDPOINTS = {
  /** The papers of a month; of the current one by default. */
  papers: {
    method: 'GET',
    path: '/papers',
    policy: 'balance.see',
    query: Type.Object({ month: Type.Optional(Month) }),
    answer: Type.Object({
      success: Type.Literal(true),
      /** All that there are, the newest first. */
      months: Type.Array(Month),
      month: Month,
      receipts: Type.Array(ReceiptRow),
      paid: Tokens,
      /** Negative only where more was given back than charged. */
      spent: Type.Integer(),
      /** Whether the month is over, so that it can have an act. */
      has_act: Type.Boolean(),
      /** Null until the act is opened for the first time. */
      act_number: orNull(Count),
    }),
  },
  /** A PDF. */
  receiptFile: {
    method: 'GET',
    path: '/papers/receipts/:number',
    policy: 'balance.see',
    query: Type.Object({ lang: Lang }),
    answer: Type.Unknown(),
  },
  /** A PDF: the invoice of an open order. */
  invoiceFile: {
    method: 'GET',
    path: '/papers/invoices/:id',
    policy: 'balance.see',
    query: Type.Object({ lang: Lang }),
    answer: Type.Unknown(),
  },
  /** A file: the act of a month that is over. */
  actFile: {
    method: 'GET',
    path: '/papers/act',
    policy: 'balance.see',
    query: Type.Object({
      month: Month,
      format: Type.Optional(Type.Enum([...ACT_FORMATS])),
      lang: Lang,
    }),
    answer: Type.Unknown(),
  },
  /** A ZIP of all papers of a month, with its statement. */
  monthFile: {
    method: 'GET',
    path: '/papers/archive',
    policy: 'balance.see',
    query: Type.Object({ month: Month, lang: Lang }),
    answer: Type.Unknown(),
  },
  /** Sends a paper to an address, such as the accountant's. */
  sendPaper: {
    method: 'POST',
    path: '/papers/send',
    policy: 'balance.see',
    body: Type.Object({
      kind: Type.Enum([...PAPER_KINDS]),
      /** The number of a receipt, the id of an order, or the month of an act. */
      id: Type.String({ pattern: '^([1-9][0-9]{0,14}|[0-9a-f-]{36}|20[0-9]{2}-(0[1-9]|1[0-2]))$' }),
      email: EmailInput,
      lang: Lang,
    }),
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
