import Type, { type Static } from 'typebox';
import { EVENT_TYPES } from '../api/events.ts';
import { URL_LENGTH_MAX } from '../api/limits.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, Cursor, Done, Id, Instant, InstantInput, orNull } from './fields.ts';

/** Counts stop here: more is said as "more than". */
export const WEBHOOK_COUNTED_MAX = 10_000;
/** Deliveries that can be chosen one by one and sent again in one call. */
export const REPLAYED_AT_ONCE_MAX = 100;
/** Test events that a company may send in a minute. */
export const TEST_EVENTS_PER_MINUTE_MAX = 10;
/** Of the answer to a try, this much is stored and shown. */
export const ANSWER_BYTES_STORED_MAX = 1024;

/** `failing`: the last tries have failed, and it is still tried. */
export const WEBHOOK_STATES = ['active', 'failing', 'off'] as const;
/** By a person; because nothing succeeded for days; or because it answered 410. */
export const WEBHOOK_OFF_REASONS = ['person', 'failing', 'gone'] as const;

/**
 * `waiting` for its next try, `delivered`, `failed` after the last try, or `missed` because the
 * endpoint was off when it happened.
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'missed'] as const;

/**
 * How a try ended: with an answer of 2xx; with another answer; with none in time; without a
 * connection (name, network, TLS); or not tried at all because the address is not public.
 */
export const TRY_OUTCOMES = [
  'delivered',
  'refused',
  'timed_out',
  'unreachable',
  'blocked',
] as const;
export type TryOutcome = (typeof TRY_OUTCOMES)[number];

/**
 * Why a try has failed, for the pages to put into words. `bad_answer` is one that breaks the rules
 * of HTTP or its size limits.
 */
export const TRY_ERRORS = [
  'status',
  'redirect',
  'gone',
  'timed_out',
  'connect_timed_out',
  'name_unknown',
  'connection_refused',
  'connection_lost',
  'tls',
  'bad_answer',
  'not_public',
] as const;
export type TryError = (typeof TRY_ERRORS)[number];

const EventTypes = Type.Array(Type.Enum([...EVENT_TYPES]), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  uniqueItems: true,
});

/** What a person may set on an endpoint. */
const settings = {
  /** https and a public address; in the sandbox also http, any port and localhost. */
  url: Type.String({ minLength: 1, maxLength: URL_LENGTH_MAX }),
  events: EventTypes,
  description: Type.String({ maxLength: 200 }),
  /** Phones in full, otherwise masked. Turning it on needs the right `phones.see`. */
  shows_phones: Type.Boolean(),
};

const LastError = Type.Object({
  at: Instant,
  error: Type.Enum([...TRY_ERRORS]),
  status: orNull(Type.Integer()),
});

export const Webhook = Type.Object({
  id: Id,
  ...settings,
  state: Type.Enum([...WEBHOOK_STATES]),
  failing_since: orNull(Instant),
  off_reason: orNull(Type.Enum([...WEBHOOK_OFF_REASONS])),
  off_at: orNull(Instant),
  /** Until then the previous secret signs as well; null when there is none. */
  previous_until: orNull(Instant),
  created_at: Instant,
  created_by: orNull(Type.String()),
  /** Of the tries of the last 24 hours, 0 to 1; null when there were none. */
  success_share: orNull(Type.Number({ minimum: 0, maximum: 1 })),
  /** Of the tries of the last 24 hours that were answered; null when there were none. */
  p95_ms: orNull(Count),
  /** Null when the last try was a success. */
  last_error: orNull(LastError),
  /** Events that wait for a try, at most WEBHOOK_COUNTED_MAX + 1. */
  waiting: Count,
  /** Events that came while it was off, at most WEBHOOK_COUNTED_MAX + 1. */
  missed: Count,
});
export type Webhook = Static<typeof Webhook>;

/** An event's `webhook-id`. */
const EventId = Type.String({ pattern: '^evt_[0-9a-f]{32}$' });

