import Type, { type Static } from 'typebox';
import { CHANNELS } from '../api/channel.ts';
import { BroadcastId, Column, countsOf, State, TextInput, UrlInput } from './broadcast-fields.ts';
import {
  BROADCAST_STATES,
  CONSENT_BASES,
  PAUSE_REASONS,
  RECIPIENT_OUTCOMES,
  ROW_VERDICTS,
  SPREAD_MINUTES_MAX,
} from './broadcast-words.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import {
  ChannelName,
  Count,
  Cursor,
  choices,
  Done,
  Instant,
  InstantInput,
  NameInput,
  NoteInput,
  orNull,
  pageOf,
  Tokens,
} from './fields.ts';

/** One snapshot of a started broadcast: the outcomes add up to `recipients`. */
export const Progress = Type.Object({
  recipients: Count,
  outcomes: countsOf(RECIPIENT_OUTCOMES),
  /** People who opened their link, and who unsubscribed from this broadcast. */
  clicked: Count,
  unsubscribed: Count,
  charged: Tokens,
  /** Accepted messages by the channel that carries them. */
  channels: countsOf(CHANNELS),
  /** Recipients per second over the last minute; 0 while it is paused. */
  rate: Type.Number({ minimum: 0 }),
  ends_at: orNull(Instant),
  counted_at: Instant,
});
export type Progress = Static<typeof Progress>;

export const BroadcastRow = Type.Object({
  id: BroadcastId,
  name: Type.String(),
  state: State,
  pause_reason: orNull(Type.Enum([...PAUSE_REASONS])),
  /** Waits for a second person. */
  needs_approval: Type.Boolean(),
  /** Rows that will be sent, or recipients once it was started. */
  recipients: Count,
  progress: orNull(Progress),
  held: Tokens,
  created_at: Instant,
  start_at: orNull(Instant),
  started_at: orNull(Instant),
  ended_at: orNull(Instant),
  author: orNull(Type.String()),
});
export type BroadcastRow = Static<typeof BroadcastRow>;

/** An approved marketing template of WhatsApp. `body` has its variables as {{1}}, {{2}} … */
export const WhatsappTemplate = Type.Object({
  name: Type.String({ maxLength: 512 }),
  language: Type.String({ maxLength: 16 }),
  body: Type.String({ maxLength: 1_024 }),
  /** It has a button that opens the recipient's own short link. */
  has_link: Type.Boolean(),
});
export type WhatsappTemplate = Static<typeof WhatsappTemplate>;

/**
 * The same with a text for each variable: plain, `{{column|default}}` or `:link`. `body` and `has_link`
 * are those of the approved template, whatever a request says.
 */
export const ChosenTemplate = Type.Object({
  name: Type.String({ maxLength: 512 }),
  language: Type.String({ maxLength: 16 }),
  body: Type.String({ maxLength: 1_024 }),
  has_link: Type.Optional(Type.Boolean()),
  variables: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 }),
});
export type ChosenTemplate = Static<typeof ChosenTemplate>;

/** What a draft holds and its steps change, each step its part. */
const Draft = {
  name: NameInput,
  includes_other_countries: Type.Boolean(),
  text: TextInput,
  url: orNull(UrlInput),
  whatsapp_template: orNull(ChosenTemplate),
  channels: Type.Array(ChannelName, { maxItems: CHANNELS.length, uniqueItems: true }),
  /** Null: as soon as it is confirmed. */
  start_at: orNull(InstantInput),
  spread_minutes: orNull(Type.Integer({ minimum: 1, maximum: SPREAD_MINUTES_MAX })),
  quiet_from: Type.Integer({ minimum: 0, maximum: 23 }),
  quiet_to: Type.Integer({ minimum: 0, maximum: 23 }),
  skips_days_off: Type.Boolean(),
  consent_basis: orNull(Type.Enum([...CONSENT_BASES])),
  consent_note: orNull(NoteInput),
};

