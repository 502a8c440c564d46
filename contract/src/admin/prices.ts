import Type, { type Static } from 'typebox';
import { DEFAULT_PRICES, PRICE_MAX, type PricedItem } from '../api/prices.ts';
import {
  Count,
  Done,
  Id,
  Instant,
  InstantInput,
  NoteInput,
  orNull,
  Tokens,
} from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

export const PRICED_ITEMS = Object.keys(DEFAULT_PRICES) as [PricedItem, ...PricedItem[]];

const Item = Type.Enum(PRICED_ITEMS);
const Company = Type.Object({ id: Id, name: Type.String() });
const Price = Type.Integer({ minimum: 0, maximum: PRICE_MAX });

export const PriceVersion = Type.Object({
  id: Id,
  item: Item,
  /** Null for the price of everybody. */
  company: orNull(Company),
  /** Null: from this moment the company pays the common price again. */
  tokens: orNull(Tokens),
  valid_from: Instant,
  state: Type.Enum(['holds', 'future', 'past', 'withdrawn']),
  set_by: orNull(Type.String()),
  set_at: Instant,
  withdrawn_by: orNull(Type.String()),
  withdrawn_at: orNull(Instant),
});
export type PriceVersion = Static<typeof PriceVersion>;

export const SenderName = Type.Object({
  name: Type.String(),
  note: orNull(Type.String()),
  registered_at: Instant,
  companies: Type.Array(Id),
});
export type SenderName = Static<typeof SenderName>;

export const ADMIN_PRICE_ENDPOINTS = {
  prices: {
    method: 'GET',
    path: '/prices',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      /** What everybody pays now. */
      prices: Type.Object({ whatsapp: Tokens, telegram: Tokens, sms: Tokens, group: Tokens }),
      /** Newest first, the own prices of companies among them. */
      history: Type.Array(PriceVersion),
    }),
  },
  /** Whom a new common price would concern. */
  previewPrice: {
    method: 'GET',
    path: '/prices/preview',
    policy: 'operator',
    query: Type.Object({ item: Item, from: Type.Optional(InstantInput) }),
    answer: Type.Object({
      success: Type.Literal(true),
      before: Tokens,
      /** Companies that it does not reach, with what they pay. */
      other_prices: Type.Array(Type.Object({ company: Company, tokens: Tokens })),
      /** Companies that it reaches. */
      companies: Count,
      /** Charged sends of the last days that would have been charged by it. */
      sends: Count,
      days: Count,
    }),
  },
  /** The price of everybody, from now on or from a moment to come. */
  setPrice: {
    method: 'POST',
    path: '/prices',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({ item: Item, tokens: Price, from: Type.Optional(InstantInput) }),
    answer: Type.Object({ success: Type.Literal(true), id: Id, valid_from: Instant }),
  },
  /** Only a price that does not hold yet. */
  withdrawPrice: {
    method: 'POST',
    path: '/prices/:id/withdraw',
    policy: 'operator',
    needsProof: true,
    answer: Done,
  },
  senderNames: {
    method: 'GET',
    path: '/sender-names',
    policy: 'operator',
    answer: Type.Object({ success: Type.Literal(true), names: Type.Array(SenderName) }),
  },
  addSenderName: {
    method: 'POST',
    path: '/sender-names',
    policy: 'operator',
    body: Type.Object({
      name: Type.String({ minLength: 3, maxLength: 11 }),
      note: Type.Optional(NoteInput),
    }),
    answer: Done,
  },
  /** Only a name that no company uses. */
  removeSenderName: {
    method: 'DELETE',
    path: '/sender-names/:name',
    policy: 'operator',
    answer: Done,
  },
} as const satisfies Record<string, AdminEndpoint>;
