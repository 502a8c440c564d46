import Type, { type Static } from 'typebox';
import { CHANNELS } from './channel.ts';
import { ChannelChoice } from './channel-choice.ts';
import { CODE_INPUT_LENGTH_MAX, PURPOSE_LENGTH_MAX, URL_LENGTH_MAX } from './limits.ts';

export const PhoneInput = Type.String({
  description: 'Телефон в любом привычном виде: +77011234567, 8 (701) 123-45-67, 77011234567.',
  examples: ['+77011234567'],
});

export const UrlInput = Type.String({
  description: `Адрес http или https, до ${URL_LENGTH_MAX} символов.`,
  examples: ['https://example.kz/order/42'],
});

export const PURPOSE_DEFAULT = 'default';
const Purpose = Type.String({
  minLength: 1,
  maxLength: PURPOSE_LENGTH_MAX,
  // Printable: no control characters, no line breaks, no lone surrogates (those are refused with
  // the body).
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$',
  description: 'Для чего код: login, registration… При проверке — тот же.',
  examples: ['login'],
});

export const OtpSendRequest = Type.Object(
  {
    phone: PhoneInput,
    purpose: Type.Optional(Purpose),
    channel: Type.Optional(ChannelChoice),
    link: Type.Optional(UrlInput),
  },
  { $id: 'OtpSendRequest' },
);
export type OtpSendRequest = Static<typeof OtpSendRequest>;

/** The fields of every answer about a sent message. */
export const sentFields = {
  success: Type.Literal(true),
  message: Type.String(),
  channel: Type.Enum([...CHANNELS], { description: 'Канал, который принял сообщение.' }),
  message_id: Type.String({ format: 'uuid' }),
  cost: Type.Integer({ minimum: 0, description: 'Сколько токенов списано.' }),
  balance: Type.Integer({ minimum: 0, description: 'Баланс после списания.' }),
};

export const OtpSendAnswer = Type.Object(
  {
    ...sentFields,
    expires_in: Type.Integer({ minimum: 0, description: 'Сколько секунд действует код.' }),
    short_url: Type.Optional(Type.String({ format: 'uri' })),
  },
  { $id: 'OtpSendAnswer' },
);
export type OtpSendAnswer = Static<typeof OtpSendAnswer>;

export const OtpVerifyRequest = Type.Object(
  {
    phone: PhoneInput,
    code: Type.String({
      minLength: 1,
      maxLength: CODE_INPUT_LENGTH_MAX,
      description: 'Код строкой, как его ввёл человек; пробелы и дефисы не важны.',
      examples: ['482913'],
    }),
    purpose: Type.Optional(Purpose),
  },
  { $id: 'OtpVerifyRequest' },
);
export type OtpVerifyRequest = Static<typeof OtpVerifyRequest>;

export const OtpVerifyAnswer = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { $id: 'OtpVerifyAnswer' },
);
export type OtpVerifyAnswer = Static<typeof OtpVerifyAnswer>;
