import Type, { type Static } from 'typebox';
import { CHANNELS } from './channel.ts';
import { ChannelChoice } from './channel-choice.ts';
import { CODE_INPUT_LENGTH_MAX, PURPOSE_LENGTH_MAX } from './limits.ts';

export const PhoneInput = Type.String({
  examples: ['+77011234567'],
});

export const UrlInput = Type.String({
  examples: ['https://example.kz/order/42'],
});

export const PURPOSE_DEFAULT = 'default';
const Purpose = Type.String({
  minLength: 1,
  maxLength: PURPOSE_LENGTH_MAX,
  // Printable: no control characters, no line breaks, no lone surrogates (those are refused with
  // the body).
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$',
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
  channel: Type.Enum([...CHANNELS]),
  message_id: Type.String({ format: 'uuid' }),
  cost: Type.Integer({ minimum: 0 }),
  balance: Type.Integer({ minimum: 0 }),
};

export const OtpSendAnswer = Type.Object(
  {
    ...sentFields,
    expires_in: Type.Integer({ minimum: 0 }),
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
