import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, Cursor, Id, Instant, InstantInput, Mode, orNull } from './fields.ts';
import { OVERVIEW_RANGES, RANGES } from './message-words.ts';
import { OUTCOMES } from './request-words.ts';

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

const ErrorCount = Type.Object({ error_code: Type.String(), count: Count });

export const REQUEST_ENDPOINTS = {
  requests: {
    method: 'GET',
    path: '/requests',
    policy: 'requests.see',
    query: Type.Object({
      cursor: Cursor,
      range: Type.Optional(Type.Enum([...RANGES])),
      from: Type.Optional(InstantInput),
      to: Type.Optional(InstantInput),
      /**
       * A phone in any spelling, four or more of its last digits, a status, a path, an error code, a
       * request id, a message id, or the beginning of the name of a key.
       */
      search: Type.Optional(Type.String({ maxLength: 100 })),
      outcome: Type.Optional(Type.Enum([...OUTCOMES])),
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
  /** One call with its bodies; of several with the same id, the newest. */
  request: {
    method: 'GET',
    path: '/requests/:id/call',
    policy: 'requests.see',
    answer: Type.Object({
      success: Type.Literal(true),
      row: RequestRow,
      /**
       * `stored`: as it was sent, without secrets. `rebuilt`: what was understood, from the message
       * that it became. `broken`: the shape of a body that was no JSON. `none`: no body was read.
       */
      source: Type.Enum(['stored', 'rebuilt', 'broken', 'none']),
      request: orNull(Type.Record(Type.String(), Type.Unknown())),
      /** Of a broken body. */
      shape: orNull(Type.String()),
      answer: Type.Record(Type.String(), Type.Unknown()),
    }),
  },
  requestErrors: {
    method: 'GET',
    path: '/requests/errors',
    policy: 'requests.see',
    query: Type.Object({ range: Type.Optional(Type.Enum([...OVERVIEW_RANGES])) }),
    answer: Type.Object({
      success: Type.Literal(true),
      errors: Type.Array(ErrorCount),
      /** What is not in `errors`: codes that people typed wrong. */
      wrong_codes: Type.Array(ErrorCount),
      buckets: Type.Array(
        Type.Object({ at: Instant, ok: Count, wrong_code: Count, refused: Count, failed: Count }),
      ),
    }),
  },
} as const satisfies Record<string, CabinetEndpoint>;