/** How the rows of a file were read, and what they look like. */
export const RowsRead = Type.Object({
  state: Type.Enum(['none', 'reading', 'read', 'checking', 'checked']),
  source: orNull(Type.Enum(['file', 'text', 'list', 'failed'])),
  source_name: orNull(Type.String()),
  /** Rows so far; while it is read, this grows. */
  rows: Count,
  columns: Type.Array(Type.String()),
  phone_column: orNull(Column),
  consent_column: orNull(Column),
  /** The first five, for the choice of columns. */
  preview: Type.Array(
    Type.Object({ number: Type.Integer({ minimum: 1 }), cells: Type.Array(Type.String()) }),
  ),
  /** Null until they were checked. Adds up to `rows`. */
  verdicts: orNull(countsOf(ROW_VERDICTS)),
});
export type RowsRead = Static<typeof RowsRead>;

export const Broadcast = Type.Object({
  success: Type.Literal(true),
  ...BroadcastRow.properties,
  ...Draft,
  name: Type.String(),
  start_at: orNull(Instant),
  consent_note: orNull(Type.String()),
  version: Type.Integer({ minimum: 1 }),
  rows: RowsRead,
  /** Channels that can carry a broadcast in this installation, in the usual order. */
  offered_channels: Type.Array(ChannelName),
  pause_detail: orNull(Type.String()),
  paused_at: orNull(Instant),
  resume_at: orNull(Instant),
  /** Why it cannot be started as it is; empty when it can. */
  obstacles: Type.Array(
    Type.Enum([
      'no_recipients',
      'no_text',
      'no_channel',
      'no_template',
      'no_url',
      'no_consent',
      'unknown_variable',
      'text_too_long',
      'start_in_past',
    ]),
  ),
  /** This person may approve it. */
  can_approve: Type.Boolean(),
  approved_by: orNull(Type.String()),
});
export type Broadcast = Static<typeof Broadcast>;

