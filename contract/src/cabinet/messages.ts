import Type, { type Static } from 'typebox';
import { CHANNELS } from '../api/channel.ts';
import { MESSAGE_STATES } from '../api/events.ts';
import { SMS_ROUTE_REASONS } from '../message/sms-route-text.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import {
  ChannelName,
  Count,
  Cursor,
  choices,
  Done,
  Id,
  Instant,
  InstantInput,
  Language,
  Mode,
  NameInput,
  orNull,
  Tokens,
} from './fields.ts';
import { MESSAGE_KINDS, PATH_OUTCOMES, RANGES, STEP_KINDS } from './message-words.ts';

const State = Type.Enum([...MESSAGE_STATES]);

/**
 * Different whole phones that a person who sees phones masked may search for. Last digits are not
 * counted: of them only the four that everybody sees are compared.
 */
export const PHONE_SEARCHES_PER_HOUR_MAX = 30;

/** The filters of the list. The URL of the page uses the same names. */
export const filterFields = {
  /** A whole phone in any spelling, at least its last four digits, a message id or a request id. */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  /** In days and hours of Almaty; `from` and `to` replace it for a custom range. */
  range: Type.Optional(Type.Enum([...RANGES])),
  from: Type.Optional(InstantInput),
  to: Type.Optional(InstantInput),
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
  outcome: Type.Enum([...PATH_OUTCOMES]),
});

export const MessageRow = Type.Object({
  id: Type.String({ format: 'uuid' }),
  at: Instant,
  /** Masked for roles without the right; the name or id of a group for group messages. */
  phone: Type.String(),
  /** ISO code when the phone is not from Kazakhstan. */
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
  /** Russian, as in the API; pages translate the known steps into the reader's language. */
  text: Type.String(),
  /** The reason that the provider gave. */
  reason: orNull(Type.String()),
  /** What this step cost; null where nothing can be charged. */
  cost: orNull(Tokens),
  /** Arrived after the message had moved on to another channel. */
  is_late: Type.Boolean(),
  /** Of an accepted live SMS: the provider that took it, and why it was this one. */
  sms: orNull(
    Type.Object({
      provider: Type.String(),
      parts: Count,
      /** Null for the only provider, or the first one as usual. */
      why: orNull(Type.Enum([...SMS_ROUTE_REASONS])),
      /** The mobile operator of the number, where it is known. */
      operator: orNull(Type.String()),
    }),
  ),
});
export type TimelineStep = Static<typeof TimelineStep>;

export const MessageDetail = Type.Object({
  success: Type.Literal(true),
  ...MessageRow.properties,
  request_id: Type.String(),
  /** The broadcast that it belongs to. */
  broadcast: orNull(Type.Object({ id: Type.String(), name: Type.String() })),
  /** The text of a link or a group message; never that of a code. */
  body: orNull(Type.String()),
  short_url: orNull(Type.String()),
  clicks: Count,
  /** The channels that were tried, followed by those that were left. */
  route: Type.Array(ChannelName),
  fallback_seconds: Type.Integer(),
  steps: Type.Array(TimelineStep),
  /** Seconds until another code may be sent to this phone. */
  resend_after: Count,
  /**
   * Channels that the key has enabled, that can carry such a message and were not tried for it, with
   * what a message by them costs. Empty for groups and broadcasts, and when the key is revoked.
   */
  other_channels: Type.Array(Type.Object({ channel: ChannelName, price: Tokens })),
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
      /**
       * Set when matches are rare and the search stopped here to answer in time; `next` continues
       * it.
       */
      searched_until: orNull(Instant),
    }),
  },
  /**
   * Server-sent events: `new` with the `{count}` of matching messages newer than the newest shown.
   */
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
      lang: Type.Optional(Language),
    }),
    answer: Type.Unknown(),
  },
  message: {
    method: 'GET',
    path: '/messages/:id',
    policy: 'messages.see',
    answer: MessageDetail,
  },
  /**
   * Sends the text of a link message again, by a channel: a new message like any other, with its own
   * limits and price. A code has no such call: only the site that asked for it knows whether the
   * client still waits, so it asks for a new one.
   */
  resendMessage: {
    method: 'POST',
    path: '/messages/:id/resend',
    policy: 'playground.use',
    body: Type.Object({ channel: ChannelName }),
    answer: Type.Object({
      success: Type.Literal(true),
      /** The answer of the API itself. */
      status: Type.Integer(),
      body: Type.Record(Type.String(), Type.Unknown()),
      request_id: Type.String(),
    }),
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
