import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, Cursor, Id, Instant, InstantInput, Mode, orNull } from './fields.ts';
import { OVERVIEW_RANGES, RANGES } from './message-words.ts';

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
      from: Type.Optional(InstantInput),
      to: Type.Optional(InstantInput),
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
