import Type, { type Static } from 'typebox';
import { CHANNELS } from '../api/channel.ts';
import {
  ChannelName,
  Count,
  Cursor,
  Done,
  Id,
  Instant,
  InstantInput,
  Mode,
  orNull,
  PLAIN_NAME,
  pageOf,
  Tokens,
} from '../cabinet/fields.ts';
import { ROLES } from '../cabinet/rights.ts';
import type { AdminEndpoint } from './endpoint.ts';

/** A company in the list. The company of the installation itself is no customer and not listed. */
export const CompanyRow = Type.Object({
  id: Id,
  name: Type.String(),
  business_id: orNull(Type.String()),
  created_at: Instant,
  suspended_because: orNull(Type.String()),
  balance: Tokens,
  debt: Tokens,
  spent_week: Tokens,
  members: Count,
  /** Keys that are not revoked. */
  keys: Count,
});
export type CompanyRow = Static<typeof CompanyRow>;

export const COMPANY_STATES = ['active', 'suspended', 'owing'] as const;

const CompanyMember = Type.Object({
  id: Type.String(),
  name: Type.String(),
  contact: Type.String(),
  role: Type.Enum([...ROLES]),
  has_second_factor: Type.Boolean(),
  joined_at: Instant,
  seen_at: orNull(Instant),
});

const CompanyKey = Type.Object({
  id: Id,
  name: Type.String(),
  mode: Mode,
  /** The beginning of the secret, never more. */
  prefix: Type.String(),
  channels: Type.Array(ChannelName),
  domain: orNull(Type.String()),
  rate_per_minute: orNull(Type.Integer()),
  monthly_cap: orNull(Tokens),
  spent_this_month: orNull(Tokens),
  daily_cap: orNull(Tokens),
  spent_today: orNull(Tokens),
  expires_at: orNull(Instant),
  used_at: orNull(Instant),
  is_revoked: Type.Boolean(),
});

/** Half an hour of codes to numbers of one operator that hardly anybody verified. */
const GuardDecision = Type.Object({
  from: Instant,
  to: Instant,
  /** The first digits of the numbers. */
  prefix: Type.String(),
  sent: Count,
  verified: Count,
  action: Type.Enum(['recorded', 'blocked']),
  sends: Count,
});

export const PRICED_ITEMS = [...CHANNELS, 'group'] as const;
const Item = Type.Enum([...PRICED_ITEMS]);
/** A larger price is a typing mistake. */
export const PRICE_MAX = 1_000_000;
const Price = Type.Integer({ minimum: 0, maximum: PRICE_MAX });

const OwnPrice = Type.Object({
  id: Id,
  item: Item,
  /** Null: the common price again. */
  tokens: orNull(Price),
  from: Instant,
  state: Type.Enum(['holds', 'future', 'past', 'withdrawn']),
  set_by: orNull(Type.String()),
});

const LastTopup = Type.Object({
  /** Null for a payment without an order. */
  reference: orNull(Type.String()),
  provider: Type.String(),
  amount: Tokens,
  state: Type.Enum(['pending', 'checking', 'manual', 'paid', 'expired', 'cancelled']),
  created_at: Instant,
  paid: Tokens,
  refunded: Tokens,
});

export const CORRECTION_STATES = ['applied', 'waiting', 'declined', 'expired'] as const;
export const Correction = Type.Object({
  id: Type.String(),
  company: Type.Object({ id: Id, name: Type.String() }),
  amount: Type.Integer(),
  reason: Type.String(),
  state: Type.Enum([...CORRECTION_STATES]),
  asked_by: Type.String(),
  asked_at: Instant,
  /** Null when no second person was needed. */
  expires_at: orNull(Instant),
  decided_by: orNull(Type.String()),
  decided_at: orNull(Instant),
  /** Asked by the operator who reads it: another one has to decide. */
  is_own: Type.Boolean(),
});
export type Correction = Static<typeof Correction>;