export const BROADCAST_DRAFT_ENDPOINTS = {
  broadcasts: {
    method: 'GET',
    path: '/broadcasts',
    policy: 'broadcasts.see',
    query: Type.Object({ cursor: Cursor, state: choices(BROADCAST_STATES) }),
    answer: pageOf(BroadcastRow),
  },
  createBroadcast: {
    method: 'POST',
    path: '/broadcasts',
    policy: 'broadcasts.change',
    body: Type.Object({ name: NameInput }),
    answer: Type.Object({ success: Type.Literal(true), id: BroadcastId }),
  },
  broadcast: {
    method: 'GET',
    path: '/broadcasts/:id',
    policy: 'broadcasts.see',
    answer: Broadcast,
  },
  /** Saves a part of a draft. An older `version` is refused: another page has saved since. */
  changeBroadcast: {
    method: 'PUT',
    path: '/broadcasts/:id',
    policy: 'broadcasts.change',
    body: Type.Partial(Type.Object({ ...Draft, version: Type.Integer({ minimum: 1 }) })),
    answer: Type.Object({ success: Type.Literal(true), version: Type.Integer({ minimum: 1 }) }),
  },
  /** Drafts only. */
  deleteBroadcast: {
    method: 'DELETE',
    path: '/broadcasts/:id',
    policy: 'broadcasts.change',
    answer: Done,
  },

  /** How the text comes out over all rows that will be sent. */
  checkText: {
    method: 'GET',
    path: '/broadcasts/:id/text',
    policy: 'broadcasts.see',
    answer: Type.Object({
      success: Type.Literal(true),
      /** Of the SMS; null while there are no recipients or no text. */
      parts_min: orNull(Count),
      parts_max: orNull(Count),
      /** Rows whose SMS would have too many parts, with the first of them. */
      too_long: Count,
      too_long_row: orNull(Type.Integer()),
      /** Variables without a column, and columns with empty cells that have no default. */
      unknown_variables: Type.Array(Type.String()),
      empty_cells: Type.Array(Type.Object({ column: Type.String(), rows: Count })),
      /** Three rows as people would get them, by channel. */
      samples: Type.Array(
        Type.Object({
          number: Type.Integer(),
          phone: Type.String(),
          texts: Type.Partial(
            Type.Object(
              Object.fromEntries(CHANNELS.map((name) => [name, Type.String()])) as Record<
                (typeof CHANNELS)[number],
                ReturnType<typeof Type.String>
              >,
            ),
          ),
          parts: Count,
        }),
      ),
    }),
  },
  /** Approved templates of WhatsApp; empty when there are none, and then WhatsApp is not offered. */
  whatsappTemplates: {
    method: 'GET',
    path: '/whatsapp-templates',
    policy: 'broadcasts.see',
    answer: Type.Object({
      success: Type.Literal(true),
      templates: Type.Array(WhatsappTemplate),
    }),
  },
  /** Sends the text of the first row to the phone of the person who asks. Costs as any message. */
  sendToMe: {
    method: 'POST',
    path: '/broadcasts/:id/sample',
    policy: 'broadcasts.change',
    answer: Type.Object({
      success: Type.Literal(true),
      message_id: Type.String(),
      channel: ChannelName,
      cost: Tokens,
    }),
  },
  estimate: {
    method: 'GET',
    path: '/broadcasts/:id/estimate',
    policy: 'broadcasts.see',
    answer: Type.Object({
      success: Type.Literal(true),
      recipients: Count,
      least: Tokens,
      /** By the channels that carried this company's messages in the last 30 days. */
      expected: Tokens,
      most: Tokens,
      /** False when there is no history, and the first channel was assumed. */
      has_history: Type.Boolean(),
      shares: Type.Array(
        Type.Object({
          channel: ChannelName,
          price: Tokens,
          share: Type.Number({ minimum: 0, maximum: 1 }),
        }),
      ),
      balance: Type.Integer(),
      /** When it begins, with quiet hours and days off. */
      starts_at: Instant,
      needs_approval: Type.Boolean(),
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;

export const BROADCAST_RUN_ENDPOINTS = {
  /** Starts or schedules it, or asks a second person. `recipients` is the number on the button. */
  startBroadcast: {
    method: 'POST',
    path: '/broadcasts/:id/start',
    policy: 'broadcasts.change',
    body: Type.Object({ recipients: Count, version: Type.Integer({ minimum: 1 }) }),
    answer: Type.Object({
      success: Type.Literal(true),
      state: State,
      needs_approval: Type.Boolean(),
    }),
  },
  /** What the approver saw, like the start: a draft that was changed since is not approved. */
  approveBroadcast: {
    method: 'POST',
    path: '/broadcasts/:id/approve',
    policy: 'broadcasts.approve',
    body: Type.Object({ recipients: Count, version: Type.Integer({ minimum: 1 }) }),
    answer: Type.Object({ success: Type.Literal(true), state: State }),
  },
  /** Back to the author, who may change it. Also takes back what was asked or scheduled. */
  withdrawBroadcast: {
    method: 'POST',
    path: '/broadcasts/:id/withdraw',
    policy: 'broadcasts.change',
    answer: Done,
  },
  /** `with_channels`: messages that were already handed over. */
  pauseBroadcast: {
    method: 'POST',
    path: '/broadcasts/:id/pause',
    policy: 'broadcasts.change',
    answer: Type.Object({ success: Type.Literal(true), with_channels: Count }),
  },
  resumeBroadcast: {
    method: 'POST',
    path: '/broadcasts/:id/resume',
    policy: 'broadcasts.change',
    answer: Done,
  },
  /** For good. The name confirms it. */
  cancelBroadcast: {
    method: 'POST',
    path: '/broadcasts/:id/cancel',
    policy: 'broadcasts.change',
    body: Type.Object({ name: Type.String({ maxLength: 200 }) }),
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
