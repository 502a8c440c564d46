import Type, { type Static } from 'typebox';
import { Count, Instant, orNull, Tokens } from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

export const FIGURE_RANGES = ['7d', '30d', '90d'] as const;
export type FigureRange = (typeof FIGURE_RANGES)[number];
export const COST_TIYN_MAX = 100_000_000;
/** What is sent and paid for: a message by a channel, or a post to a group. */
export const FIGURE_ITEMS = ['whatsapp', 'telegram', 'sms', 'group'] as const;
const Item = Type.Enum([...FIGURE_ITEMS]);
/** A day in Almaty. */
const Day = Type.String({ format: 'date', pattern: '^20\\d\\d-' });

const SUMS = {
  sends: Count,
  delivered: Count,
  failed: Count,
  /** What companies paid. */
  revenue: Tokens,
  /** What the providers charge, in tiyn; null where a cost is not known. */
  cost_tiyn: orNull(Type.Integer()),
  margin_tiyn: orNull(Type.Integer()),
};
export const FigureSums = Type.Object(SUMS);
export type FigureSums = Static<typeof FigureSums>;
/** Codes that could be entered, and those that were; the guard counts them without the channel. */
const CODES = { codes: Count, verified: Count };

export const ProviderCost = Type.Object({
  provider: Type.String(),
  item: Item,
  valid_from: Day,
  cost_tiyn: Type.Integer({ minimum: 0 }),
  set_by: orNull(Type.String()),
  set_at: Instant,
});
export type ProviderCost = Static<typeof ProviderCost>;

export const ADMIN_FIGURES_ENDPOINTS = {
  figures: {
    method: 'GET',
    path: '/figures',
    policy: 'operator',
    query: Type.Object({ range: Type.Optional(Type.Enum([...FIGURE_RANGES])) }),
    answer: Type.Object({
      success: Type.Literal(true),
      /** When the newest day was counted; null before the first count. */
      counted_at: orNull(Instant),
      /** Days of the range that have not been counted at all. */
      days_to_count: Count,
      total: Type.Object({ ...SUMS, ...CODES }),
      /** Every day of the range, oldest first. */
      days: Type.Array(Type.Object({ day: Day, ...SUMS, ...CODES })),
      items: Type.Array(Type.Object({ item: Item, ...SUMS })),
      providers: Type.Array(Type.Object({ provider: Type.String(), item: Item, ...SUMS })),
      /** By the first digits of the phone; a number that was ported counts for its first operator. */
      operators: Type.Array(
        Type.Object({
          /** Null where only the digits are known. */
          name: orNull(Type.String()),
          prefixes: Type.Array(Type.String()),
          ...SUMS,
          ...CODES,
        }),
      ),
    }),
  },
  providerCosts: {
    method: 'GET',
    path: '/costs',
    policy: 'operator',
    answer: Type.Object({
      success: Type.Literal(true),
      /** The providers that a cost can be set for, with what they carry. */
      providers: Type.Array(Type.Object({ name: Type.String(), items: Type.Array(Item) })),
      /** By provider and item, newest first. */
      costs: Type.Array(ProviderCost),
    }),
  },
  /** What a provider charges for one message from a day on. Figures of the past change with it. */
  setProviderCost: {
    method: 'PUT',
    path: '/costs',
    policy: 'operator',
    body: Type.Object({
      provider: Type.String({ minLength: 1, maxLength: 40 }),
      item: Item,
      valid_from: Day,
      cost_tiyn: Type.Integer({ minimum: 0, maximum: COST_TIYN_MAX }),
    }),
    answer: Type.Object({ success: Type.Literal(true), is_changed: Type.Boolean() }),
  },
} as const satisfies Record<string, AdminEndpoint>;