export const WebhookDelivery = Type.Object({
  id: EventId,
  type: Type.Enum([...EVENT_TYPES]),
  state: Type.Enum([...DELIVERY_STATES]),
  /** When it happened. */
  at: Instant,
  test: Type.Boolean(),
  /** Since it was last made due: `tries` of `WEBHOOK_TRIES_MAX`. */
  tries: Count,
  last_try_at: orNull(Instant),
  outcome: orNull(Type.Enum([...TRY_OUTCOMES])),
  status: orNull(Type.Integer()),
  error: orNull(Type.Enum([...TRY_ERRORS])),
  duration_ms: orNull(Count),
  next_try_at: orNull(Instant),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookTry = Type.Object({
  number: Count,
  at: Instant,
  outcome: Type.Enum([...TRY_OUTCOMES]),
  error: orNull(Type.Enum([...TRY_ERRORS])),
  status: orNull(Type.Integer()),
  duration_ms: Count,
  /** The first kilobyte of the answer, without control characters. It is never HTML to be shown. */
  answer: orNull(Type.String()),
  is_answer_cut: Type.Boolean(),
  request: Type.Object({
    headers: Type.Record(Type.String(), Type.String()),
    /** Masked for a reader who may not see phones (`is_masked`); the signature is of the original. */
    body: Type.String(),
    is_masked: Type.Boolean(),
  }),
  /** The steps by which a receiver checks it. */
  signature: Type.Object({
    /** `id.timestamp.body` */
    signed: Type.String(),
    /** Each as `v1,…`, with the newest secret first. */
    sent: Type.Array(Type.String()),
  }),
});
export type WebhookTry = Static<typeof WebhookTry>;

const Secret = Type.Object({
  success: Type.Literal(true),
  id: Id,
  secret: Type.String(),
  previous_until: orNull(Instant),
});

/** Which events of an endpoint to send again: of this state, since then. */
const replayed = {
  which: Type.Enum(['failed', 'missed', 'all']),
  since: InstantInput,
};

export const WEBHOOK_ENDPOINTS = {
  webhooks: {
    method: 'GET',
    path: '/webhooks',
    policy: 'webhooks.see',
    answer: Type.Object({
      success: Type.Literal(true),
      webhooks: Type.Array(Webhook),
      /** Whether http, any port and localhost are allowed. */
      is_sandbox: Type.Boolean(),
    }),
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    policy: 'webhooks.change',
    body: Type.Object({
      url: settings.url,
      events: settings.events,
      description: Type.Optional(settings.description),
      shows_phones: Type.Optional(settings.shows_phones),
    }),
    answer: Secret,
    needsFreshSignIn: true,
  },
  webhook: {
    method: 'GET',
    path: '/webhooks/:id',
    policy: 'webhooks.see',
    answer: Type.Object({ success: Type.Literal(true), ...Webhook.properties }),
  },
  /** Another address, or phones in full, asks for a fresh sign-in. */
  changeWebhook: {
    method: 'PUT',
    path: '/webhooks/:id',
    policy: 'webhooks.change',
    body: Type.Object(settings),
    answer: Done,
  },
  /** Turning it on may send what it has missed. */
  switchWebhook: {
    method: 'POST',
    path: '/webhooks/:id/switch',
    policy: 'webhooks.change',
    body: Type.Object({ is_on: Type.Boolean(), catch_up: Type.Optional(Type.Boolean()) }),
    answer: Type.Object({ success: Type.Literal(true), replayed: Count }),
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/:id',
    policy: 'webhooks.change',
    answer: Done,
  },
  /** Unlike a key, the secret can be seen again: the receiver's owner has to type it in. */
  webhookSecret: {
    method: 'POST',
    path: '/webhooks/:id/secret',
    policy: 'webhooks.change',
    answer: Secret,
    needsFreshSignIn: true,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhooks/:id/rotate',
    policy: 'webhooks.change',
    answer: Secret,
    needsFreshSignIn: true,
  },
  /** Newest first. */
  webhookDeliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    policy: 'webhooks.see',
    query: Type.Object({
      cursor: Cursor,
      state: Type.Optional(Type.Enum([...DELIVERY_STATES])),
      type: Type.Optional(Type.Enum([...EVENT_TYPES])),
      since: Type.Optional(InstantInput),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      rows: Type.Array(WebhookDelivery),
      next: orNull(Type.String()),
    }),
  },
  webhookDelivery: {
    method: 'GET',
    path: '/webhooks/:id/deliveries/:event',
    policy: 'webhooks.see',
    answer: Type.Object({
      success: Type.Literal(true),
      ...WebhookDelivery.properties,
      url: Type.String(),
      /** Newest first. */
      try_log: Type.Array(WebhookTry),
    }),
  },
  countReplay: {
    method: 'GET',
    path: '/webhooks/:id/replay',
    policy: 'webhooks.see',
    query: Type.Object(replayed),
    /** At most WEBHOOK_COUNTED_MAX + 1. */
    answer: Type.Object({ success: Type.Literal(true), count: Count }),
  },
  /** Sends events again under their own `webhook-id`. Answers how many. */
  replayWebhook: {
    method: 'POST',
    path: '/webhooks/:id/replay',
    policy: 'webhooks.change',
    /** Either `events`, or `which` and `since`. */
    body: Type.Object({
      events: Type.Optional(Type.Array(EventId, { minItems: 1, maxItems: REPLAYED_AT_ONCE_MAX })),
      which: Type.Optional(replayed.which),
      since: Type.Optional(replayed.since),
    }),
    answer: Type.Object({ success: Type.Literal(true), replayed: Count }),
  },
  /** An event `test.ping` to this endpoint alone, whatever it subscribes to. */
  testWebhook: {
    method: 'POST',
    path: '/webhooks/:id/test',
    policy: 'webhooks.change',
    answer: Type.Object({ success: Type.Literal(true), event: EventId }),
  },
  /** Tries by their outcome: by the hour for a day, by six hours for a week. */
  webhookFigures: {
    method: 'GET',
    path: '/webhooks/:id/figures',
    policy: 'webhooks.see',
    query: Type.Object({ range: Type.Optional(Type.Enum(['24h', '7d'])) }),
    answer: Type.Object({
      success: Type.Literal(true),
      success_share: orNull(Type.Number({ minimum: 0, maximum: 1 })),
      p95_ms: orNull(Count),
      buckets: Type.Array(
        Type.Object({
          at: Instant,
          delivered: Count,
          refused: Count,
          timed_out: Count,
          unreachable: Count,
          blocked: Count,
          p95_ms: orNull(Count),
        }),
      ),
    }),
  },
  /** Every type with an example of its body. */
  webhookEvents: {
    method: 'GET',
    // Not under /webhooks, whose next part is an id.
    path: '/webhook-events',
    policy: 'webhooks.see',
    answer: Type.Object({
      success: Type.Literal(true),
      events: Type.Array(
        Type.Object({
          type: Type.Enum([...EVENT_TYPES]),
          example: Type.Record(Type.String(), Type.Unknown()),
        }),
      ),
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
