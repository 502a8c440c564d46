import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, Done, EmailInput, Id, Instant, orNull, Tokens } from './fields.ts';

export const ALERT_EMAILS_MAX = 5;
export const ALERT_THRESHOLD_MAX = 1_000_000_000;
/** The bar counts no further: more is said as "more than". */
export const REFUSALS_COUNTED_MAX = 10_000;
/** Less than this at the pace of the last week is called low. */
export const DAYS_LEFT_MIN = 3;

/**
 * Whether money stops sends. `owed`: nothing is sent until a debt is paid. `stopped`: sends were
 * refused since the balance fell short. `short`: it does not suffice for the cheapest message, and
 * nothing was refused yet. `low`: it runs out soon.
 */
export const BalanceState = Type.Object({
  success: Type.Literal(true),
  state: Type.Enum(['fine', 'low', 'short', 'stopped', 'owed']),
  /** The balance without what is held. */
  available: Tokens,
  debt: Tokens,
  /** The price of the cheapest message that is not free. */
  cheapest: Tokens,
  /** At the pace of the last week; null when that is not known. */
  days_left: orNull(Type.Number()),
  /** Sends of live keys that were refused since, at most REFUSALS_COUNTED_MAX + 1. */
  refused: Count,
  refused_since: orNull(Instant),
  /** Who can top up, for people who cannot. */
  ask: Type.Array(Type.String()),
});
export type BalanceState = Static<typeof BalanceState>;

const alert = {
  /** Tenge; null means no alert. */
  threshold: orNull(Type.Integer({ minimum: 1, maximum: ALERT_THRESHOLD_MAX })),
  /** Null: the members who may see the balance. */
  emails: orNull(Type.Array(EmailInput, { minItems: 1, maxItems: ALERT_EMAILS_MAX })),
  /** Members who may see the balance get it from the bot as well. */
  tells_members_in_telegram: Type.Boolean(),
  telegram_group_id: orNull(Id),
};

export const BalanceAlert = Type.Object({
  success: Type.Literal(true),
  ...alert,
  /** When it was last sent. */
  announced_at: orNull(Instant),
  /** Whether this installation can send letters. */
  has_mail: Type.Boolean(),
  /** The addresses of members who may see the balance. */
  member_emails: Type.Array(Type.String()),
  /** Null where no bot can write to people and groups. */
  telegram: orNull(
    Type.Object({
      groups: Type.Array(Type.Object({ id: Id, name: Type.String() })),
      /** Of the members who may see the balance, those whom the bot can write to. */
      members: Type.Array(Type.String()),
    }),
  ),
});
export type BalanceAlert = Static<typeof BalanceAlert>;

export const ALERT_ENDPOINTS = {
  /** For the bar on every page, so every role may ask but support, who sees no money. */
  balanceState: {
    method: 'GET',
    path: '/balance/state',
    policy: 'company.see',
    answer: BalanceState,
  },
  balanceAlert: {
    method: 'GET',
    path: '/balance/alert',
    policy: 'balance.see',
    answer: BalanceAlert,
  },
  changeBalanceAlert: {
    method: 'PUT',
    path: '/balance/alert',
    policy: 'balance.topup',
    body: Type.Object(alert),
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
