import Type, { type Static } from 'typebox';
import { CHANNELS } from './channel.ts';
import type { ErrorCode } from './errors.ts';
import { INBOX_WAIT_SECONDS_MAX } from './limits.ts';

/** A message in the inbox of the virtual phone, as a test reads it. */
export const SandboxMessage = Type.Object(
  {
    message_id: Type.String({ format: 'uuid' }),
    phone: Type.String({ examples: ['+77011234567'] }),
    channel: Type.Enum([...CHANNELS]),
    kind: Type.String({ examples: ['otp', 'link', 'group'] }),
    text: Type.String(),
    code: Type.Union([Type.String(), Type.Null()]),
    link: Type.Union([Type.String(), Type.Null()]),
    at: Type.String({ format: 'date-time' }),
  },
  { $id: 'SandboxMessage' },
);
export type SandboxMessage = Static<typeof SandboxMessage>;

export const SandboxMessagesAnswer = Type.Object(
  { success: Type.Literal(true), messages: Type.Array(SandboxMessage) },
  { $id: 'SandboxMessagesAnswer' },
);
export type SandboxMessagesAnswer = Static<typeof SandboxMessagesAnswer>;

export const SandboxClearedAnswer = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { $id: 'SandboxClearedAnswer' },
);
export type SandboxClearedAnswer = Static<typeof SandboxClearedAnswer>;

/** The query of the inbox. Only reading waits. */
export const SANDBOX_QUERY = {
  phone: Type.String({ examples: ['+77000000000'] }),
  since: Type.String({ format: 'date-time', examples: ['2026-11-15T04:30:00.000Z'] }),
  wait: Type.Number({ minimum: 0, maximum: INBOX_WAIT_SECONDS_MAX, default: 0, examples: [30] }),
};

export const SANDBOX_PATH = '/sandbox/messages';

/** How the inbox refuses, beyond what every path of the site can answer. */
export const SANDBOX_ERRORS = [
  'missing_api_key',
  'invalid_api_key',
  'key_revoked',
  'company_suspended',
  'origin_required',
  'origin_not_allowed',
  'invalid_phone',
  'validation_error',
] as const satisfies readonly ErrorCode[];
