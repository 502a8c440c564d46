import Type from 'typebox';
import { UNSUBSCRIBE_SOURCES } from './broadcast-words.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { Count, Cursor, Done, Instant, pageOf } from './fields.ts';

export const UNSUBSCRIBED_ENDPOINTS = {
  unsubscribed: {
    method: 'GET',
    path: '/unsubscribed',
    policy: 'broadcasts.see',
    query: Type.Object({ cursor: Cursor, phone: Type.Optional(Type.String({ maxLength: 32 })) }),
    answer: pageOf(
      Type.Object({
        phone: Type.String(),
        source: Type.Enum([...UNSUBSCRIBE_SOURCES]),
        at: Instant,
        /** Of all companies of this installation; such a phone cannot be taken off here. */
        is_everywhere: Type.Boolean(),
      }),
    ),
  },
  unsubscribePhones: {
    method: 'POST',
    path: '/unsubscribed',
    policy: 'broadcasts.change',
    body: Type.Object({ phones: Type.String({ minLength: 1, maxLength: 10_000 }) }),
    answer: Type.Object({ success: Type.Literal(true), added: Count, invalid: Count }),
  },
  /** Only what the company added itself: what a person asked for stays. */
  removeUnsubscribed: {
    method: 'DELETE',
    path: '/unsubscribed/:phone',
    policy: 'broadcasts.change',
    answer: Done,
  },
} as const satisfies Record<string, CabinetEndpoint>;
