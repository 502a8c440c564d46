import Type, { type Static } from 'typebox';
import type { CabinetEndpoint } from './endpoint.ts';
import { Done, Id, Instant, orNull } from './fields.ts';

export const OPERATIONS = ['otpSend', 'otpVerify', 'linkShorten', 'linkSend', 'groupSend'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A message in the virtual phone. */
export const PhoneMessage = Type.Object({
  message_id: Type.String(),
  phone: Type.String(),
  channel: Type.String(),
  kind: Type.String(),
  text: Type.String(),
  code: orNull(Type.String()),
  link: orNull(Type.String()),
  at: Instant,
});
export type PhoneMessage = Static<typeof PhoneMessage>;

export const PLAYGROUND_ENDPOINTS = {
  /** Runs one call of the API with a key of the company, exactly like an external call. */
  runOperation: {
    method: 'POST',
    path: '/playground',
    policy: 'playground.use',
    body: Type.Object({
      key_id: Id,
      operation: Type.Enum([...OPERATIONS]),
      body: Type.Record(Type.String(), Type.Unknown()),
    }),
    answer: Type.Object({
      success: Type.Literal(true),
      /** The answer of the API itself. */
      status: Type.Integer(),
      body: Type.Record(Type.String(), Type.Unknown()),
      duration_ms: Type.Integer(),
      request_id: Type.String(),
    }),
  },
  /** The messages in the virtual phone from a key; empty for a live key outside the sandbox. */
  phoneMessages: {
    method: 'GET',
    path: '/playground/phone',
    policy: 'playground.use',
    query: Type.Object({ key_id: Id }),
    answer: Type.Object({ success: Type.Literal(true), messages: Type.Array(PhoneMessage) }),
  },
  clearPhone: {
    method: 'DELETE',
    path: '/playground/phone',
    policy: 'playground.use',
    query: Type.Object({ key_id: Id }),
    answer: Done,
  },
  /**
   * Server-sent events: `message` with a PhoneMessage, the existing ones first, then `replayed`;
   * `receipt` with `{message_id}`.
   */
  phoneEvents: {
    method: 'GET',
    path: '/playground/events',
    policy: 'playground.use',
    query: Type.Object({ key_id: Id }),
    answer: Type.Unknown(),
  },
} as const satisfies Record<string, CabinetEndpoint>;
