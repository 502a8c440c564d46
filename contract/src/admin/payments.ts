import Type, { type Static, type TSchema } from 'typebox';
import {
  Cursor,
  Done,
  Id,
  Instant,
  InstantInput,
  Language,
  orNull,
  pageOf,
  Tokens,
} from '../cabinet/fields.ts';
import { PAYMENT_PROVIDERS, TOPUP_STATES } from '../cabinet/topups.ts';
import type { AdminEndpoint } from './endpoint.ts';
import {
  BANK_REFERENCE_LENGTH_MAX,
  DESK_PROVIDERS,
  NOTE_LENGTH_MAX,
  PAID_AMOUNT_MAX,
  PAYMENT_FLAGS,
  PAYMENT_STATES,
  REVIEW_KINDS,
  STATEMENT_BYTES_MAX,
  STATEMENT_OUTCOMES,
} from './payment-words.ts';

const Provider = Type.Enum([...DESK_PROVIDERS]);
const Amount = Type.Integer({ minimum: 1, maximum: PAID_AMOUNT_MAX });
/** People write it, and others read it in the logs. */
const textInput = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' });
const NoteInput = textInput(NOTE_LENGTH_MAX);
const Company = Type.Object({ id: Id, name: Type.String() });
const Ref = Type.String();

export const DeskOrder = Type.Object({
  id: Ref,
  reference: Type.String(),
  company: Company,
  provider: Provider,
  amount: Tokens,
  payer_name: Type.String(),
  payer_business_id: orNull(Type.String()),
  state: Type.Enum([...TOPUP_STATES]),
  created_at: Instant,
  expires_at: Instant,
  /** How many payments have come for it, and what they add up to. */
  payments: Type.Integer({ minimum: 0 }),
  paid: Tokens,
  /** Whether its provider can be asked what it knows. */
  can_ask: Type.Boolean(),
});
export type DeskOrder = Static<typeof DeskOrder>;

export const DeskPayment = Type.Object({
  id: Ref,
  receipt_number: Type.Integer({ minimum: 1 }),
  company: Company,
  /** Of the order; null without one. */
  reference: orNull(Type.String()),
  /** What the order asked for; null without one. */
  asked: orNull(Tokens),
  provider: Provider,
  provider_payment_id: Type.String(),
  payer_name: orNull(Type.String()),
  payer_business_id: orNull(Type.String()),
  amount: Tokens,
  bonus: Tokens,
  /** Asked and done refunds together. */
  refunded: Tokens,
  paid_at: Instant,
  credited_at: Instant,
  flags: Type.Array(Type.Enum([...PAYMENT_FLAGS])),
});
export type DeskPayment = Static<typeof DeskPayment>;

export const DeskRefund = Type.Object({
  id: Ref,
  payment_id: Ref,
  receipt_number: Type.Integer({ minimum: 1 }),
  company: Company,
  provider: Provider,
  amount: Tokens,
  bonus: Tokens,
  taken: Tokens,
  owed: Tokens,
  state: Type.Enum(['asked', 'done', 'refused']),
  reason: Type.String(),
  /** Null when the provider has reported it. */
  asked_by: orNull(Type.String()),
  asked_at: Instant,
  settled_at: orNull(Instant),
  tries: Type.Integer({ minimum: 0 }),
  /** The provider does not make it, or gave no clear answer: people decide. */
  is_stuck: Type.Boolean(),
  can_ask: Type.Boolean(),
});
export type DeskRefund = Static<typeof DeskRefund>;

export const DeskLine = Type.Object({
  id: Ref,
  bank_reference: orNull(Type.String()),
  paid_at: Instant,
  amount: Tokens,
  purpose: Type.String(),
  payer_name: orNull(Type.String()),
  payer_business_id: orNull(Type.String()),
  imported_by: Type.String(),
  imported_at: Instant,
});
export type DeskLine = Static<typeof DeskLine>;

export const DeskNotice = Type.Object({
  id: Ref,
  provider: Provider,
  received_at: Instant,
  reference: Type.String(),
  /** Null while it waits to be handled. */
  outcome: orNull(Type.String()),
  /** As the provider reported it. */
  amount: orNull(Type.Number()),
  currency: orNull(Type.String()),
});
export type DeskNotice = Static<typeof DeskNotice>;

