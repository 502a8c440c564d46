import Type from 'typebox';
import { BroadcastId, Outcome } from './broadcast-fields.ts';
import { Progress } from './broadcasts.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { ChannelName, Count, Cursor, Instant, Language, orNull, pageOf, Tokens } from './fields.ts';

export const BROADCAST_RESULT_ENDPOINTS = {
  results: {
    method: 'GET',
    path: '/broadcasts/:id/results',
    policy: 'broadcasts.see',
    answer: Type.Object({
      success: Type.Literal(true),
      progress: Progress,
      /** Sent, delivered and clicked, by the minute or the hour. */
      step: Type.Enum(['minute', 'hour']),
      times: Type.Array(
        Type.Object({ at: Instant, sent: Count, delivered: Count, failed: Count, clicked: Count }),
      ),
      reasons: Type.Array(
        Type.Object({ reason: Type.String(), channel: orNull(ChannelName), count: Count }),
      ),
      /** The newest failures, newest first. */
      last_failures: Type.Array(
        Type.Object({
          number: Type.Integer({ minimum: 1 }),
          phone: Type.String(),
          channel: orNull(ChannelName),
          reason: orNull(Type.String()),
          message_id: Type.String(),
          at: Instant,
        }),
      ),
    }),
  },
  /** Each recipient with what became of them. */
  recipients: {
    method: 'GET',
    path: '/broadcasts/:id/recipients',
    policy: 'broadcasts.see',
    query: Type.Object({
      cursor: Cursor,
      outcome: Type.Optional(Outcome),
      clicked: Type.Optional(Type.Enum(['yes', 'no'])),
    }),
    answer: pageOf(
      Type.Object({
        number: Type.Integer({ minimum: 1 }),
        phone: Type.String(),
        outcome: Outcome,
        channel: orNull(ChannelName),
        reason: orNull(Type.String()),
        charged: Tokens,
        sent_at: orNull(Instant),
        clicked_at: orNull(Instant),
        message_id: orNull(Type.String()),
      }),
    ),
  },
  exportRecipients: {
    method: 'GET',
    path: '/broadcasts/:id/recipients/file',
    policy: 'broadcasts.change',
    query: Type.Object({
      which: Type.Enum(['all', 'failed', 'clicked', 'not_clicked']),
      format: Type.Enum(['csv', 'xlsx']),
      lang: Type.Optional(Language),
    }),
    answer: Type.Unknown(),
  },
  /** A new draft with the recipients that failed. */
  repeatFailed: {
    method: 'POST',
    path: '/broadcasts/:id/again',
    policy: 'broadcasts.change',
    answer: Type.Object({ success: Type.Literal(true), id: BroadcastId }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
