import { PAYMENT_PROVIDERS } from '../cabinet/topups.ts';

/** The constants of the desk of payments, apart from the schemas: pages load only these. */

/** A month of a busy account is far below both. */
export const STATEMENT_BYTES_MAX = 4 * 1024 * 1024;
export const STATEMENT_LINES_MAX = 10_000;
/** A larger amount is a typing mistake. */
export const PAID_AMOUNT_MAX = 1_000_000_000;
export const BANK_REFERENCE_LENGTH_MAX = 100;
export const NOTE_LENGTH_MAX = 500;

/** `terminal`: entered by the operator, without an order. */
export const DESK_PROVIDERS = [...PAYMENT_PROVIDERS, 'terminal'] as const;
/** What can be odd about a payment. Each is credited all the same. */
export const PAYMENT_FLAGS = ['late', 'repeated', 'other_amount'] as const;
/** What the list of payments can be narrowed to. */
export const PAYMENT_STATES = ['flagged', 'refunding', 'refunded'] as const;
export const REVIEW_KINDS = ['line', 'notice', 'payment'] as const;
export const STATEMENT_OUTCOMES = [
  'credited',
  'other_amount',
  'already',
  'no_order',
  'unreadable',
] as const;