export const CompanyPage = Type.Object({
  success: Type.Literal(true),
  id: Id,
  name: Type.String(),
  business_id: orNull(Type.String()),
  brand: orNull(Type.String()),
  created_at: Instant,
  requires_second_factor: Type.Boolean(),
  suspended_at: orNull(Instant),
  suspended_because: orNull(Type.String()),
  balance: Tokens,
  held: Tokens,
  /** What a send or a correction may take. */
  available: Tokens,
  debt: Tokens,
  spent_today: Tokens,
  spent_week: Tokens,
  spent_month: Tokens,
  members: Type.Array(CompanyMember),
  keys: Type.Array(CompanyKey),
  /** The newest codes of 24 hours: how many numbers got one, and how many of these verified it. */
  codes: Type.Object({ sent: Count, verified: Count }),
  guard_decisions: Type.Array(GuardDecision),
  prices: Type.Object(
    Object.fromEntries(PRICED_ITEMS.map((item) => [item, Price])) as Record<
      (typeof PRICED_ITEMS)[number],
      typeof Price
    >,
  ),
  own_prices: Type.Array(OwnPrice),
  sender_name: orNull(Type.String()),
  /** The registered names to choose from. */
  sender_names: Type.Array(Type.String()),
  topups: Type.Array(LastTopup),
  corrections: Type.Array(Correction),
  /** What one operator may correct by in a day without a second one. */
  correction_limit: Tokens,
});
export type CompanyPage = Static<typeof CompanyPage>;

/** The company reads it. */
const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', format: PLAIN_NAME });

/** More than any correction; a larger number is a typing mistake. */
export const CORRECTION_MAX = 100_000_000;
/** How long an operator may look at the cabinet of a company. */
export const VIEW_MINUTES = 30;
/** How long a correction waits for a second operator. */
export const CORRECTION_DAYS = 7;

export const ADMIN_COMPANY_ENDPOINTS = {
  companies: {
    method: 'GET',
    path: '/companies',
    policy: 'operator',
    query: Type.Object({
      cursor: Cursor,
      /** Words of the name, a number, БИН, a phone, an e-mail or the beginning of a key. */
      search: Type.Optional(Type.String({ maxLength: 200 })),
      state: Type.Optional(Type.Enum([...COMPANY_STATES])),
    }),
    answer: pageOf(CompanyRow),
  },
  company: { method: 'GET', path: '/companies/:id', policy: 'operator', answer: CompanyPage },
  suspendCompany: {
    method: 'PUT',
    path: '/companies/:id/suspension',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({ reason: Reason }),
    answer: Done,
  },
  resumeCompany: {
    method: 'DELETE',
    path: '/companies/:id/suspension',
    policy: 'operator',
    needsProof: true,
    answer: Done,
  },
  /** Applied at once, or waiting for another operator. */
  correctBalance: {
    method: 'POST',
    path: '/companies/:id/corrections',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({
      /** The same for every try of one correction: a second click changes nothing. */
      request_id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
      amount: Type.Integer({ minimum: -CORRECTION_MAX, maximum: CORRECTION_MAX }),
      reason: Reason,
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      state: Type.Enum([...CORRECTION_STATES]),
    }),
  },
  /** Those that wait for a second operator, the oldest first. */
  waitingCorrections: {
    method: 'GET',
    path: '/corrections',
    policy: 'operator',
    answer: Type.Object({ success: Type.Literal(true), corrections: Type.Array(Correction) }),
  },
  approveCorrection: {
    method: 'POST',
    path: '/corrections/:id/approve',
    policy: 'operator',
    needsProof: true,
    answer: Done,
  },
  declineCorrection: {
    method: 'POST',
    path: '/corrections/:id/decline',
    policy: 'operator',
    answer: Done,
  },
  setCompanyPrice: {
    method: 'POST',
    path: '/companies/:id/prices',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({
      item: Item,
      /** Null: the common price again. */
      tokens: orNull(Price),
      /** Absent: from now on. */
      from: Type.Optional(InstantInput),
    }),
    answer: Done,
  },
  /** Only one that does not hold yet. */
  withdrawCompanyPrice: {
    method: 'DELETE',
    path: '/companies/:id/prices/:price',
    policy: 'operator',
    needsProof: true,
    answer: Done,
  },
  chooseSenderName: {
    method: 'PUT',
    path: '/companies/:id/sender-name',
    policy: 'operator',
    needsProof: true,
    /** Null: the name in the settings of the provider. */
    body: Type.Object({ name: orNull(Type.String({ maxLength: 11 })) }),
    answer: Done,
  },
  changeKeyLimits: {
    method: 'PUT',
    path: '/companies/:id/keys/:key/limits',
    policy: 'operator',
    needsProof: true,
    body: Type.Object({
      rate_per_minute: orNull(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      monthly_cap: orNull(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
    }),
    answer: Done,
  },
  /** Opens the cabinet of the company for reading, in this browser. Its audit log says so. */
  viewCompany: {
    method: 'POST',
    path: '/companies/:id/view',
    policy: 'operator',
    needsProof: true,
    answer: Type.Object({ success: Type.Literal(true), ends_at: Instant }),
  },
} as const satisfies Record<string, AdminEndpoint>;
