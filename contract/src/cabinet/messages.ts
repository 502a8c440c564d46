import Type, { type Static } from 'typebox';
import { CHANNELS } from '../api/channel.ts';
import { MESSAGE_STATES } from '../api/events.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import {
  ChannelName,
  Count,
  Cursor,
  choices,
  Done,
  HoursToCount,
  Id,
  Instant,
  Mode,
  NameInput,
  orNull,
  Tokens,
} from './fields.ts';
import { MESSAGE_KINDS, OVERVIEW_RANGES, RANGES, STEP_KINDS } from './message-words.ts';

const State = Type.Enum([...MESSAGE_STATES]);

/** The filters of the list; the same words stand in the address of the page. */
export const filterFields = {
  /** A phone in any spelling, a message id or a request id. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  /** Days and hours of Almaty; `from` and `to` instead of it for one's own range. */
  range: Type.Optional(Type.Enum([...RANGES])),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  state: choices(MESSAGE_STATES),
  /** The channel that carried it. */
  channel: choices(CHANNELS),
  /** A channel that was tried, whether or not it carried it. */
  tried: choices(CHANNELS),
  kind: choices(MESSAGE_KINDS),
  key_id: Type.Optional(Id),
  purpose: Type.Optional(Type.String({ maxLength: 64 })),
  mode: Type.Optional(Mode),
  is_charged: Type.Optional(Type.Boolean()),
};
export const MessageFilter = Type.Object(filterFields);
export type MessageFilter = Static<typeof MessageFilter>;

const pathStep = Type.Object({
  channel: ChannelName,
  /** As far as this channel came with it. */
  outcome: Type.Enum(['accepted', 'refused', 'unconfirmed', 'failed', 'delivered', 'sending']),
});

export const MessageRow = Type.Object({
  id: Type.String({ format: 'uuid' }),
  at: Instant,
  /** Masked for roles without the right; the name or id of a group. */
  phone: Type.String(),
  /** ISO code when the phone is not of Kazakhstan. */
  country: orNull(Type.String()),
  kind: Type.Enum([...MESSAGE_KINDS]),
  has_link: Type.Boolean(),
  purpose: orNull(Type.String()),
  state: State,
  reason: orNull(Type.String()),
  channel: orNull(ChannelName),
  path: Type.Array(pathStep),
  /** From the request to the confirmation. */
  took_ms: orNull(Count),
  cost: Tokens,
  mode: Mode,
  key: Type.Object({ id: Id, name: Type.String() }),
});
export type MessageRow = Static<typeof MessageRow>;

export const TimelineStep = Type.Object({
  at: Instant,
  step: Type.Enum([...STEP_KINDS]),
  channel: orNull(ChannelName),
  /** Russian, as the API speaks; pages word the known steps in the reader's language. */
  text: Type.String(),
  /** What the provider said, for the curious. */
  reason: orNull(Type.String()),
  /** What this step cost; null where nothing can be charged. */
  cost: orNull(Tokens),
  /** Came after the message had moved on to another channel. */
  is_late: Type.Boolean(),
});
export type TimelineStep = Static<typeof TimelineStep>;

export const MessageDetail = Type.Object({
  success: Type.Literal(true),
  ...MessageRow.properties,
  request_id: Type.String(),
  /** The text of a link or a group message; never that of a code. */
  body: orNull(Type.String()),
  short_url: orNull(Type.String()),
  clicks: Count,
  /** Where `auto` would have gone. */
  route: Type.Array(ChannelName),
  fallback_seconds: Type.Integer(),
  steps: Type.Array(TimelineStep),
  /** Seconds until another code may be sent to this phone. */
  resend_after: Count,
});
export type MessageDetail = Static<typeof MessageDetail>;

export const SavedView = Type.Object({ id: Id, name: Type.String(), filter: MessageFilter });
export type SavedView = Static<typeof SavedView>;

