import Type, { type Static } from 'typebox';
import { ERROR_CODES } from './errors.ts';

const seconds = (description: string) => Type.Integer({ minimum: 0, description });

/** The body of every answer that is not a success. */
export const ErrorAnswer = Type.Object(
  {
    success: Type.Literal(false),
    message: Type.String({ description: 'Текст для человека, всегда по-русски.' }),
    error_code: Type.Enum([...ERROR_CODES]),
    request_id: Type.String({ description: 'То же значение, что в заголовке X-Request-Id.' }),
    docs_url: Type.String({ format: 'uri', description: 'Страница этой ошибки.' }),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'Что исправить, по полям.',
      }),
    ),
    retry_after: Type.Optional(seconds('Через сколько секунд повторить.')),
    attempts_left: Type.Optional(seconds('Сколько попыток ввода осталось.')),
    required: Type.Optional(seconds('Сколько токенов нужно.')),
    balance: Type.Optional(seconds('Сколько токенов доступно.')),
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
