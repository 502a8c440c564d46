import Type, { type Static } from 'typebox';
import {
  CODE_LENGTH_MAX,
  CODE_LENGTH_MIN,
  CODE_TTL_SECONDS_MAX,
  CODE_TTL_SECONDS_MIN,
  FALLBACK_SECONDS_MAX,
  FALLBACK_SECONDS_MIN,
  KEY_CAP_MAX,
  OVERLAP_HOURS,
} from '../api/limits.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import {
  BrandInput,
  ChannelName,
  Count,
  Done,
  HoursToCount,
  Id,
  Instant,
  InstantInput,
  Mode,
  NameInput,
  orNull,
  TextLanguage,
  Tokens,
} from './fields.ts';

/** What a person may set on a key. */
const settings = {
  name: NameInput,
  /** Null when the key is not bound to a domain. */
  domain: orNull(Type.String({ maxLength: 253 })),
  /** The enabled channels, in the order in which `auto` tries them. */
  channels: Type.Array(ChannelName, { minItems: 1, maxItems: 3, uniqueItems: true }),
  code_length: Type.Integer({ minimum: CODE_LENGTH_MIN, maximum: CODE_LENGTH_MAX }),
  code_ttl_seconds: Type.Integer({ minimum: CODE_TTL_SECONDS_MIN, maximum: CODE_TTL_SECONDS_MAX }),
  fallback_seconds: Type.Integer({ minimum: FALLBACK_SECONDS_MIN, maximum: FALLBACK_SECONDS_MAX }),
  language: TextLanguage,
  brand: orNull(BrandInput),
  rate_per_minute: orNull(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** Tenge per month and per day of Almaty; always null for a test key. */
  monthly_cap: orNull(Type.Integer({ minimum: 1, maximum: KEY_CAP_MAX })),
  daily_cap: orNull(Type.Integer({ minimum: 1, maximum: KEY_CAP_MAX })),
  /** From then on requests get 401; null for never. */
  expires_at: orNull(InstantInput),
};
export const KeySettings = Type.Object(settings);
export type KeySettings = Static<typeof KeySettings>;

export const Key = Type.Object({
  id: Id,
  ...settings,
  mode: Mode,
  state: Type.Enum(['active', 'rotating', 'expired', 'revoked']),
  /** The first 12 and the last 4 characters. */
  shown: Type.String(),
  /** When the previous secret ends; null when none is valid. */
  previous_until: orNull(Instant),
  /** When the previous secret was last used since it was replaced, to the minute. */
  previous_used_at: orNull(Instant),
  created_at: Instant,
  created_by: orNull(Type.String()),
  revoked_at: orNull(Instant),
  /** To the minute; null when it was never used. */
  used_at: orNull(Instant),
  /** With what is held for sends under way; null for a key without a monthly cap. */
  spent_this_month: orNull(Tokens),
  /** The same for the day; null for a key without a daily cap. */
  spent_today: orNull(Tokens),
  /** Sends of the last seven days, oldest first, days of Almaty. */
  sends_by_day: Type.Array(Count),
});
export type Key = Static<typeof Key>;

/** The kinds of content that a key may send, and a channel may be able to carry. */
export const CONTENT_KINDS = ['code', 'code_with_link', 'text', 'group'] as const;
const Carried = Type.Record(ChannelName, Type.Array(Type.Enum([...CONTENT_KINDS])));

const OnceShown = Type.Object({ success: Type.Literal(true), id: Id, key: Type.String() });

export const KEY_ENDPOINTS = {
  keys: {
    method: 'GET',
    path: '/keys',
    policy: 'keys.see',
    answer: Type.Object({
      success: Type.Literal(true),
      hours_to_count: HoursToCount,
      keys: Type.Array(Key),
      prices: Type.Object({ whatsapp: Tokens, telegram: Tokens, sms: Tokens, group: Tokens }),
      /** What each channel can carry for a key of this mode; nothing where it is not connected. */
      carries: Type.Object({ test: Carried, live: Carried }),
    }),
  },
  /** This answer and that of a rotation are the only ones that ever hold the text of a key. */
  createKey: {
    method: 'POST',
    path: '/keys',
    policy: 'keys.change',
    body: Type.Object({
      name: NameInput,
      mode: Mode,
      domain: Type.Optional(settings.domain),
      channels: Type.Optional(settings.channels),
      monthly_cap: Type.Optional(settings.monthly_cap),
      daily_cap: Type.Optional(settings.daily_cap),
      expires_at: Type.Optional(settings.expires_at),
    }),
    answer: OnceShown,
    needsFreshSignIn: true,
  },
  changeKey: {
    method: 'PUT',
    path: '/keys/:id',
    policy: 'keys.change',
    body: KeySettings,
    answer: Done,
  },
  /** Gives several keys the same signature, as after a change of the company's. */
  changeKeyBrands: {
    method: 'POST',
    path: '/keys/brands',
    policy: 'keys.change',
    body: Type.Object({
      ids: Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true }),
      brand: settings.brand,
    }),
    answer: Type.Object({ success: Type.Literal(true), changed: Count }),
  },
  rotateKey: {
    method: 'POST',
    path: '/keys/:id/rotate',
    policy: 'keys.change',
    body: Type.Object({ overlap_hours: Type.Enum([...OVERLAP_HOURS]) }),
    answer: OnceShown,
    needsFreshSignIn: true,
  },
  /** Ends the previous secret early. */
  endPreviousSecret: {
    method: 'POST',
    path: '/keys/:id/end-previous',
    policy: 'keys.change',
    answer: Done,
  },
  revokeKey: {
    method: 'POST',
    path: '/keys/:id/revoke',
    policy: 'keys.change',
    body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 200 })) }),
    answer: Done,
  },
  /** The usage of a key: sends and refusals. */
  keyUse: {
    method: 'GET',
    path: '/keys/:id/use',
    policy: 'keys.see',
    query: Type.Object({ range: Type.Optional(Type.Enum(['24h', '7d', '30d'])) }),
    answer: Type.Object({
      success: Type.Literal(true),
      hours_to_count: HoursToCount,
      sends: Count,
      /** In the last 24 hours: what would stop if the key were revoked. */
      sends_last_day: Count,
      buckets: Type.Array(Type.Object({ at: Instant, sends: Count, refusals: Count })),
      /** Codes that people typed wrong, which are no refusals. */
      wrong_codes: Count,
      errors: Type.Array(Type.Object({ error_code: Type.String(), count: Count })),
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