export const MESSAGE_ENDPOINTS = {
  messages: {
    method: 'GET',
    path: '/messages',
    policy: 'messages.see',
    query: Type.Object({ ...filterFields, cursor: Cursor }),
    answer: Type.Object({
      success: Type.Literal(true),
      rows: Type.Array(MessageRow),
      next: orNull(Type.String()),
      /** Rare matches: the search stopped here to answer in time, and `next` goes on. */
      searched_until: orNull(Instant),
    }),
  },
  /** Server-sent events: `new` with `{count}` of messages that match, past the newest shown. */
  liveMessages: {
    method: 'GET',
    path: '/messages/live',
    policy: 'messages.see',
    query: Type.Object({ ...filterFields, after: Type.Optional(Type.String({ maxLength: 64 })) }),
    answer: Type.Unknown(),
  },
  /** A file: `format` csv or xlsx. */
  exportMessages: {
    method: 'GET',
    path: '/messages/export',
    policy: 'messages.export',
    query: Type.Object({
      ...filterFields,
      format: Type.Enum(['csv', 'xlsx']),
      lang: Type.Optional(Type.Enum(['ru', 'kk', 'en'])),
    }),
    answer: Type.Unknown(),
  },
  message: {
    method: 'GET',
    path: '/messages/:id',
    policy: 'messages.see',
    answer: MessageDetail,
  },
  views: {
    method: 'GET',
    path: '/views',
    policy: 'messages.see',
    answer: Type.Object({ success: Type.Literal(true), views: Type.Array(SavedView) }),
  },
  saveView: {
    method: 'POST',
    path: '/views',
    policy: 'messages.see',
    body: Type.Object({ name: NameInput, filter: MessageFilter }),
    answer: Type.Object({ success: Type.Literal(true), id: Id }),
  },
  deleteView: { method: 'DELETE', path: '/views/:id', policy: 'messages.see', answer: Done },
} as const satisfies Record<string, CabinetEndpoint>;

export const RequestRow = Type.Object({
  request_id: Type.String(),
  at: Instant,
  path: Type.String(),
  status: Type.Integer(),
  error_code: orNull(Type.String()),
  duration_ms: Count,
  key: Type.Object({ id: Id, name: Type.String(), mode: Mode }),
  phone: orNull(Type.String()),
  channel: orNull(Type.String()),
  message_id: orNull(Type.String()),
});
export type RequestRow = Static<typeof RequestRow>;

export const REQUEST_ENDPOINTS = {
  requests: {
    method: 'GET',
    path: '/requests',
    policy: 'requests.see',
    query: Type.Object({
      cursor: Cursor,
      range: Type.Optional(Type.Enum([...RANGES])),
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
      outcome: Type.Optional(Type.Enum(['ok', 'refused'])),
      path: Type.Optional(Type.String({ maxLength: 100 })),
      error_code: Type.Optional(Type.String({ maxLength: 64 })),
      key_id: Type.Optional(Id),
      request_id: Type.Optional(Type.String({ maxLength: 64 })),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      rows: Type.Array(RequestRow),
      next: orNull(Type.String()),
      searched_until: orNull(Instant),
    }),
  },
  requestErrors: {
    method: 'GET',
    path: '/requests/errors',
    policy: 'requests.see',
    query: Type.Object({ range: Type.Optional(Type.Enum([...OVERVIEW_RANGES])) }),
    answer: Type.Object({
      success: Type.Literal(true),
      errors: Type.Array(Type.Object({ error_code: Type.String(), count: Count })),
      buckets: Type.Array(Type.Object({ at: Instant, ok: Count, refused: Count, failed: Count })),
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;

export const OVERVIEW_ENDPOINTS = {
  overview: {
    method: 'GET',
    path: '/overview',
    policy: 'overview.see',
    query: Type.Object({
      range: Type.Optional(Type.Enum([...OVERVIEW_RANGES])),
      mode: Type.Optional(Mode),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      hours_to_count: HoursToCount,
      balance: Tokens,
      held: Tokens,
      /** At the pace of the last seven days; null when nothing was spent. */
      days_left: orNull(Type.Number()),
      prices: Type.Object({ whatsapp: Tokens, telegram: Tokens, sms: Tokens, group: Tokens }),
      today: Type.Object({ sends: Count, confirmed: Count, same_day_last_week: Count }),
      /** Hours for 24h, days of Almaty otherwise; every bucket of the range, empty ones too. */
      buckets: Type.Array(
        Type.Object({
          at: Instant,
          sends: Type.Object({ whatsapp: Count, telegram: Count, sms: Count }),
          confirmed: Count,
          failed: Count,
          spent: Tokens,
          confirm_ms_p50: orNull(Count),
          confirm_ms_p95: orNull(Count),
        }),
      ),
      problems: Type.Array(
        Type.Object({
          kind: Type.Enum(['low_balance', 'channel_failing', 'key_idle', 'many_failures']),
          /** The name of a key or of a channel, a number, as the kind needs. */
          object: orNull(Type.String()),
          count: orNull(Type.Integer()),
        }),
      ),
      steps: Type.Object({
        has_test_send: Type.Boolean(),
        has_verified: Type.Boolean(),
        has_live_key: Type.Boolean(),
        has_live_send: Type.Boolean(),
        has_colleague: Type.Boolean(),
      }),
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
