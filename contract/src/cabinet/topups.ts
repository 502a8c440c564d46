import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import { Cursor, Done, Instant, Language, NameInput, orNull, pageOf, Tokens } from './fields.ts';

/** The providers of payments, in the order in which the page offers them. */
export const PAYMENT_PROVIDERS = [
  'kaspi',
  'freedom-pay',
  'merchant-qr',
  'transfer',
  'sandbox-bank',
] as const;

/** The amounts that the page offers; any other one can be typed. */
export const TOPUP_CHIPS = [1_000, 5_000, 10_000, 50_000] as const;
export const TOPUP_MAX = 100_000_000;
/** Unpaid top-ups that a company can have at a time. */
export const OPEN_TOPUPS_MAX = 20;

/**
 * `pending`: can be paid. `checking`: the payer says that it is paid, and the bank is being asked.
 * `manual`: the operator will compare it with the bank statement.
 */
export const TOPUP_STATES = [
  'pending',
  'checking',
  'manual',
  'paid',
  'expired',
  'cancelled',
] as const;

const Amount = Type.Integer({ minimum: 1, maximum: TOPUP_MAX });
const Payer = Type.Object({ name: Type.String(), business_id: orNull(Type.String()) });

/** Money that arrived and was credited. */
export const TopupPayment = Type.Object({
  id: Type.String(),
  amount: Tokens,
  /** The bonus of the first top-up, credited with it. */
  bonus: Tokens,
  /** What of it paid a debt, so that the balance grew by less. */
  debt_paid: Tokens,
  paid_at: Instant,
  /** Paid after the order had ended, once more, or another amount than asked. All are credited. */
  is_late: Type.Boolean(),
  is_repeated: Type.Boolean(),
  is_other_amount: Type.Boolean(),
  refunded: Tokens,
  receipt_number: Type.Integer({ minimum: 1 }),
  /** The receipt as a file. */
  receipt_url: Type.String(),
});
export type TopupPayment = Static<typeof TopupPayment>;

/** An order, or a payment that the operator entered without one. */
export const TopupRow = Type.Object({
  id: Type.String(),
  /** The code by which the payment is recognised; null without an order. */
  reference: orNull(Type.String()),
  provider: Type.Enum([...PAYMENT_PROVIDERS, 'terminal']),
  amount: Tokens,
  state: Type.Enum([...TOPUP_STATES]),
  created_at: Instant,
  expires_at: orNull(Instant),
  payments: Type.Array(TopupPayment),
});
export type TopupRow = Static<typeof TopupRow>;

/** Where a bank transfer goes. */
export const Requisites = Type.Object({
  name: Type.String(),
  business_id: Type.String(),
  iban: Type.String(),
  bank: orNull(Type.String()),
  bic: orNull(Type.String()),
  kbe: orNull(Type.String()),
  knp: orNull(Type.String()),
});
export type Requisites = Static<typeof Requisites>;

export const Topup = Type.Object({
  success: Type.Literal(true),
  ...TopupRow.properties,
  reference: Type.String(),
  provider: Type.Enum([...PAYMENT_PROVIDERS]),
  expires_at: Instant,
  /** By the clock of the server, whatever that of the browser says. */
  seconds_left: Type.Integer({ minimum: 0 }),
  payer: Payer,
  /** False until the provider has answered; then there is something to pay with. */
  is_ready: Type.Boolean(),
  /** What the QR encodes. */
  qr: orNull(Type.String()),
  /** Opens the payer's bank. */
  pay_url: orNull(Type.String()),
  requisites: orNull(Requisites),
  /** The bank in whose app the QR is scanned, where only one can. */
  bank: orNull(Type.String()),
  /** The payer types the amount, and the reference as the purpose of the payment. */
  is_typed: Type.Boolean(),
  /** Whether "I have paid" helps: the bank does not report payments by itself. */
  can_claim: Type.Boolean(),
  balance: Tokens,
});
export type Topup = Static<typeof Topup>;

export const TOPUP_ENDPOINTS = {
  /** What the page of a new top-up needs. */
  topupOptions: {
    method: 'GET',
    path: '/topups/options',
    policy: 'balance.see',
    answer: Type.Object({
      success: Type.Literal(true),
      min: Tokens,
      max: Tokens,
      /** The bonus that the next top-up brings; 0 when the company has had it. */
      bonus: Tokens,
      prices: Type.Object({ whatsapp: Tokens, telegram: Tokens, sms: Tokens, group: Tokens }),
      providers: Type.Array(
        Type.Object({
          name: Type.Enum([...PAYMENT_PROVIDERS]),
          /** How a payment becomes known. */
          confirmation: Type.Enum(['notice', 'poll', 'operator']),
        }),
      ),
      /** Of the last order, otherwise the company itself. */
      payer: Payer,
    }),
  },
  /** Newest first. */
  topups: {
    method: 'GET',
    path: '/topups',
    policy: 'balance.see',
    query: Type.Object({
      cursor: Cursor,
      /** Only orders that wait for a payment or for its check. */
      is_open: Type.Optional(Type.Boolean()),
    }),
    answer: pageOf(TopupRow),
  },
  topup: { method: 'GET', path: '/topups/:id', policy: 'balance.see', answer: Topup },
  createTopup: {
    method: 'POST',
    path: '/topups',
    policy: 'balance.topup',
    body: Type.Object({
      /** The same for every try of one top-up: a second click creates nothing. */
      request_id: Type.String({ pattern: '^[0-9A-Za-z_-]{16,64}$' }),
      provider: Type.Enum([...PAYMENT_PROVIDERS]),
      amount: Amount,
      payer_name: NameInput,
      /** БИН or ИИН of the payer, for the papers. */
      business_id: Type.Optional(Type.String({ pattern: '^[0-9]{12}$' })),
      /** Of the provider's page. */
      language: Type.Optional(Language),
    }),
    answer: Type.Object({ success: Type.Literal(true), id: Type.String() }),
  },
  /** Only while it is pending. A payment that comes later is credited all the same. */
  cancelTopup: {
    method: 'POST',
    path: '/topups/:id/cancel',
    policy: 'balance.topup',
    answer: Done,
  },
  /** "I have paid": the bank is asked at once, or the operator checks. */
  claimTopup: {
    method: 'POST',
    path: '/topups/:id/claim',
    policy: 'balance.topup',
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
