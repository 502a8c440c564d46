import Type, { type Static } from 'typebox';
import { ERROR_CODES, type ErrorCode } from './errors.ts';

const whole = () => Type.Integer({ minimum: 0 });

/**
 * A string with known values: new codes may come, and a client that knows only today's must still
 * accept the answer.
 */
const OpenErrorCode = Type.Unsafe<ErrorCode>({
  type: 'string',
  examples: ['validation_error', 'invalid_code', 'send_rate_limited'],
  'x-extensible-enum': [...ERROR_CODES],
});

/** The body of every answer that is not a success. */
export const ErrorAnswer = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String(),
    error_code: OpenErrorCode,
    request_id: Type.String(),
    docs_url: Type.String({ format: 'uri' }),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    retry_after: Type.Optional(whole()),
    attempts_left: Type.Optional(whole()),
    required: Type.Optional(whole()),
    balance: Type.Optional(whole()),
    message_id: Type.Optional(Type.String({ format: 'uuid' })),
  },
  { $id: 'ErrorAnswer' },
);
export type ErrorAnswer = Static<typeof ErrorAnswer>;

/** The facts an error may carry beside its code. */
export type ErrorFacts = Partial<
  Pick<
    ErrorAnswer,
    'errors' | 'retry_after' | 'attempts_left' | 'required' | 'balance' | 'message_id'
  >
>;