/** A receipt of the cash register that has failed at least once. */
export const DeskFiscalReceipt = Type.Object({
  id: Ref,
  payment_id: Ref,
  receipt_number: Type.Integer({ minimum: 1 }),
  company: Company,
  is_return: Type.Boolean(),
  amount: Tokens,
  /** `failed`: given up; `waiting`: it is tried again. */
  state: Type.Enum(['waiting', 'failed']),
  tries: Type.Integer({ minimum: 0 }),
  /** What the register said. */
  error: orNull(Type.String()),
  created_at: Instant,
});
export type DeskFiscalReceipt = Static<typeof DeskFiscalReceipt>;

/** Some of what waits, the oldest first, and how many there are in all. */
const queueOf = <Schema extends TSchema>(row: Schema) =>
  Type.Object({ rows: Type.Array(row), total: Type.Integer({ minimum: 0 }) });

const Credited = Type.Object({
  success: Type.Literal(true),
  /** `already`: by the same document. `used`: that document has paid another order. */
  result: Type.Enum(['credited', 'already', 'used']),
  /** Of the order that the document has paid. */
  reference: orNull(Type.String()),
  receipt_number: orNull(Type.Integer()),
  amount: orNull(Tokens),
  bonus: orNull(Tokens),
});

export const ADMIN_PAYMENT_ENDPOINTS = {
  /** What waits for the operator. */
  paymentQueue: {
    method: 'GET',
    path: '/payments/queue',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      orders: queueOf(DeskOrder),
      lines: queueOf(DeskLine),
      notices: queueOf(DeskNotice),
      refunds: queueOf(DeskRefund),
      flagged: queueOf(DeskPayment),
      fiscal: queueOf(DeskFiscalReceipt),
    }),
  },
  /** Newest first. */
  paymentOrders: {
    method: 'GET',
    path: '/payments/orders',
    policy: 'operator',
    query: Type.Object({
      cursor: Cursor,
      /** The code of a payment, or a part of the payer's or the company's name, or a БИН. */
      search: Type.Optional(Type.String({ maxLength: 100 })),
      company_id: Type.Optional(Id),
      provider: Type.Optional(Type.Enum([...PAYMENT_PROVIDERS])),
      state: Type.Optional(Type.Enum([...TOPUP_STATES])),
      from: Type.Optional(InstantInput),
      to: Type.Optional(InstantInput),
    }),
    answer: pageOf(DeskOrder),
  },
  /** Credited payments, the newest first, with the totals of all that the filters leave. */
  payments: {
    method: 'GET',
    path: '/payments',
    policy: 'operator',
    query: Type.Object({
      cursor: Cursor,
      /** A receipt number, as for orders, or the number of the bank's document. */
      search: Type.Optional(Type.String({ maxLength: 100 })),
      company_id: Type.Optional(Id),
      provider: Type.Optional(Provider),
      state: Type.Optional(Type.Enum([...PAYMENT_STATES])),
      /** By the time at which it was credited. */
      from: Type.Optional(InstantInput),
      to: Type.Optional(InstantInput),
    }),
    answer: Type.Object({
      ...pageOf(DeskPayment).properties,
      totals: Type.Object({
        payments: Type.Integer({ minimum: 0 }),
        amount: Tokens,
        bonus: Tokens,
        refunded: Tokens,
      }),
    }),
  },
  payment: {
    method: 'GET',
    path: '/payments/:id',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      payment: DeskPayment,
      refunds: Type.Array(DeskRefund),
      /** Whether the provider sends money back itself; otherwise people do. */
      is_refunded_by_provider: Type.Boolean(),
    }),
  },
  confirmOrder: {
    method: 'POST',
    path: '/payments/orders/:id/confirm',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({
      amount: Amount,
      paid_at: InstantInput,
      bank_reference: textInput(BANK_REFERENCE_LENGTH_MAX),
      /** How many payments of the order the operator has seen: one that came since is not doubled. */
      payments: Type.Integer({ minimum: 0 }),
    }),
    answer: Credited,
  },
  /** Asks the provider now, and credits what it says was paid. */
  askAboutOrder: {
    method: 'POST',
    path: '/payments/orders/:id/ask',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      state: Type.Enum(['waiting', 'paid', 'expired', 'cancelled', 'unclear']),
      reason: orNull(Type.String()),
      order: DeskOrder,
    }),
  },
  /** No money has come. A payment that comes later is credited all the same. */
  closeOrder: {
    method: 'POST',
    path: '/payments/orders/:id/close',
    policy: 'operator',
    body: Type.Object({ reason: NoteInput }),
    answer: Done,
  },
  /** The body is the file itself. */
  importStatement: {
    method: 'POST',
    path: '/payments/statements',
    policy: 'operator',
    needsProof: true,
    fileBytesMax: STATEMENT_BYTES_MAX,
    query: Type.Object({ language: Type.Optional(Language) }),
    answer: Type.Object({
      success: Type.Literal(true),
      /** Why it is no statement; null when it is one. */
      refusal: orNull(Type.String()),
      outgoing: Type.Integer({ minimum: 0 }),
      counts: Type.Object({
        credited: Type.Integer(),
        other_amount: Type.Integer(),
        already: Type.Integer(),
        no_order: Type.Integer(),
        unreadable: Type.Integer(),
      }),
      /** What was credited by this import. */
      amount: Tokens,
      lines: Type.Array(
        Type.Object({
          line: Type.Integer(),
          outcome: Type.Enum([...STATEMENT_OUTCOMES]),
          amount: orNull(Tokens),
          reference: orNull(Type.String()),
          note: orNull(Type.String()),
        }),
      ),
    }),
  },
  matchLine: {
    method: 'POST',
    path: '/payments/lines/:id/match',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({
      /** The code of an order, or a company without one. */
      reference: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
      company_id: Type.Optional(Id),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      /** `matched`: the line has been credited to somebody else. */
      result: Type.Enum(['credited', 'other_amount', 'already', 'no_target', 'matched']),
      /** Of the order or the company that has the line. */
      target: orNull(Type.String()),
    }),
  },
  /** What a refund would take. */
  previewRefund: {
    method: 'GET',
    path: '/payments/:id/refund',
    policy: 'operator',
    query: Type.Object({ amount: Amount }),
    answer: Type.Object({
      success: Type.Literal(true),
      /** Of the payment, before this refund. */
      left: Tokens,
      is_too_much: Type.Boolean(),
      /** The bonus that goes with it. */
      bonus: Tokens,
      taken: Tokens,
      owed: Tokens,
      available: Tokens,
    }),
  },
  refundPayment: {
    method: 'POST',
    path: '/payments/:id/refund',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({
      amount: Amount,
      reason: NoteInput,
      /** What was refunded when the operator looked: a second click refunds nothing. */
      refunded: Tokens,
    }),
    answer: Type.Object({ success: Type.Literal(true), refund: DeskRefund }),
  },
  /** The operator has sent the money back, or cannot. */
  settleRefund: {
    method: 'POST',
    path: '/payments/refunds/:id/settle',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({
      result: Type.Enum(['done', 'refused']),
      /** The bank's document of a refund that is done, the reason of one that is not. */
      note: NoteInput,
    }),
    answer: Done,
  },
  /** Lets the provider try once more. */
  retryRefund: {
    method: 'POST',
    path: '/payments/refunds/:id/retry',
    policy: 'operator',
    answer: Done,
  },
  /** Lets the cash register try a receipt again at once. */
  retryFiscalReceipt: {
    method: 'POST',
    path: '/payments/fiscal-receipts/:id/retry',
    policy: 'operator',
    answer: Done,
  },
  /** Takes something off the list of what waits. */
  reviewPayment: {
    method: 'POST',
    path: '/payments/reviews',
    policy: 'operator',
    body: Type.Object({
      kind: Type.Enum([...REVIEW_KINDS]),
      id: Type.String({ minLength: 36, maxLength: 36 }),
      note: Type.Optional(NoteInput),
    }),
    answer: Done,
  },
} as const satisfies Record<string, AdminEndpoint>;
